"""The client. client.py is generated from client.py by scripts/generate.py."""

from __future__ import annotations

import time
import itertools
import os
from collections.abc import Iterator, Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import httpx

from .objects import (
    Analysis,
    Assets,
    Exports,
    Model,
    Optimizers,
    Programs,
    Run,
    Shares,
    Simulation,
)
from .operations import Operations
from .core import ARROW, Request, Response, Retry
from .errors import BallastError, ConnectionFailed, error_of
from .report import Report
from .tables import Table


class Ballast(Operations):
    """A client of the service at an address, with an API key."""

    def __init__(
        self,
        url: str,
        key: str,
        *,
        retry: Retry | None = None,
        timeout: float = 60.0,
    ) -> None:
        self.retry = retry or Retry()
        self._http = httpx.Client(
            base_url=url.rstrip("/"), headers={"Authorization": f"Bearer {key}"}, timeout=timeout
        )
        self.models: Programs[Model] = Programs(self, Model)
        self.simulations: Programs[Simulation] = Programs(self, Simulation)
        self.analyses: Programs[Analysis] = Programs(self, Analysis)
        self.optimizers = Optimizers(self)
        self.assets = Assets(self)
        self.exports = Exports(self)
        self.shares = Shares(self)

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def __enter__(self) -> Ballast:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def raw(self, sent: Request) -> Response:
        """Send a request, again if that helps, and return the answer as it came."""
        for attempt in itertools.count(1):
            failure: BallastError
            try:
                got = self._http.request(
                    sent.method, sent.url, params=sent.query, content=sent.body, headers=sent.headers()
                )
            except httpx.TransportError as e:
                failure = ConnectionFailed(f"{sent.method} {sent.url}: {type(e).__name__}: {e}")
            else:
                if got.status_code < 400:
                    return Response(got.status_code, got.headers, got.content)
                failure = error_of(got.status_code, got.headers, got.content)
            wait = self.retry.pause(sent, attempt, failure)
            if wait is None:
                raise failure
            time.sleep(wait)
        raise AssertionError("unreachable")

    def download(self, sent: Request, path: str | os.PathLike[str]) -> int:
        """Write an answer to a file as it comes, and return its size. A broken one leaves no file."""
        to = Path(path)
        part = to.with_name(to.name + ".part")
        try:
            with self._http.stream(
                sent.method, sent.url, params=sent.query, content=sent.body, headers=sent.headers()
            ) as got:
                if got.status_code >= 400:
                    raise error_of(got.status_code, got.headers, got.read())
                size = 0
                with open(part, "wb") as file:
                    for chunk in got.iter_bytes():
                        size += file.write(chunk)
            part.replace(to)
            return size
        except httpx.TransportError as e:
            raise ConnectionFailed(f"{sent.method} {sent.url}: {type(e).__name__}: {e}") from e
        finally:
            part.unlink(missing_ok=True)

    def run(self, run: str) -> Run:
        """Return a run by its id."""
        return Run(self, self.get_run(run))

    def report(self, model: Model | str, **options: Any) -> Report:
        """Return a report on a model as a page: b.report("CORE").save("core.html")."""
        if isinstance(model, str):
            model = self.models.get(model)
        return model.report(**options)

    def perform(self, sent: Request) -> Any:
        """Send a request; decode JSON and Arrow, and return other answers raw."""
        got = self.raw(sent)
        kind = got.headers.get("content-type", "").split(";")[0]
        if kind == "application/json":
            return got.json()
        if kind == ARROW:
            return Table.read(got)
        return got if got.content else None

    def sql(self, statement: str) -> Table:
        """Run a query over the account's tables."""
        table: Table = self.query({"sql": statement}, accept=ARROW)
        return table

    def compare(self, models: Sequence[Model | str], *include: str, **options: Any) -> Table:
        """Return the histories of several models side by side."""
        names = [m if isinstance(m, str) else m.id for m in models]
        table: Table = self.get_histories(
            models=names, include=list(include) or ["returns"], accept=ARROW, **options
        )
        return table

    def pages(self, read: Callable[..., Any], *path: str, **filters: Any) -> Iterator[dict[str, Any]]:
        """Iterate over the rows of all pages of a list: b.pages(b.list_assets, q="bond")."""
        offset, limit = 0, filters.pop("limit", 100)
        while True:
            page = read(*path, limit=limit, offset=offset, **filters)
            for row in page["data"]:
                yield row
            offset += len(page["data"])
            if not page["data"] or offset >= page["total"]:
                return
