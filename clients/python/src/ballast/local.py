"""A private service, for a notebook or a test."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from types import TracebackType

from .client import Ballast
from .errors import BallastError


class LocalBallast(Ballast):
    """A client that owns a service on a private folder, and stops it when it is closed."""

    def __init__(self, bars: str | os.PathLike[str] | None = None, *, binary: str | None = None) -> None:
        program = binary or os.environ.get("BALLAST_BINARY") or shutil.which("ballast")
        if not program:
            raise BallastError("no ballast program: put it on the PATH, or give binary=, or set BALLAST_BINARY")
        self._program = program
        self._folder = Path(tempfile.mkdtemp(prefix="ballast-"))
        self._service: subprocess.Popen[str] | None = None
        try:
            with open(self._folder / "log", "w") as log:
                self._service = subprocess.Popen(
                    [program, "serve", "--data-dir", str(self._folder / "data"), "--listen", "127.0.0.1:0"],
                    stdout=subprocess.PIPE,
                    stderr=log,
                    text=True,
                )
            assert self._service.stdout is not None
            line = self._service.stdout.readline()
            if not line:
                raise BallastError("the service did not start: " + self.log[-2000:])
            self.url: str = json.loads(line)["url"]
            if bars == "sample":
                sample = self._folder / "sample"
                done = subprocess.run([program, "demo", "--files", str(sample)], capture_output=True, text=True)
                if done.returncode != 0:
                    raise BallastError("ballast demo --files: " + done.stderr.strip())
                self._command("import", "catalog", str(sample / "catalog.csv"))
                bars = sample / "bars.csv"
            if bars is not None:
                self._command("import", "bars", os.fspath(bars))
            self._command("account", "create", "local", "--plan", "business")
            self.key = self._command("keys", "create", "--account", "local")
            super().__init__(self.url, self.key)
        except BaseException:
            self._stop()
            raise

    @property
    def log(self) -> str:
        """What the service has logged so far."""
        return (self._folder / "log").read_text()

    def _command(self, *arguments: str) -> str:
        done = subprocess.run(
            [self._program, *arguments, "--data-dir", str(self._folder / "data")],
            capture_output=True,
            text=True,
        )
        if done.returncode != 0:
            raise BallastError(f"ballast {' '.join(arguments[:2])}: {done.stderr.strip()}")
        return done.stdout.strip()

    def _stop(self) -> None:
        if self._service is not None:
            self._service.terminate()
            try:
                self._service.wait(60)
            except subprocess.TimeoutExpired:
                self._service.kill()
                self._service.wait()
            if self._service.stdout is not None:
                self._service.stdout.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def close(self) -> None:
        """Close the connections, stop the service and remove its folder."""
        super().close()
        self._stop()

    def __enter__(self) -> LocalBallast:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def local(bars: str | os.PathLike[str] | None = None, *, binary: str | None = None) -> LocalBallast:
    """Start a service on a private folder, import bars, and return its client. Close it after use.

    bars is a file as `ballast import bars` takes it, or "sample" for a synthetic market.
    """
    return LocalBallast(bars, binary=binary)
