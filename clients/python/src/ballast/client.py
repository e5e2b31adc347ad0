"""The client. client.py is generated from client.py by scripts/generate.py."""

from __future__ import annotations

import time
import html
import itertools
from collections.abc import Iterator, Callable, Mapping, Sequence
from time import monotonic
from types import TracebackType
from typing import Any

import httpx

from .operations import Operations
from .core import ARROW, Request, Response, Retry
from .errors import BallastError, ConnectionFailed, WaitTimeout, WorkFailed, error_of
from .tables import Table

Progress = Callable[[Mapping[str, Any]], None]


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
        self.models = Models(self)

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


class Models:
    """The models of an account."""

    def __init__(self, client: Ballast) -> None:
        self._client = client

    def create(self, prompt: str | None = None, *, key: str | None = None, **fields: Any) -> Model:
        """Create a model from words, or from fields such as script. wait() waits for its build."""
        body = fields if prompt is None else {"prompt": prompt, **fields}
        return Model(self._client, self._client.create_model(body, key=key))

    def get(self, model: str) -> Model:
        """Return a model by its id or symbol."""
        return Model(self._client, self._client.get_model(model))

    def list(self, **filters: Any) -> Iterator[Model]:
        """Iterate over the models that match the filters of list_models."""
        for row in self._client.pages(self._client.list_models, **filters):
            yield Model(self._client, row)


class Model:
    """A model; data is its last known state."""

    def __init__(self, client: Ballast, data: dict[str, Any]) -> None:
        self._client = client
        self.data = data

    @property
    def id(self) -> str:
        return str(self.data["id"])

    def wait(self, timeout: float = 600.0, progress: Progress | None = None) -> Model:
        """Wait for the work on the model to end. progress gets each state of the run."""
        end, pause = monotonic() + timeout, 0.05
        while (run := self.data.get("run")) is not None:
            if progress:
                progress(run)
            if monotonic() > end:
                raise WaitTimeout(f"model {self.id} is still {run.get('status')} after {timeout} s")
            time.sleep(pause)
            pause = min(2 * pause, 1.0)
            self.data = self._client.get_model(self.id)
        if self.data["status"] == "failed":
            raise WorkFailed(f"the build of model {self.id} failed: {self.data.get('warning')}", self.data)
        return self

    def history(self, *include: str, **options: Any) -> Table:
        """Return blocks of the history, such as returns and allocation, as one table."""
        table: Table = self._client.get_model_history(
            self.id, include=list(include) or ["returns"], accept=ARROW, **options
        )
        return table

    def run(
        self, inputs: Mapping[str, Any], timeout: float = 600.0, progress: Progress | None = None
    ) -> dict[str, Any]:
        """Run the model with other inputs as a test, and wait for the run's end."""
        run: dict[str, Any] = self._client.start_run(self.id, {"intent": "test", "inputs": dict(inputs)})
        end, pause = monotonic() + timeout, 0.05
        while run["status"] not in ("complete", "failed"):
            if progress:
                progress(run)
            if monotonic() > end:
                raise WaitTimeout(f"run {run['id']} is still {run['status']} after {timeout} s")
            time.sleep(pause)
            pause = min(2 * pause, 1.0)
            run = self._client.get_run(run["id"])
        if run["status"] == "failed":
            raise WorkFailed(f"run {run['id']} failed", run)
        return run

    def sweep(self, grid: Mapping[str, Sequence[Any]], **options: Any) -> list[dict[str, Any]]:
        """Run every combination of the inputs' values, one after another."""
        return [
            self.run(dict(zip(grid, values, strict=True)), **options)
            for values in itertools.product(*grid.values())
        ]

    def __repr__(self) -> str:
        return f"<Model {self.data.get('symbol')} {self.data['status']}>"

    def _repr_html_(self) -> str:
        shown = ("name", "symbol", "status", "as_of", "description")
        rows = "".join(f"<tr><th>{n}</th><td>{html.escape(str(self.data.get(n)))}</td></tr>" for n in shown)
        return f"<table>{rows}</table>"
