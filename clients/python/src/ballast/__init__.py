"""A client for Ballast, a service for asset-allocation models."""

from . import refusals, types
from .async_client import AsyncBallast
from .async_objects import (
    AsyncAnalysis,
    AsyncDraft,
    AsyncModel,
    AsyncOptimizer,
    AsyncRevision,
    AsyncRun,
    AsyncShare,
    AsyncSimulation,
)
from .client import Ballast
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
from .objects import Analysis, Draft, Model, Optimizer, Revision, Run, Share, Simulation
from .report import Report
from .tables import Table

__all__ = [
    "APIError",
    "Analysis",
    "AsyncAnalysis",
    "AsyncBallast",
    "AsyncDraft",
    "AsyncModel",
    "AsyncOptimizer",
    "AsyncRevision",
    "AsyncRun",
    "AsyncShare",
    "AsyncSimulation",
    "BadRequest",
    "Ballast",
    "BallastError",
    "Conflict",
    "ConnectionFailed",
    "Draft",
    "Forbidden",
    "LocalBallast",
    "Model",
    "NotFound",
    "Optimizer",
    "PaymentRequired",
    "RateLimited",
    "Report",
    "Request",
    "Response",
    "Retry",
    "Revision",
    "Run",
    "ServiceError",
    "Share",
    "Simulation",
    "Table",
    "Unauthorized",
    "WaitTimeout",
    "WorkFailed",
    "local",
    "refusals",
    "request",
    "types",
]
