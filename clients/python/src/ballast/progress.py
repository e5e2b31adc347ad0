"""Progress of work that goes on in the service."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from time import monotonic
from typing import Any

Progress = Callable[[Mapping[str, Any]], None]

WIDTH = 24


def reporter(progress: Progress | bool | None, title: str) -> Callable[[Mapping[str, Any] | None], None]:
    """Return a function that is told each state, and None at the end.

    Without a wish, a bar is drawn where standard error is a terminal and the work takes over a second.
    """
    if callable(progress):
        tell = progress
        return lambda state: None if state is None else tell(state)
    if progress is False or (progress is None and not sys.stderr.isatty()):
        return lambda state: None
    return Bar(title, after=0.0 if progress else 1.0)


class Bar:
    """A bar on standard error."""

    def __init__(self, title: str, after: float) -> None:
        self._title = title
        self._begin = monotonic() + after
        self._drawn = 0

    def __call__(self, state: Mapping[str, Any] | None) -> None:
        if state is None:
            if self._drawn:
                sys.stderr.write("\r" + " " * self._drawn + "\r")
                sys.stderr.flush()
            return
        if monotonic() < self._begin:
            return
        text = line(self._title, state)
        sys.stderr.write("\r" + text.ljust(self._drawn))
        sys.stderr.flush()
        self._drawn = max(self._drawn, len(text))


def line(title: str, state: Mapping[str, Any]) -> str:
    """Return a state as a line: what is done, and how much of it."""
    at = state.get("progress") or {}
    done, total = at.get("done") or 0, at.get("total") or 0
    filled = WIDTH * done // total if total else 0
    count = f" {done}/{total}" if total else ""
    return f"{title[:32]} [{'#' * filled}{'.' * (WIDTH - filled)}] {at.get('step') or state.get('status')}{count}"
