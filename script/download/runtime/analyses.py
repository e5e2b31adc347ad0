"""The functions of the harness that analyze."""
from advantage import attribution
from analyst import Analyst
from crises import stress
from explain import factors, style
from harness import HARNESS
from relate import components
from relate import correlation as pairs
from risk import drawdowns, tails
from tearsheet import report
from times import regimes, rolling


def correlation(*args, **kwargs):
    """Correlate members for an analysis, or vectors."""
    first = args[0] if args else kwargs.get("ctx")
    return (pairs if isinstance(first, Analyst) else HARNESS["correlation"])(*args, **kwargs)


ANALYSES = {function.__name__: function for function in (
    attribution, components, correlation, drawdowns, factors, regimes, report, rolling, stress, style, tails)}
