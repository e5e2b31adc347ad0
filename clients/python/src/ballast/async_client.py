"""The client. client.py is generated from async_client.py by scripts/generate.py."""

from __future__ import annotations

import asyncio
import itertools
import os
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import httpx

from .async_objects import (
    AsyncAnalysis,
    AsyncAssets,
    AsyncExports,
    AsyncModel,
    AsyncOptimizers,
    AsyncPrograms,
    AsyncRun,
    AsyncShares,
    AsyncSimulation,
)
from .async_operations import AsyncOperations
from .core import ARROW, Request, Response, Retry
from .errors import BallastError, ConnectionFailed, error_of
from .report import Report
from .tables import Table


class AsyncBallast(AsyncOperations):
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
        self._http = httpx.AsyncClient(
            base_url=url.rstrip("/"), headers={"Authorization": f"Bearer {key}"}, timeout=timeout
        )
        self.models: AsyncPrograms[AsyncModel] = AsyncPrograms(self, AsyncModel)
        self.simulations: AsyncPrograms[AsyncSimulation] = AsyncPrograms(self, AsyncSimulation)
        self.analyses: AsyncPrograms[AsyncAnalysis] = AsyncPrograms(self, AsyncAnalysis)
        self.optimizers = AsyncOptimizers(self)
        self.assets = AsyncAssets(self)
        self.exports = AsyncExports(self)
        self.shares = AsyncShares(self)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def __aenter__(self) -> AsyncBallast:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def raw(self, sent: Request) -> Response:
        """Send a request, again if that helps, and return the answer as it came."""
        for attempt in itertools.count(1):
            failure: BallastError
            try:
                got = await self._http.request(
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
            await asyncio.sleep(wait)
        raise AssertionError("unreachable")

    async def download(self, sent: Request, path: str | os.PathLike[str]) -> int:
        """Write an answer to a file as it comes, and return its size. A broken one leaves no file."""
        to = Path(path)
        part = to.with_name(to.name + ".part")
        try:
            async with self._http.stream(
                sent.method, sent.url, params=sent.query, content=sent.body, headers=sent.headers()
            ) as got:
                if got.status_code >= 400:
                    raise error_of(got.status_code, got.headers, await got.aread())
                size = 0
                with open(part, "wb") as file:
                    async for chunk in got.aiter_bytes():
                        size += file.write(chunk)
            part.replace(to)
            return size
        except httpx.TransportError as e:
            raise ConnectionFailed(f"{sent.method} {sent.url}: {type(e).__name__}: {e}") from e
        finally:
            part.unlink(missing_ok=True)

    async def run(self, run: str) -> AsyncRun:
        """Return a run by its id."""
        return AsyncRun(self, await self.get_run(run))

    async def report(self, model: AsyncModel | str, **options: Any) -> Report:
        """Return a report on a model as a page: b.report("CORE").save("core.html")."""
        if isinstance(model, str):
            model = await self.models.get(model)
        return await model.report(**options)

    async def perform(self, sent: Request) -> Any:
        """Send a request; decode JSON and Arrow, and return other answers raw."""
        got = await self.raw(sent)
        kind = got.headers.get("content-type", "").split(";")[0]
        if kind == "application/json":
            return got.json()
        if kind == ARROW:
            return Table.read(got)
        return got if got.content else None

    async def sql(self, statement: str) -> Table:
        """Run a query over the account's tables."""
        table: Table = await self.query({"sql": statement}, accept=ARROW)
        return table

    async def compare(self, models: Sequence[AsyncModel | str], *include: str, **options: Any) -> Table:
        """Return the histories of several models side by side."""
        names = [m if isinstance(m, str) else m.id for m in models]
        table: Table = await self.get_histories(
            models=names, include=list(include) or ["returns"], accept=ARROW, **options
        )
        return table

    async def pages(self, read: Callable[..., Any], *path: str, **filters: Any) -> AsyncIterator[dict[str, Any]]:
        """Iterate over the rows of all pages of a list: b.pages(b.list_assets, q="bond")."""
        offset, limit = 0, filters.pop("limit", 100)
        while True:
            page = await read(*path, limit=limit, offset=offset, **filters)
            for row in page["data"]:
                yield row
            offset += len(page["data"])
            if not page["data"] or offset >= page["total"]:
                return
