"""Against the real service. BALLAST_BINARY names the program."""

from __future__ import annotations

import asyncio
import datetime
import http.client
import http.server
import os
import random
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest

import ballast
from ballast.errors import error_of
from ballast.progress import reporter

ROOT = Path(__file__).parent.parent
CREATES = int(os.environ.get("BALLAST_CREATES", "20"))  # in the test of faults
PROMPT = "60% AAA, 40% BBB, quarterly"


@pytest.fixture(scope="session")
def b(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ballast.LocalBallast]:
    bars = tmp_path_factory.mktemp("bars") / "bars.csv"
    chance = random.Random(1)
    lines = ["symbol,date,adj_close"]
    for symbol in ("AAA", "BBB"):
        price, day = 100.0, datetime.date(2015, 1, 1)
        while day < datetime.date(2020, 1, 1):
            if day.weekday() < 5:
                price *= 1 + chance.gauss(0.0004, 0.01)
                lines.append(f"{symbol},{day},{price:.6f}")
            day += datetime.timedelta(1)
    bars.write_text("\n".join(lines) + "\n")
    with ballast.local(bars=bars) as client:
        yield client


@pytest.fixture(scope="session")
def m(b: ballast.LocalBallast) -> ballast.Model:
    return b.models.create(PROMPT).wait()


def test_generated_files_are_current(b: ballast.LocalBallast) -> None:
    command = [sys.executable, "scripts/generate.py", "--check", f"{b.url}/v1/openapi.json"]
    subprocess.run(command, cwd=ROOT, check=True)


def test_every_operation_has_a_method_of_both_flavours(b: ballast.LocalBallast) -> None:
    for path, item in b.get_openapi()["paths"].items():
        for operation in item.values():
            if path.startswith("/v1/") and "operationId" in operation:
                name = operation["operationId"].replace("-", "_")
                assert hasattr(b, name) and hasattr(ballast.AsyncBallast, name), name


def test_history(b: ballast.LocalBallast, m: ballast.Model) -> None:
    table = m.history("returns", "allocation", benchmark="BBB")
    frame = table.to_pandas()
    assert isinstance(frame.index, pd.DatetimeIndex)
    assert {"returns", "allocation.AAA"} <= set(frame.columns)
    assert table.to_polars().height == len(frame) > 1000
    assert b.compare([m], "returns").to_pandas().shape == (len(frame), 1)


def test_sweep_in_the_service(m: ballast.Model) -> None:
    seen: list[object] = []
    study = m.sweep({"weights": [[0.3, 0.7], [0.5, 0.5]]}, progress=seen.append, metric="cagr")
    points = study.table("points").to_pandas()
    assert len(points) == 2 and sorted(points["rank"]) == [1, 2] and seen
    assert study.scalars()["trials"] == 2


def test_runs(b: ballast.LocalBallast, m: ballast.Model) -> None:
    run = m.run({"weights": [0.3, 0.7]})
    assert run.status == "complete" and run.id in [r.id for r in m.runs()]
    assert run.update(label="tilted").data["label"] == "tilted"
    assert len(run.history()) == len(m.history()) and b.run(run.id).status == "complete"
    with pytest.raises(ballast.APIError):
        m.run({"weights": "heavy"})
    run.delete()
    with pytest.raises(ballast.NotFound):
        b.run(run.id)


def test_draft_test_and_apply(b: ballast.LocalBallast) -> None:
    model = b.models.create(PROMPT).wait()
    with model.draft() as d:
        d.script = d.script.replace("[0.6, 0.4]", "[0.7, 0.3]")
    assert d.data["dirty"] and "[0.7, 0.3]" not in model.refresh().script()
    revision = d.test().wait()
    assert revision.apply().wait().id == model.id
    assert "[0.7, 0.3]" in model.script()
    assert revision.id in [r.id for r in model.revisions()]
    with pytest.raises(RuntimeError), model.draft() as d:
        d.script = "lost"
        raise RuntimeError
    assert model.draft().load().script != "lost"
    with model.draft() as d:
        d.script = d.script.replace("[0.7, 0.3]", "[0.8, 0.2]")
    assert not d.reset().data["dirty"]


def test_simulations_and_analyses(b: ballast.LocalBallast, m: ballast.Model) -> None:
    s = b.simulations.create(f"withdraw 4% a year, 10 years, 100% {m.symbol}").wait()
    assert s.scalars() and s.result()["tables"]
    a = b.analyses.create(f"correlation of AAA and {m.symbol}").wait()
    name = next(iter(a.result()["tables"]))
    assert len(a.table(name)) > 0 and a.id in [x.id for x in b.analyses.list()]
    assert b.models.check("60% AAA, 40% BBB")["valid"] and not b.models.check("a nice portfolio of moons")["valid"]
    a.delete()
    with pytest.raises(ballast.NotFound):
        a.refresh()
    assert a.restore().status == "active"


def test_optimizers(b: ballast.LocalBallast) -> None:
    o = b.optimizers.create("minimum variance, at most 60% each, called CALM")
    solved = o.solve(["AAA", "BBB"])
    assert abs(sum(solved["weights"].values()) - 1) < 1e-9 and max(solved["weights"].values()) < 0.6 + 1e-9
    assert o.update(fallback="hold").data["version"] == 2 and o.name in [x.name for x in b.optimizers.list()]
    assert b.optimizers.get("calm").data["id"] == o.data["id"]
    o.delete()


def test_assets_and_exports(b: ballast.LocalBallast, m: ballast.Model, tmp_path: Path) -> None:
    assert b.assets.get("AAA")["symbol"] == "AAA" and [a["symbol"] for a in b.assets.search("BBB")] == ["BBB"]
    assert isinstance(b.assets.history("AAA").to_pandas().index, pd.DatetimeIndex)
    assert len(b.exports.table("returns", model=m.id)) == len(m.history())
    path = tmp_path / "returns.parquet"
    assert b.exports.save("returns", path, model=m.id) == path.stat().st_size > 1000
    assert len(pd.read_parquet(path)) == len(m.history())
    with pytest.raises(ballast.APIError):
        b.exports.save("nothing", tmp_path / "nothing.csv")
    assert [p.name for p in tmp_path.iterdir()] == ["returns.parquet"]


def test_shares(b: ballast.LocalBallast, m: ballast.Model) -> None:
    share = m.share(name="for a friend")
    assert share.url and urllib.request.urlopen(share.url).status == 200
    assert share.update(paused=True).data["paused"] and share.data["id"] in [s.data["id"] for s in b.shares.list()]
    share.end()
    with pytest.raises(ballast.NotFound):
        b.shares.get(share.data["id"])


def test_report(b: ballast.LocalBallast, m: ballast.Model, tmp_path: Path) -> None:
    page = b.report(m, benchmark="BBB").save(tmp_path / "report.html").read_text()
    assert page.startswith("<!doctype html>") and "<polyline" in page and "Sharpe ratio" in page and "AAA" in page
    hostile = ballast.Report({"name": "<script>", "description": "<b>"}, {})
    assert "<script>" not in hostile.html and "<b>" not in hostile.html


def test_progress(capsys: pytest.CaptureFixture[str]) -> None:
    tell = reporter(True, "CORE")
    tell({"status": "running", "progress": {"step": "run", "done": 5, "total": 10}})
    tell(None)
    assert "CORE [############............] run 5/10" in capsys.readouterr().err
    reporter(False, "CORE")({"status": "queued"})
    reporter(None, "CORE")({"status": "queued"})
    assert capsys.readouterr().err == ""


def test_sql_and_pages(b: ballast.LocalBallast, m: ballast.Model) -> None:
    assert m.data["symbol"] in b.sql("select symbol from models").to_polars()["symbol"].to_list()
    assert m.id in [x.id for x in b.models.list(limit=1)]


def test_html_is_escaped(m: ballast.Model) -> None:
    hostile = ballast.Model(m._client, {**m.data, "name": "<script>"})
    assert "<script>" not in hostile._repr_html_()


def test_log(b: ballast.LocalBallast) -> None:
    assert '"level":"INFO"' in b.log


def test_errors(b: ballast.LocalBallast) -> None:
    with pytest.raises(ballast.NotFound) as caught:
        b.get_model("NOPE")
    assert caught.value.type == "not_found" and caught.value.request_id


def test_async(b: ballast.LocalBallast, m: ballast.Model, tmp_path: Path) -> None:
    async def use() -> int:
        async with ballast.AsyncBallast(b.url, b.key) as a:
            model = await a.models.get(m.id)
            async with model.draft() as d:
                assert d.script
            assert (await model.run({"weights": [0.5, 0.5]})).status == "complete"
            assert model.id in [x.id async for x in a.models.list()]
            assert (await a.report(model)).html and await a.exports.save("returns", tmp_path / "r.arrow", model=m.id)
            assert (await (await model.sweep({"weights": [[0.3, 0.7]]})).scalars())["trials"] == 1
            return len(await model.history())

    assert asyncio.run(use()) == len(m.history())


def test_every_error_type_has_a_class(b: ballast.LocalBallast) -> None:
    assert issubclass(ballast.refusals.PlanRequired, ballast.Forbidden)
    with pytest.raises(ballast.refusals.NotReady) as caught:
        raise error_of(409, {}, b'{"error": {"type": "not_ready", "message": "wait"}}')
    assert isinstance(caught.value, ballast.Conflict) and caught.value.type == "not_ready"
    assert type(error_of(500, {}, b"<html>")) is ballast.ServiceError


def test_conflict_is_not_retried() -> None:
    retry, sent = ballast.Retry(), ballast.request("POST", ("v1", "models"), body={}, metered=True)
    assert retry.pause(sent, 1, ballast.Conflict(409, "busy", "", None, None, [])) is None
    assert retry.pause(sent, 1, ballast.Conflict(409, "idempotency_in_progress", "", None, None, [])) is not None
    after = retry.pause(sent, 1, ballast.RateLimited(429, "rate_limited", "", None, 3.0, []))
    assert after is not None and 3 <= after < 3.2
    bare = ballast.request("POST", ("v1", "webhooks"), body={})
    assert retry.pause(bare, 1, ballast.ConnectionFailed("cut")) is None


def test_faults_neither_lose_nor_double_a_model(b: ballast.LocalBallast) -> None:
    chance, faults = random.Random(7), [0]
    target = b.url.removeprefix("http://")

    class Proxy(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            fault = chance.random()
            faults[0] += fault < 0.4
            if fault < 0.1:
                return self.send_error(503)
            if fault < 0.2:
                return self.connection_lost()
            if fault < 0.22:
                time.sleep(1.5)  # longer than the client waits
            there = http.client.HTTPConnection(target)
            headers = {k: v for k, v in self.headers.items() if k.lower() not in ("host", "accept-encoding")}
            there.request("POST", self.path, body, headers)
            answer = there.getresponse()
            content = answer.read()
            if fault < 0.4:  # the work is done, the answer is lost or cut
                if fault < 0.3:
                    self.send_response(answer.status)
                    self.send_header("Content-Length", str(len(content)))
                    self.end_headers()
                    self.wfile.write(content[: len(content) // 2])
                return self.connection_lost()
            self.send_response(answer.status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def connection_lost(self) -> None:
            self.close_connection = True

        def log_message(self, *_: object) -> None:
            pass

    before = b.list_models(limit=1)["total"]
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        with ballast.Ballast(
            f"http://127.0.0.1:{server.server_port}", b.key, retry=ballast.Retry(attempts=20), timeout=1.0
        ) as c:
            ids = {c.models.create(PROMPT, name=f"Fault {n}", symbol=f"FAULT{n}").id for n in range(CREATES)}
    finally:
        server.shutdown()
        server.server_close()
    assert faults[0] > CREATES / 10
    assert len(ids) == CREATES
    assert b.list_models(limit=1)["total"] - before == CREATES
