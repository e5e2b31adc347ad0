"""Models, simulations and the rest as objects. objects.py is generated from async_objects.py."""

from __future__ import annotations

import asyncio
import html
import os
from collections.abc import AsyncIterator, Mapping, Sequence
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from . import types
from .core import ARROW, Request, request
from .errors import WaitTimeout, WorkFailed
from .progress import Progress, reporter
from .report import Report
from .tables import Table

if TYPE_CHECKING:
    from .async_client import AsyncBallast

P = TypeVar("P", bound="AsyncProgram")


class AsyncProgram:
    """What is built from a script: a model, a simulation or an analysis. data is its last known state."""

    kind: ClassVar[str]
    path: ClassVar[str]

    def __init__(self, client: AsyncBallast, data: Any) -> None:
        self._client = client
        self.data: dict[str, Any] = data

    @property
    def id(self) -> str:
        """The id, which never changes."""
        return str(self.data["id"])

    @property
    def name(self) -> str:
        """The name."""
        return str(self.data["name"])

    @property
    def symbol(self) -> str | None:
        """The symbol by which scripts and descriptions name it."""
        return self.data.get("symbol")

    @property
    def status(self) -> str:
        """building, active, failed or trashed."""
        return str(self.data["status"])

    async def _call(
        self, method: str, *path: str, body: Any = None, metered: bool = False, key: str | None = None
    ) -> Any:
        sent = request(method, ("v1", self.path, self.id, *path), None, body, metered=metered, key=key)
        return await self._client.perform(sent)

    async def refresh(self: P) -> P:
        """Read the state again."""
        self.data = await self._call("GET")
        return self

    async def wait(self: P, timeout: float = 600.0, progress: Progress | bool | None = None) -> P:
        """Wait until no work is left. progress is called with each state, or True for a bar."""
        end, pause, report = monotonic() + timeout, 0.05, reporter(progress, self.name)
        try:
            while (run := self.data.get("run")) is not None:
                report(run)
                if monotonic() > end:
                    raise WaitTimeout(f"{self.kind} {self.id} is still {run.get('status')} after {timeout} s")
                await asyncio.sleep(pause)
                pause = min(2 * pause, 1.0)
                await self.refresh()
        finally:
            report(None)
        if self.status == "failed":
            failure = self.data.get("error") or {}
            why = failure.get("message") or self.data.get("warning")
            raise WorkFailed(f"the build of {self.kind} {self.id} failed: {why}", self.data)
        return self

    async def update(self: P, **fields: Any) -> P:
        """Change fields such as name, symbol, labels or is_favorite."""
        self.data = await self._call("PATCH", body=fields)
        return self

    async def delete(self) -> None:
        """Put it into the Trash."""
        await self._call("DELETE")

    async def restore(self: P) -> P:
        """Take it out of the Trash."""
        self.data = dict(await getattr(self._client, f"restore_{self.kind}")(self.id))
        return self

    async def script(self) -> str:
        """Return the script that is served, as Python that runs without the service."""
        got = await self._client.raw(request("GET", ("v1", self.path, self.id, "script")))
        return got.content.decode()

    async def runs(self, **filters: Any) -> AsyncIterator[AsyncRun]:
        """Iterate over the runs, newest first."""
        rows = self._client.pages(
            getattr(self._client, f"list_{self.kind}_runs" if self.kind != "model" else "list_runs"), self.id, **filters
        )
        async for row in rows:
            yield AsyncRun(self._client, row)

    async def start(
        self,
        inputs: Mapping[str, Any] | None = None,
        *,
        label: str | None = None,
        intent: str = "test",
        key: str | None = None,
    ) -> AsyncRun:
        """Start a run, by default a test that changes nothing that is served."""
        body = {"intent": intent, **({"inputs": dict(inputs)} if inputs else {}), **({"label": label} if label else {})}
        return AsyncRun(self._client, await self._call("POST", "runs", body=body, metered=True, key=key))

    async def run(
        self, inputs: Mapping[str, Any] | None = None, timeout: float = 600.0, progress: Progress | bool | None = None
    ) -> AsyncRun:
        """Run it with other inputs as a test, and wait for the end."""
        return await (await self.start(inputs)).wait(timeout, progress)

    def __repr__(self) -> str:
        return f"<{self.kind.capitalize()} {self.symbol or self.name} {self.status}>"

    def _repr_html_(self) -> str:
        shown = ("name", "symbol", "status", "as_of", "description")
        rows = "".join(f"<tr><th>{n}</th><td>{html.escape(str(self.data.get(n)))}</td></tr>" for n in shown)
        return f"<table>{rows}</table>"


class AsyncModel(AsyncProgram):
    """A model.

    >>> m = b.models.create("60% SPY, 40% AGG, quarterly").wait()
    >>> m.history("returns", benchmark="SPY").to_pandas()
    """

    kind = "model"
    path = "models"

    async def history(self, *include: str, **options: Any) -> Table:
        """Return blocks of the history, such as returns and allocation, as one table."""
        table: Table = await self._client.get_model_history(
            self.id, include=list(include) or ["returns"], accept=ARROW, **options
        )
        return table

    async def report(self, **options: Any) -> Report:
        """Return a report in HTML: growth, figures, years, drawdowns and what is held."""
        history = await self._client.get_model_history(self.id, include=["returns", "metrics", "allocation"], **options)
        return Report(self.data, history)

    def draft(self) -> AsyncDraft:
        """Edit the script: with m.draft() as d: d.script = …"""
        return AsyncDraft(self)

    async def revisions(self, **filters: Any) -> AsyncIterator[AsyncRevision]:
        """Iterate over the revisions, newest first."""
        async for row in self._client.pages(self._client.list_revisions, self.id, **filters):
            yield AsyncRevision(self, row)

    async def share(self, **fields: Any) -> AsyncShare:
        """Make a link that shows the model to others: its url is shown only now."""
        return AsyncShare(self._client, await self._client.create_share({"model": self.id, **fields}))

    async def sweep(
        self,
        grid: Mapping[str, Any],
        *,
        timeout: float = 1800.0,
        progress: Progress | bool | None = None,
        **arguments: Any,
    ) -> AsyncAnalysis:
        """Run every combination of inputs' values in the service, and compare them: table("points") has a row each.

        A value is a list, or {"from": 3, "to": 12, "step": 1}. arguments are those of the function sweep.
        """
        return await self._study("sweep", grid, timeout, progress, arguments)

    async def walk_forward(
        self,
        grid: Mapping[str, Any],
        *,
        timeout: float = 1800.0,
        progress: Progress | bool | None = None,
        **arguments: Any,
    ) -> AsyncAnalysis:
        """Choose inputs on past years and test them on the next, again and again: table("folds") has a row each."""
        return await self._study("walk_forward", grid, timeout, progress, arguments)

    async def _study(
        self,
        kind: str,
        grid: Mapping[str, Any],
        timeout: float,
        progress: Progress | bool | None,
        arguments: Mapping[str, Any],
    ) -> AsyncAnalysis:
        told = {
            "model": self.id,
            "grid": {k: v if isinstance(v, Mapping) else list(v) for k, v in grid.items()},
            **arguments,
        }
        study = await self._client.analyses.create(kind=kind, arguments=told)
        return await study.wait(timeout, progress)


class AsyncResult(AsyncProgram):
    """What has a result of scalars and tables: a simulation or an analysis."""

    async def result(self, **options: Any) -> types.DocumentedResult:
        """Return the result: its scalars, tables, figures and provenance."""
        got: types.DocumentedResult = await getattr(self._client, f"get_{self.kind}_result")(self.id, **options)
        return got

    async def scalars(self) -> dict[str, Any]:
        """Return the result's single figures by name."""
        got = await self.result()
        return {name: x.get("value") for name, x in (got.get("scalars") or {}).items()}

    async def table(self, name: str, **options: Any) -> Table:
        """Return one table of the result."""
        table: Table = await getattr(self._client, f"get_{self.kind}_result")(
            self.id, tables=name, accept=ARROW, **options
        )
        return table


class AsyncSimulation(AsyncResult):
    """A simulation of money over many possible futures."""

    kind = "simulation"
    path = "simulations"


class AsyncAnalysis(AsyncResult):
    """An analysis of models, assets and series."""

    kind = "analysis"
    path = "analyses"


class AsyncPrograms(Generic[P]):
    """The programs of one kind: b.models, b.simulations, b.analyses."""

    def __init__(self, client: AsyncBallast, of: type[P]) -> None:
        self._client = client
        self._of = of

    async def create(self, prompt: str | None = None, *, key: str | None = None, **fields: Any) -> P:
        """Create one from words, or from fields such as script. wait() waits for its build."""
        body = fields if prompt is None else {"prompt": prompt, **fields}
        sent = request("POST", ("v1", self._of.path), None, body, metered=True, key=key)
        return self._of(self._client, await self._client.perform(sent))

    async def check(self, prompt: str) -> types.Verdict:
        """Say what a description means, without storing anything."""
        got: types.Verdict = await self._client.validate_script({"prompt": prompt})
        return got

    async def get(self, name: str) -> P:
        """Return one by its id or symbol."""
        return self._of(self._client, await self._client.perform(request("GET", ("v1", self._of.path, name))))

    async def list(self, **filters: Any) -> AsyncIterator[P]:
        """Iterate over those that match the filters of the list."""
        async for row in self._client.pages(getattr(self._client, f"list_{self._of.path}"), **filters):
            yield self._of(self._client, row)


class AsyncRun:
    """A run of a model, a simulation or an analysis; data is its last known state."""

    def __init__(self, client: AsyncBallast, data: Any) -> None:
        self._client = client
        self.data: dict[str, Any] = data

    @property
    def id(self) -> str:
        """The id."""
        return str(self.data["id"])

    @property
    def status(self) -> str:
        """queued, running, complete, failed or canceled."""
        return str(self.data["status"])

    async def refresh(self) -> AsyncRun:
        """Read the state again."""
        self.data = dict(await self._client.get_run(self.id))
        return self

    async def wait(self, timeout: float = 600.0, progress: Progress | bool | None = None) -> AsyncRun:
        """Wait for the end. progress is called with each state, or True for a bar."""
        end, pause, report = monotonic() + timeout, 0.05, reporter(progress, self.id)
        try:
            while self.status in ("queued", "running"):
                report(self.data)
                if monotonic() > end:
                    raise WaitTimeout(f"run {self.id} is still {self.status} after {timeout} s")
                await asyncio.sleep(pause)
                pause = min(2 * pause, 1.0)
                await self.refresh()
        finally:
            report(None)
        if self.status != "complete":
            why = (self.data.get("error") or {}).get("message", "")
            raise WorkFailed(f"run {self.id} is {self.status}: {why}", self.data)
        return self

    async def history(self, *include: str, **options: Any) -> Table:
        """Return blocks of the history of a model's run."""
        table: Table = await self._client.get_model_history(
            self.data["program"]["id"], include=list(include) or ["returns"], run_id=self.id, accept=ARROW, **options
        )
        return table

    async def promote(self) -> AsyncRun:
        """Serve this run of a model from now on."""
        self.data = dict(await self._client.promote_run(self.id))
        return self

    async def update(self, **fields: Any) -> AsyncRun:
        """Change the label, or whether the run is shared."""
        self.data = dict(await self._client.patch_run(self.id, fields))
        return self

    async def delete(self) -> None:
        """Delete the run."""
        await self._client.delete_run(self.id)

    def __repr__(self) -> str:
        return f"<Run {self.data.get('label') or self.id} {self.status}>"


class AsyncDraft:
    """Changes of a model's script that nobody sees yet.

    >>> with m.draft() as d:
    ...     d.script = d.script.replace("0.6", "0.7")
    >>> d.test().wait().apply()

    Leaving the block saves what has changed, unless an exception leaves it.
    """

    def __init__(self, model: AsyncModel) -> None:
        self._model = model
        self._client = model._client
        self.data: dict[str, Any] = {}
        self.script: str = ""
        self.prompt: str | None = None

    async def load(self) -> AsyncDraft:
        """Read the draft; without one, it is what the model serves."""
        self._keep(await self._client.get_draft(self._model.id))
        return self

    def _keep(self, data: Any) -> None:
        self.data = data
        self.script, self.prompt = data.get("script") or "", data.get("prompt")

    async def save(self) -> AsyncDraft:
        """Save the draft. A new prompt writes the script anew."""
        body: dict[str, Any] = {"expected_version": self.data["version"], "base_hash": self.data["base_hash"]}
        if self.script != (self.data.get("script") or ""):
            body["script"] = self.script
        if self.prompt != self.data.get("prompt"):
            body["prompt"] = self.prompt
        if len(body) > 2:
            self._keep(await self._client.save_draft(self._model.id, body))
        return self

    async def reset(self) -> AsyncDraft:
        """Go back to what the model serves."""
        self._keep(
            await self._client.save_draft(
                self._model.id,
                {"expected_version": self.data["version"], "base_hash": self.data["base_hash"], "reset": True},
            )
        )
        return self

    async def test(self) -> AsyncRevision:
        """Run the saved draft as a revision, which can be applied if its test succeeds."""
        from uuid import uuid4

        got = await self._client.test_draft(self._model.id, {"request_key": uuid4().hex})
        return AsyncRevision(self._model, got)

    async def __aenter__(self) -> AsyncDraft:
        return await self.load()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            await self.save()

    def __repr__(self) -> str:
        return f"<Draft of {self._model.symbol} version {self.data.get('version')}>"


class AsyncRevision:
    """A tested state of a model's script."""

    def __init__(self, model: AsyncModel, data: Any) -> None:
        self._model = model
        self._client = model._client
        self.data: dict[str, Any] = data

    @property
    def id(self) -> str:
        """The id."""
        return str(self.data["id"])

    async def wait(self, timeout: float = 600.0, progress: Progress | bool | None = None) -> AsyncRevision:
        """Wait for the end of its test."""
        end, pause, report = monotonic() + timeout, 0.05, reporter(progress, f"revision {self.data.get('number')}")
        try:
            while self.data["status"] in ("queued", "running"):
                report(self.data)
                if monotonic() > end:
                    raise WaitTimeout(f"revision {self.id} is still {self.data['status']} after {timeout} s")
                await asyncio.sleep(pause)
                pause = min(2 * pause, 1.0)
                self.data = dict(await self._client.get_revision(self._model.id, self.id))
        finally:
            report(None)
        if self.data["status"] == "failed":
            why = (self.data.get("error") or {}).get("message", "")
            raise WorkFailed(f"the test of revision {self.data.get('number')} failed: {why}", self.data)
        return self

    async def apply(self) -> AsyncModel:
        """Serve this revision, and return the model."""
        self.data = dict(await self._client.apply_revision(self._model.id, self.id))
        return await self._model.refresh()

    async def label(self, text: str | None) -> AsyncRevision:
        """Set or clear the label."""
        self.data = dict(await self._client.patch_revision(self._model.id, self.id, {"label": text}))
        return self

    def __repr__(self) -> str:
        return f"<Revision {self.data.get('number')} {self.data['status']}>"


class AsyncOptimizer:
    """A rule for weights that scripts name."""

    def __init__(self, client: AsyncBallast, data: Any) -> None:
        self._client = client
        self.data: dict[str, Any] = data

    @property
    def name(self) -> str:
        """The name: optimize("NAME", panel)."""
        return str(self.data["name"])

    async def solve(self, universe: Sequence[str], **fields: Any) -> types.Solved:
        """Compute the weights for members, with their certificate. Nothing is stored."""
        return await self._client.solve_optimizer(self.data["id"], {"universe": list(universe), **fields})

    async def update(self, **fields: Any) -> AsyncOptimizer:
        """Make a new version with other fields."""
        self.data = dict(await self._client.patch_optimizer(self.data["id"], fields))
        return self

    async def delete(self) -> None:
        """Delete it, unless a model names it."""
        await self._client.delete_optimizer(self.data["id"])

    def __repr__(self) -> str:
        return f"<Optimizer {self.name} version {self.data.get('version')}>"


class AsyncOptimizers:
    """The optimizers of an account."""

    def __init__(self, client: AsyncBallast) -> None:
        self._client = client

    async def create(self, prompt: str | None = None, **fields: Any) -> AsyncOptimizer:
        """Create one from words, such as "minimum variance, at most 40% each, called LOWVOL", or from fields."""
        body = fields if prompt is None else {"prompt": prompt, **fields}
        return AsyncOptimizer(self._client, await self._client.create_optimizer(body))

    async def get(self, name: str) -> AsyncOptimizer:
        """Return one by its name or id."""
        return AsyncOptimizer(self._client, await self._client.get_optimizer(name))

    async def list(self, **filters: Any) -> AsyncIterator[AsyncOptimizer]:
        """Iterate over all of them."""
        async for row in self._client.pages(self._client.list_optimizers, **filters):
            yield AsyncOptimizer(self._client, row)


class AsyncAssets:
    """The catalog."""

    def __init__(self, client: AsyncBallast) -> None:
        self._client = client

    async def get(self, symbol: str) -> types.AssetRecord:
        """Return an asset by its symbol or id."""
        got: types.AssetRecord = await self._client.get_asset(symbol)
        return got

    async def search(self, q: str | None = None, **filters: Any) -> AsyncIterator[dict[str, Any]]:
        """Iterate over the assets that match words and the filters of the screener."""
        async for row in self._client.pages(self._client.list_assets, q=q, **filters):
            yield row

    async def history(self, symbol: str, **options: Any) -> Table:
        """Return the daily history of an asset."""
        got = await self._client.get_asset_history(symbol, accept=ARROW, **options)
        table: Table = got
        return table


class AsyncExports:
    """Whole tables of the account: b.exports.table("returns"), b.exports.save("bars", "bars.parquet")."""

    def __init__(self, client: AsyncBallast) -> None:
        self._client = client

    async def table(self, name: str, **filters: Any) -> Table:
        """Return a table, such as bars, returns, allocations, trades, metrics, runs or assets."""
        table: Table = await self._client.perform(self._request(name, ARROW, filters))
        return table

    async def save(self, name: str, path: str | os.PathLike[str], **filters: Any) -> int:
        """Write a table to a file as it comes, and return its size in bytes.

        The form follows the name of the file: .parquet, .csv, or .arrow for anything else.
        """
        ending = os.fspath(path).rsplit(".", 1)[-1]
        accept = {"parquet": "application/vnd.apache.parquet", "csv": "text/csv"}.get(ending, ARROW)
        return await self._client.download(self._request(name, accept, filters), path)

    @staticmethod
    def _request(name: str, accept: str, filters: Mapping[str, Any]) -> Request:
        return request("GET", ("v1", "exports", name), filters, accept=accept)


class AsyncShare:
    """A link that shows a model or a run to others."""

    def __init__(self, client: AsyncBallast, data: Any) -> None:
        self._client = client
        self.data: dict[str, Any] = data

    @property
    def url(self) -> str | None:
        """The link; the service shows it only to whom made it."""
        return self.data.get("url")

    async def update(self, **fields: Any) -> AsyncShare:
        """Change what is shown, pause it, or set when it ends."""
        self.data = {**self.data, **dict(await self._client.patch_share(self.data["id"], fields))}
        return self

    async def end(self) -> None:
        """End the share: the link stops working."""
        await self._client.delete_share(self.data["id"])

    def __repr__(self) -> str:
        return f"<Share of {self.data.get('program_name')} {self.data.get('state')}>"


class AsyncShares:
    """The shares of an account."""

    def __init__(self, client: AsyncBallast) -> None:
        self._client = client

    async def get(self, share: str) -> AsyncShare:
        """Return one by its id."""
        return AsyncShare(self._client, await self._client.get_share(share))

    async def list(self, **filters: Any) -> AsyncIterator[AsyncShare]:
        """Iterate over all of them."""
        async for row in self._client.pages(self._client.list_shares, **filters):
            yield AsyncShare(self._client, row)
