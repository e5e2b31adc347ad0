"""What quantstats, empyrical and ffn make of the oracle series, as JSON.

    python3 -m venv peers
    peers/bin/pip install quantstats==0.0.86 empyrical-reloaded==0.7.1 ffn==1.4.1 pandas==3.1.1 numpy==2.4.6 scipy==1.17.1
    peers/bin/python peers.py > peers.json

The series is that of oracle_test.go: business days from 2015-01-02 on, with a
benchmark. Returns go to quantstats and empyrical, prices from the base on to ffn.
Keys are fields of the metrics block; a suffix " rf" is at a risk-free rate of 2 %.
"""
import json
import math
import sys
import warnings
from importlib.metadata import version

warnings.filterwarnings("ignore")

import empyrical as ep
import ffn
import numpy as np
import pandas as pd
import quantstats.stats as qs

BARS = 252
RATE = 0.02
BAR_RATE = (1 + RATE) ** (1 / BARS) - 1
TRIALS = [0.1, 0.3, 0.5, 0.7, 0.9, 1.1]  # annual Sharpe ratios of other runs


def oracle():
    t = np.arange(1, 1261, dtype=float)
    market = 0.0004 + 0.010 * np.sin(1.7 * t) + 0.004 * np.sin(0.013 * t * t)
    returns = 0.0001 + 0.8 * market + 0.005 * np.sin(2.3 * t + 0.5)
    days = pd.bdate_range("2015-01-02", periods=len(t))
    return pd.Series(returns, days), pd.Series(market, days)


def prices(returns):
    """What 1 on the base grows to, the base included."""
    base = pd.Series([1.0], [pd.Timestamp("2015-01-01")])
    return pd.concat([base, (1 + returns).cumprod()])


def from_quantstats(r, b):
    greeks = qs.greeks(r, b, BARS)
    return {
        "total_return": qs.comp(r), "cagr": qs.cagr(r), "annual_volatility": qs.volatility(r),
        "sharpe": qs.sharpe(r), "sharpe rf": qs.sharpe(r, rf=RATE),
        "sortino": qs.sortino(r), "sortino rf": qs.sortino(r, rf=RATE),
        "probabilistic_sharpe": qs.probabilistic_sharpe_ratio(r),
        "probabilistic_sharpe rf": qs.probabilistic_sharpe_ratio(r, rf=RATE),
        "calmar": qs.calmar(r), "omega": qs.omega(r), "tail_ratio": qs.tail_ratio(r),
        "max_drawdown": qs.max_drawdown(r), "ulcer_index": qs.ulcer_index(r),
        "ulcer_performance_index": qs.ulcer_performance_index(r),
        "value_at_risk_5": qs.value_at_risk(r), "conditional_value_at_risk_5": qs.conditional_value_at_risk(r),
        "conditional_value_at_risk_5 historical": qs.conditional_value_at_risk(r, method="historical"),
        "skewness": qs.skew(r), "excess_kurtosis": qs.kurtosis(r), "win_rate": qs.win_rate(r),
        "best_day": qs.best(r), "worst_day": qs.worst(r),
        "best_month": qs.best(r, aggregate="ME"), "worst_month": qs.worst(r, aggregate="ME"),
        "best_year": qs.best(r, aggregate="YE"), "worst_year": qs.worst(r, aggregate="YE"),
        "positive_months": qs.win_rate(r, aggregate="ME"), "time_in_market": qs.exposure(r),
        "benchmark.beta": greeks["beta"], "benchmark.alpha": greeks["alpha"],
        "benchmark.r_squared": qs.r_squared(r, b), "benchmark.information_ratio": qs.information_ratio(r, b),
    }


def from_empyrical(r, b):
    monthly_r, monthly_b = ep.aggregate_returns(r, "monthly"), ep.aggregate_returns(b, "monthly")
    yearly = ep.aggregate_returns(r, "yearly")
    return {
        "total_return": ep.cum_returns_final(r), "cagr": ep.annual_return(r), "annual_volatility": ep.annual_volatility(r),
        "sharpe": ep.sharpe_ratio(r), "sharpe rf": ep.sharpe_ratio(r, risk_free=BAR_RATE),
        "sortino": ep.sortino_ratio(r), "sortino rf": ep.sortino_ratio(r, required_return=BAR_RATE),
        "calmar": ep.calmar_ratio(r), "omega": ep.omega_ratio(r), "tail_ratio": ep.tail_ratio(r),
        "max_drawdown": ep.max_drawdown(r),
        "value_at_risk_5": ep.value_at_risk(r), "conditional_value_at_risk_5": ep.conditional_value_at_risk(r),
        "best_month": monthly_r.max(), "worst_month": monthly_r.min(),
        "best_year": yearly.max(), "worst_year": yearly.min(),
        "benchmark.beta": ep.beta(r, b), "benchmark.alpha": ep.alpha(r, b),
        "benchmark.beta rf": ep.beta(r, b, risk_free=BAR_RATE), "benchmark.information_ratio": ep.excess_sharpe(r, b),
        "benchmark.up_capture": ep.up_capture(monthly_r, monthly_b, period="monthly"),
        "benchmark.down_capture": ep.down_capture(monthly_r, monthly_b, period="monthly"),
    }


def from_ffn(r, b):
    p = prices(r)
    stats = ffn.calc_stats(p, annualization_factor=BARS)
    sharpes = pd.Series(TRIALS)
    return {
        "total_return": stats.total_return, "cagr": stats.cagr, "annual_volatility": stats.daily_vol,
        "sharpe": stats.daily_sharpe, "sharpe rf": ffn.calc_sharpe(r, rf=RATE, nperiods=BARS),
        "sortino": stats.daily_sortino, "sortino rf": ffn.calc_sortino_ratio(r, rf=RATE, nperiods=BARS),
        "calmar": stats.calmar, "max_drawdown": stats.max_drawdown,
        "ulcer_index": ffn.core.to_ulcer_index(p), "ulcer_performance_index": ffn.core.to_ulcer_performance_index(p, nperiods=BARS),
        "skewness": stats.daily_skew, "excess_kurtosis": stats.daily_kurt,
        "best_day": stats.best_day, "worst_day": stats.worst_day,
        "best_month": stats.best_month, "worst_month": stats.worst_month,
        "best_year": stats.best_year, "worst_year": stats.worst_year, "positive_months": stats.pos_month_perc,
        "benchmark.information_ratio": ffn.calc_information_ratio(r, b),
        "deflated_sharpe": ffn.core.calc_deflated_sharpe_ratio(r, sharpes, nperiods=BARS),
        "deflated_sharpe rf": ffn.core.calc_deflated_sharpe_ratio(r, sharpes, rf=RATE, nperiods=BARS),
    }


def plain(values):
    numbers = {key: float(v) for key, v in values.items()}
    return {key: v for key, v in numbers.items() if math.isfinite(v)}


r, b = oracle()
json.dump({
    "versions": {p: version(p) for p in ("quantstats", "empyrical-reloaded", "ffn", "pandas", "numpy", "scipy")},
    "quantstats": plain(from_quantstats(r, b)), "empyrical": plain(from_empyrical(r, b)), "ffn": plain(from_ffn(r, b)),
}, sys.stdout, indent=1)
print()
