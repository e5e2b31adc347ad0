"""60/40 in bt and vectorbt: the peers' numbers and times for the benchmark suite.

python balanced.py BARS.csv[.gz] FIRST SECOND prints one JSON object: for each
case the total return that bt and vectorbt give, and the seconds they take.
"""
import json
import sys
import time

import bt
import pandas as pd
import vectorbt as vbt

path, first, second = sys.argv[1:4]
bars = pd.read_csv(path, parse_dates=["date"])
index = bars.pivot(index="date", columns="symbol", values="adj_close")[[first, second]].dropna()


def decision_dates(period, prices):
    """The first session, and each period's last; the running period's last session
    is a decision only where the calendar says that it is the period's last."""
    dates = prices.index
    ends = pd.Series(dates, index=dates).groupby(dates.to_period(period)).max()
    planned = [d for d in ends if d != dates[-1]]
    if dates[-1] == pd.offsets.BMonthEnd().rollforward(dates[-1]) and (period == "M" or dates[-1].month % 3 == 0):
        planned.append(dates[-1])
    return sorted({dates[0], *planned})


def run_bt(dates, prices):
    strategy = bt.Strategy(
        "balanced",
        [bt.algos.RunOnDate(*dates), bt.algos.SelectAll(), bt.algos.WeighSpecified(**{first: 0.6, second: 0.4}), bt.algos.Rebalance()],
    )
    began = time.perf_counter()
    result = bt.run(bt.Backtest(strategy, prices, integer_positions=False, progress_bar=False))
    seconds = time.perf_counter() - began
    equity = result.prices["balanced"]
    return equity.iloc[-1] / equity.loc[dates[0]] - 1, seconds


def run_vectorbt(dates, prices):
    size = pd.DataFrame(float("nan"), index=prices.index, columns=prices.columns)
    size.loc[dates] = [0.6, 0.4]
    began = time.perf_counter()
    portfolio = vbt.Portfolio.from_orders(
        prices, size=size, size_type="targetpercent", group_by=True, cash_sharing=True, call_seq="auto", init_cash=10_000, freq="D"
    )
    value = portfolio.value()
    seconds = time.perf_counter() - began
    return value.iloc[-1] / value.loc[dates[0]] - 1, seconds


def shifted(dates, prices):
    """Each decision filled at the next session's close."""
    position = [prices.index.get_loc(d) + 1 for d in dates]
    return [prices.index[p] for p in position if p < len(prices.index)]


cases = {
    "monthly": decision_dates("M", index),
    "quarterly": decision_dates("Q", index),
    "monthly_next_close": shifted(decision_dates("M", index), index),
}
run_vectorbt(cases["monthly"], index)  # compile before timing
out = {}
for name, dates in cases.items():
    entry = {"decisions": len(dates), "base": str(dates[0].date())}
    for peer, run in (("bt", run_bt), ("vectorbt", run_vectorbt)):
        value, seconds = run(dates, index)
        entry[peer] = {"total_return": float(value), "seconds": seconds}
    out[name] = entry
print(json.dumps({"versions": {"bt": bt.__version__, "vectorbt": vbt.__version__}, "cases": out}))
