"""What both flavours share and what needs no connection: requests and retries."""

from __future__ import annotations

import json
import random
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from .errors import APIError, ConnectionFailed

ARROW = "application/vnd.apache.arrow.stream"


@dataclass(frozen=True)
class Request:
    """A request as data. The path is in parts, which are escaped one by one."""

    method: str
    path: tuple[str, ...]
    query: tuple[tuple[str, str], ...] = ()
    body: bytes | None = None
    accept: str | None = None
    key: str | None = None

    @property
    def url(self) -> str:
        return "".join("/" + quote(part, safe="") for part in self.path)

    def headers(self) -> dict[str, str]:
        out: dict[str, str] = {}
        if self.accept:
            out["Accept"] = self.accept
        if self.body is not None:
            out["Content-Type"] = "application/json"
        if self.key:
            out["Idempotency-Key"] = self.key
        return out


@dataclass(frozen=True)
class Response:
    """A raw answer."""

    status: int
    headers: Mapping[str, str]
    content: bytes

    def json(self) -> Any:
        return json.loads(self.content)


def request(
    method: str,
    path: tuple[str, ...],
    query: Mapping[str, Any] | None = None,
    body: Any = None,
    *,
    accept: str | None = None,
    metered: bool = False,
    key: str | None = None,
) -> Request:
    """Build a request. One that starts work carries an Idempotency-Key, so it can be repeated."""
    pairs: list[tuple[str, str]] = []
    for name, value in (query or {}).items():
        values = value if isinstance(value, (list, tuple, set, frozenset)) else [value]
        pairs += [(name, _text(v)) for v in values if v is not None]
    return Request(
        method,
        path,
        tuple(pairs),
        None if body is None else json.dumps(body).encode(),
        accept,
        (key or uuid.uuid4().hex) if metered else None,
    )


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


@dataclass(frozen=True)
class Retry:
    """When to send a request again. Times are in seconds."""

    attempts: int = 6
    most_wait: float = 60.0

    def pause(self, sent: Request, attempt: int, error: Exception) -> float | None:
        """Return how long to wait before the next attempt, or None to give up.

        A conflict is a state, so it is not tried again, except while the first request
        with the same Idempotency-Key is in progress.
        """
        if attempt >= self.attempts:
            return None
        repeatable = sent.method == "GET" or sent.key is not None
        after = None
        if isinstance(error, APIError):
            after = error.retry_after
            again = (
                error.status == 429
                or error.type == "idempotency_in_progress"
                or (repeatable and error.status in (502, 503, 504))
            )
        else:
            again = repeatable and isinstance(error, ConnectionFailed)
        if not again or (after or 0) > self.most_wait:
            return None
        if after:
            return after + random.uniform(0, 0.1)
        wait = 0.2 * 2.0 ** (attempt - 1)
        return float(min(random.uniform(wait / 2, wait), self.most_wait))
