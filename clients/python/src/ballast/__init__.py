"""A client for Ballast, a service for asset-allocation models."""

from .async_client import AsyncBallast, AsyncModel
from .client import Ballast, Model
from .core import Request, Response, Retry, request
from .errors import (
    APIError,
    BadRequest,
    BallastError,
    Conflict,
    ConnectionFailed,
    Forbidden,
    NotFound,
    PaymentRequired,
    RateLimited,
    ServiceError,
    Unauthorized,
    WaitTimeout,
    WorkFailed,
)
from .local import LocalBallast, local
from .tables import Table

__all__ = [
    "APIError",
    "AsyncBallast",
    "AsyncModel",
    "BadRequest",
    "Ballast",
    "BallastError",
    "Conflict",
    "ConnectionFailed",
    "Forbidden",
    "LocalBallast",
    "Model",
    "NotFound",
    "PaymentRequired",
    "RateLimited",
    "Request",
    "Response",
    "Retry",
    "ServiceError",
    "Table",
    "Unauthorized",
    "WaitTimeout",
    "WorkFailed",
    "local",
    "request",
]
