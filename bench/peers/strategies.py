"""Runs the compared strategies in bt and vectorbt: strategies.py BARS.csv[.gz] STRATEGIES.json

Prints one JSON object: for each strategy, the total return and the daily returns that bt
and vectorbt compute, and the seconds that each takes.

A strategy is {name, members, decide, late, weights, band, fills}. decide is one of:
  monthly, quarterly  rebalance to the weights on the first session and on the last of
                      each period, whose dates are computed here; without weights, all
                      members have equal ones
  once                buy the weights on the first session
  band                rebalance when a weight differs from its target by more than band
                      times the target; bt finds the dates, vectorbt has no such rule and
                      uses fills
  given               use fills, {date: {member: weight}}, because neither library has
                      the rule
If late is true, each decision is filled at the close of the next session.
"""
import json
import sys
import time

import bt
import pandas as pd
import vectorbt as vbt


def decision_dates(period, index):
    """Returns the first session and the last one of each period. The last bar counts only
    if it is on the last business day of its period."""
    ends = pd.Series(index, index=index).groupby(index.to_period(period)).max()
    last = index[-1]
    planned = [d for d in ends if d != last]
    if last == pd.offsets.BMonthEnd().rollforward(last) and (period == "M" or last.month % 3 == 0):
        planned.append(last)
    return sorted({index[0], *planned})


def next_session(dates, index):
    positions = [index.get_loc(d) + 1 for d in dates]
    return [index[p] for p in positions if p < len(index)]


def target_table(strategy, prices):
    """Returns the target weights: a row per date of a fill, a column per member."""
    members, index = strategy["members"], prices.index
    if strategy["decide"] in ("given", "band"):
        table = pd.DataFrame.from_dict(strategy["fills"], orient="index").reindex(columns=members).fillna(0.0)
        table.index = pd.to_datetime(table.index)
        return table.sort_index()
    if strategy["decide"] == "once":
        dates = [index[0]]
    else:
        dates = decision_dates({"monthly": "M", "quarterly": "Q"}[strategy["decide"]], index)
    if strategy["late"]:
        dates = next_session(dates, index)
    weights = strategy["weights"] or {m: 1 / len(members) for m in members}
    return pd.DataFrame([weights] * len(dates), index=dates)[members]


def bt_algos(strategy, targets):
    weights = strategy["weights"]
    if strategy["decide"] == "given":
        return [bt.algos.RunOnDate(*targets.index), bt.algos.SelectAll(), bt.algos.WeighTarget(targets), bt.algos.Rebalance()]
    weigh = bt.algos.WeighSpecified(**weights) if weights else bt.algos.WeighEqually()
    if strategy["decide"] == "band":
        due = bt.algos.Or([bt.algos.RunOnce(), bt.algos.RunIfOutOfBounds(strategy["band"])])
        return [bt.algos.SelectAll(), weigh, due, bt.algos.Rebalance()]
    due = bt.algos.RunOnce() if strategy["decide"] == "once" else bt.algos.RunOnDate(*targets.index)
    return [due, bt.algos.SelectAll(), weigh, bt.algos.Rebalance()]


def run_bt(strategy, targets, prices):
    backtest = bt.Backtest(bt.Strategy("s", bt_algos(strategy, targets)), prices, integer_positions=False, progress_bar=False)
    start = time.perf_counter()
    result = bt.run(backtest)
    seconds = time.perf_counter() - start
    return result.prices["s"], seconds


def run_vectorbt(strategy, targets, prices):
    # vectorbt cannot borrow, so a loan is a short position in an asset of constant price.
    loan = (targets.sum(axis=1) - 1).clip(lower=0)
    if (loan > 1e-12).any():
        prices, targets = prices.assign(LOAN=1.0), targets.assign(LOAN=-loan)
    size = pd.DataFrame(float("nan"), index=prices.index, columns=prices.columns)
    size.loc[targets.index] = targets
    start = time.perf_counter()
    portfolio = vbt.Portfolio.from_orders(
        prices, size=size, size_type="targetpercent", group_by=True, cash_sharing=True, call_seq="auto", init_cash=10_000, freq="D"
    )
    value = portfolio.value()
    seconds = time.perf_counter() - start
    return value, seconds


def main(path, strategies):
    bars = pd.read_csv(path, parse_dates=["date"]).pivot(index="date", columns="symbol", values="adj_close")
    out = {}
    for n, strategy in enumerate(strategies):
        prices = bars[strategy["members"]].dropna()
        targets = target_table(strategy, prices)
        base = targets.index[0]
        entry = {"base": str(base.date()), "fills": len(targets)}
        if n == 0:
            run_vectorbt(strategy, targets, prices)  # compile before timing
        for peer, run in (("bt", run_bt), ("vectorbt", run_vectorbt)):
            equity, seconds = run(strategy, targets, prices)
            equity = equity.loc[base:]
            returns = (equity / equity.shift(1) - 1).iloc[1:]
            entry[peer] = {"total_return": float(equity.iloc[-1] / equity.iloc[0] - 1), "returns": returns.tolist(), "seconds": seconds}
        out[strategy["name"]] = entry
    print(json.dumps({"versions": {"bt": bt.__version__, "vectorbt": vbt.__version__}, "strategies": out}))


if __name__ == "__main__":
    with open(sys.argv[2]) as file:
        main(sys.argv[1], json.load(file))
