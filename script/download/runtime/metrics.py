"""Metrics: every statistic of one series of daily returns."""
import math

from comparison import _compare
from drawdowns import _deepest, _drawdown, _ulcer
from measures import (_DAYS_PER_YEAR, _FLAT_MONTH, _best_worst, _cagr, _equity, _mean_of, _Moments, _omega,
                      _per_bar, _probabilistic_sharpe, _ratio, _said, _share, _sharpe, _sortino, _tails, _turnover)
from periods import _months, _rolling_ranges, _Series, _years


def compute(base, dates, returns, bars_per_year, risk_free=0.0, gross=None, traded=None, benchmark=None):
    """Return the block of metrics of a series; undefined metrics are None.

    base is the session before the first return, or None. dates are strings such as
    2024-01-31, and returns are daily fractions. risk_free is an annual fraction.
    gross and traded are the gross exposure at the close of each date and the notional
    traded on it. benchmark is (symbol, base, dates, returns). The number of trials is
    not known here, so there is no deflated Sharpe ratio.
    """
    bpy = bars_per_year if bars_per_year > 0 else 252
    series = _Series(base, dates, returns)
    n = len(returns)
    equity = _equity(returns)
    bar = _per_bar(risk_free, bpy)
    moments = _Moments(returns)
    ratio, at_risk, beyond = _tails(returns)
    days = series.days()
    years = days / _DAYS_PER_YEAR if days > 0 else math.nan
    drawdowns = _deepest(series, equity, 5) if math.isfinite(equity[-1]) else []
    worst = drawdowns[0] if drawdowns else _drawdown(0.0)
    if n == 0 or not math.isfinite(equity[-1]):
        worst = _drawdown(math.nan)
    cagr, ulcer = _cagr(equity[-1], days), _ulcer(equity)
    calmar = upi = math.nan
    if n >= 2:
        calmar, upi = _ratio(cagr, abs(worst["value"])), _ratio(cagr - risk_free, ulcer)
    months = _months(series.days_of_dates, returns)
    monthly = _years(series, months, bpy)
    best_month, worst_month = _best_worst([m[2] - 1 for m in months])
    best_year, worst_year = _best_worst([row["year_return"] for row in monthly])
    best_day, worst_day = _best_worst(returns)
    block = {
        "window": {"start": dates[0] if n else None, "end": dates[-1] if n else None, "sessions": n, "years": years},
        "conventions": dict({"bars_per_year": bpy, "risk_free": risk_free, "risk_free_series": None, "trials": 0,
                             "trial_sharpe_variance": math.nan}, **_CONVENTIONS),
        "total_return": equity[-1] - 1 if n else math.nan,
        "cagr": cagr,
        "annual_volatility": moments.deviation * math.sqrt(bpy),
        "sharpe": _sharpe(moments, bar, bpy),
        "sortino": _sortino(returns, bar, bpy),
        "probabilistic_sharpe": _probabilistic_sharpe(moments, bar, n),
        "deflated_sharpe": math.nan,
        "calmar": calmar,
        "omega": _omega(returns),
        "tail_ratio": ratio,
        "max_drawdown": worst,
        "drawdowns": drawdowns,
        "ulcer_index": ulcer,
        "ulcer_performance_index": upi,
        "value_at_risk_5": at_risk,
        "conditional_value_at_risk_5": beyond,
        "skewness": moments.skewness,
        "excess_kurtosis": moments.excess_kurtosis,
        "win_rate": _share(returns),
        "best_day": best_day,
        "worst_day": worst_day,
        "best_month": best_month,
        "worst_month": worst_month,
        "best_year": best_year,
        "worst_year": worst_year,
        "positive_months": _share([m[2] - 1 for m in months], _FLAT_MONTH),
        "monthly": monthly,
        "rolling": _rolling_ranges(equity, bpy),
        "turnover": _turnover(traded, years),
        "gross_exposure": {"mean": _mean_of(gross or []), "max": _best_worst(gross or [])[0]},
        "time_in_market": _share(gross or []),
        "benchmark": _compare(series, benchmark, bar, bpy) if benchmark is not None else None,
    }
    return _said(block)


_CONVENTIONS = {
    "annualization": "means times bars_per_year, standard deviations times its square root",
    "cagr": "growth ^ (365.25 / calendar days from the base to the end) - 1",
    "risk_free_per_bar": "(1 + risk_free) ^ (1 / bars_per_year) - 1",
    "volatility": "sample standard deviation (n - 1)",
    "sharpe": "mean excess return / standard deviation, annualised",
    "sortino": "mean excess return / root mean square of min(excess, 0) over all bars, annualised",
    "probabilistic_sharpe": "probability that the true Sharpe ratio is above 0, from the ratio of one bar, skewness, "
                            "excess kurtosis and the number of returns (Bailey and Lopez de Prado 2012)",
    "deflated_sharpe": "probability that it is above what the best of the trials would show by luck alone (Bailey and "
                       "Lopez de Prado 2014); without measured ratios their variance is bars_per_year / (sessions - 1)",
    "drawdown": "on equity that includes the base; peak is the last session at the old high, recovery the first back "
                "at it, days are calendar days from peak to recovery or to the end",
    "calmar": "cagr / |max_drawdown|",
    "ulcer": "root mean square of the daily drawdowns, a fraction; performance index (cagr - risk_free) / ulcer_index",
    "omega": "sum of gains / sum of losses, threshold 0",
    "tails": "historical, of one bar: linear percentiles; conditional value at risk is the mean of the worst "
             "floor(0.05 (n - 1)) + 1 bars; tail ratio |95th / 5th percentile|",
    "moments": "skewness and excess kurtosis corrected for bias",
    "periods": "calendar months and years compounded from the base; best, worst and positive_months count partial "
               "periods",
    "rolling": "annualised compound return over 1, 3 and 5 times bars_per_year sessions",
    "turnover": "half the traded notional a year, without the establishing trade",
    "exposure": "at each date's own close",
    "benchmark": "returns compounded onto the sessions of the series, over those that both cover; captures are "
                 "geometric, of calendar months",
}
