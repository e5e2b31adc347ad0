"""Optimizers in PyPortfolioOpt: python optimizers.py WHAT FILE COLUMNS REPETITIONS.

FILE has the returns as 64-bit numbers, a row of COLUMNS numbers per day. WHAT is
variance, shrinkage, hierarchy or shortfall. Prints one line of JSON: the median seconds,
and the weights in the order of the columns, or the intensity of the shrinkage.
"""
import json
import sys
import time
import warnings

import numpy as np
import pandas as pd


def variance(returns):
    from pypfopt import EfficientFrontier

    covariance = returns.cov()

    def solve():
        return list(EfficientFrontier(None, covariance).min_volatility().values())

    return solve


def shrinkage(returns):
    from pypfopt.risk_models import CovarianceShrinkage

    def solve():
        s = CovarianceShrinkage(returns, returns_data=True, frequency=1)
        s.ledoit_wolf()
        return [s.delta]

    return solve


def hierarchy(returns):
    from pypfopt import HRPOpt

    covariance = returns.cov()

    def solve():
        weights = HRPOpt(returns, covariance).optimize()
        return [weights[c] for c in returns.columns]

    return solve


def shortfall(returns):
    from pypfopt import EfficientCVaR

    def solve():
        return list(EfficientCVaR(None, returns, beta=0.95).min_cvar().values())

    return solve


def main():
    what, file, columns, repetitions = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    warnings.simplefilter("ignore")
    returns = pd.DataFrame(np.fromfile(file).reshape(-1, columns))
    solve = {f.__name__: f for f in (variance, shrinkage, hierarchy, shortfall)}[what](returns)
    took = []
    for _ in range(repetitions):
        before = time.perf_counter()
        values = solve()
        took.append(time.perf_counter() - before)
    print(json.dumps({"seconds": float(np.median(took)), "values": [float(v) for v in values]}))


main()
