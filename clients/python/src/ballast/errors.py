"""Errors: one class per kind of refusal, chosen by the error's type."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


class BallastError(Exception):
    """Any failure of this client."""


class ConnectionFailed(BallastError):
    """The service gave no whole response, even after the retries."""


class WaitTimeout(BallastError):
    """The work did not end in the time that the caller gave it. It goes on in the service."""


class WorkFailed(BallastError):
    """A build or a run has failed; answer is its last state."""

    def __init__(self, message: str, answer: Mapping[str, Any]) -> None:
        super().__init__(message)
        self.answer = answer


class APIError(BallastError):
    """A refused request."""

    def __init__(
        self,
        status: int,
        type: str,
        message: str,
        request_id: str | None,
        retry_after: float | None,
        details: list[dict[str, Any]],
    ) -> None:
        text = f"{status} {type}: {message}"
        for d in details:
            text += f"; {d.get('location', '')} {d.get('message', '')}"
        if request_id:
            text += f" (request {request_id})"
        super().__init__(text)
        self.status = status
        self.type = type
        self.message = message
        self.request_id = request_id
        self.retry_after = retry_after
        self.details = details


class BadRequest(APIError):
    """What was sent is wrong: details tells where."""


class Unauthorized(APIError):
    """The key is missing, wrong or revoked."""


class PaymentRequired(APIError):
    """The balance does not cover the work."""


class Forbidden(APIError):
    """The key or the plan does not allow this."""


class NotFound(APIError):
    """There is no such thing in this account."""


class Conflict(APIError):
    """The thing is in a state that does not allow this."""


class RateLimited(APIError):
    """Too many requests; retry_after tells how long to wait."""


class ServiceError(APIError):
    """The service or a proxy before it failed."""


_BY_STATUS: dict[int, type[APIError]] = {
    400: BadRequest,
    401: Unauthorized,
    402: PaymentRequired,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    422: BadRequest,
    429: RateLimited,
}


def error_of(status: int, headers: Mapping[str, str], body: bytes) -> APIError:
    """Return the error of a response, which need not be the service's own."""
    kind, message = "unknown", f"HTTP status {status}"
    details: list[dict[str, Any]] = []
    request_id = headers.get("x-request-id")
    try:
        read = json.loads(body)["error"]
        kind, message = str(read["type"]), str(read["message"])
        request_id = read.get("request_id") or request_id
        details = read.get("details") or []
    except (ValueError, KeyError, TypeError, AttributeError):
        pass  # a proxy's page; the status says enough
    try:
        retry_after: float | None = max(0.0, float(headers["retry-after"]))
    except (KeyError, ValueError):
        retry_after = None
    from .refusals import BY_TYPE  # which derives its classes from those of this module

    default = _BY_STATUS.get(status, ServiceError if status >= 500 else APIError)
    chosen = BY_TYPE.get(kind, default)
    if not issubclass(chosen, default):  # a type that another status has as well
        chosen = default
    return chosen(status, kind, message, request_id, retry_after, details)
