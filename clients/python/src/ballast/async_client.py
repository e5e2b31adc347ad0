"""The client. client.py is generated from async_client.py by scripts/generate.py."""

from __future__ import annotations

import asyncio
import html
import itertools
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from time import monotonic
from types import TracebackType
from typing import Any

import httpx

from .async_operations import AsyncOperations
from .core import ARROW, Request, Response, Retry
from .errors import BallastError, ConnectionFailed, WaitTimeout, WorkFailed, error_of
from .tables import Table

Progress = Callable[[Mapping[str, Any]], None]


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
        self.models = AsyncModels(self)

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


class AsyncModels:
    """The models of an account."""

    def __init__(self, client: AsyncBallast) -> None:
        self._client = client

    async def create(self, prompt: str | None = None, *, key: str | None = None, **fields: Any) -> AsyncModel:
        """Create a model from words, or from fields such as script. wait() waits for its build."""
        body = fields if prompt is None else {"prompt": prompt, **fields}
        return AsyncModel(self._client, await self._client.create_model(body, key=key))

    async def get(self, model: str) -> AsyncModel:
        """Return a model by its id or symbol."""
        return AsyncModel(self._client, await self._client.get_model(model))

    async def list(self, **filters: Any) -> AsyncIterator[AsyncModel]:
        """Iterate over the models that match the filters of list_models."""
        async for row in self._client.pages(self._client.list_models, **filters):
            yield AsyncModel(self._client, row)


class AsyncModel:
    """A model; data is its last known state."""

    def __init__(self, client: AsyncBallast, data: dict[str, Any]) -> None:
        self._client = client
        self.data = data

    @property
    def id(self) -> str:
        return str(self.data["id"])

    async def wait(self, timeout: float = 600.0, progress: Progress | None = None) -> AsyncModel:
        """Wait for the work on the model to end. progress gets each state of the run."""
        end, pause = monotonic() + timeout, 0.05
        while (run := self.data.get("run")) is not None:
            if progress:
                progress(run)
            if monotonic() > end:
                raise WaitTimeout(f"model {self.id} is still {run.get('status')} after {timeout} s")
            await asyncio.sleep(pause)
            pause = min(2 * pause, 1.0)
            self.data = await self._client.get_model(self.id)
        if self.data["status"] == "failed":
            raise WorkFailed(f"the build of model {self.id} failed: {self.data.get('warning')}", self.data)
        return self

    async def history(self, *include: str, **options: Any) -> Table:
        """Return blocks of the history, such as returns and allocation, as one table."""
        table: Table = await self._client.get_model_history(
            self.id, include=list(include) or ["returns"], accept=ARROW, **options
        )
        return table

    async def run(
        self, inputs: Mapping[str, Any], timeout: float = 600.0, progress: Progress | None = None
    ) -> dict[str, Any]:
        """Run the model with other inputs as a test, and wait for the run's end."""
        run: dict[str, Any] = await self._client.start_run(self.id, {"intent": "test", "inputs": dict(inputs)})
        end, pause = monotonic() + timeout, 0.05
        while run["status"] not in ("complete", "failed"):
            if progress:
                progress(run)
            if monotonic() > end:
                raise WaitTimeout(f"run {run['id']} is still {run['status']} after {timeout} s")
            await asyncio.sleep(pause)
            pause = min(2 * pause, 1.0)
            run = await self._client.get_run(run["id"])
        if run["status"] == "failed":
            raise WorkFailed(f"run {run['id']} failed", run)
        return run

    async def sweep(self, grid: Mapping[str, Sequence[Any]], **options: Any) -> list[dict[str, Any]]:
        """Run every combination of the inputs' values, one after another."""
        return [
            await self.run(dict(zip(grid, values, strict=True)), **options)
            for values in itertools.product(*grid.values())
        ]

    def __repr__(self) -> str:
        return f"<Model {self.data.get('symbol')} {self.data['status']}>"

    def _repr_html_(self) -> str:
        shown = ("name", "symbol", "status", "as_of", "description")
        rows = "".join(f"<tr><th>{n}</th><td>{html.escape(str(self.data.get(n)))}</td></tr>" for n in shown)
        return f"<table>{rows}</table>"
