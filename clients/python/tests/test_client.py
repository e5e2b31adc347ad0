"""Against the real service. BALLAST_BINARY names the program."""

from __future__ import annotations

import asyncio
import datetime
import http.client
import http.server
import random
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest

import ballast

ROOT = Path(__file__).parent.parent
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


def test_sweep(m: ballast.Model) -> None:
    seen: list[object] = []
    runs = m.sweep({"weights": [[0.3, 0.7], [0.5, 0.5]]}, progress=seen.append)
    assert [r["status"] for r in runs] == ["complete", "complete"]


def test_sql_and_pages(b: ballast.LocalBallast, m: ballast.Model) -> None:
    assert m.data["symbol"] in b.sql("select symbol from models").to_polars()["symbol"].to_list()
    assert m.id in [x.id for x in b.models.list(limit=1)]


def test_html_is_escaped(m: ballast.Model) -> None:
    hostile = ballast.Model(m._client, {**m.data, "name": "<script>"})
    assert "<script>" not in hostile._repr_html_()


def test_errors(b: ballast.LocalBallast) -> None:
    with pytest.raises(ballast.NotFound) as caught:
        b.get_model("NOPE")
    assert caught.value.type == "not_found" and caught.value.request_id


def test_async(b: ballast.LocalBallast, m: ballast.Model) -> None:
    async def use() -> int:
        async with ballast.AsyncBallast(b.url, b.key) as a:
            return len(await (await a.models.get(m.id)).history())

    assert asyncio.run(use()) == len(m.history())


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
        with ballast.Ballast(f"http://127.0.0.1:{server.server_port}", b.key, retry=ballast.Retry(attempts=20)) as c:
            ids = {c.models.create(PROMPT, name=f"Fault {n}", symbol=f"FAULT{n}").id for n in range(20)}
    finally:
        server.shutdown()
        server.server_close()
    assert faults[0] > 3
    assert len(ids) == 20
    assert b.list_models(limit=1)["total"] - before == 20
