"""Analyses in statsmodels, SciPy, NumPy and ffn: python analyses.py WHAT FILE COLUMNS REPETITIONS.

FILE has the returns as 64-bit numbers, a row of COLUMNS numbers per day. WHAT is
factors, rolling or correlation, or agreement for figures that are compared and not
timed. The first column is explained by the others. Prints one line of JSON: the median
seconds, and the values in the order in which the suite has its own.
"""
import json
import sys
import time
import warnings

import numpy as np

WINDOW, LAGS, LEVEL = 252, 9, 0.99


def factors(returns):
    import statsmodels.api as sm

    fit = sm.OLS(returns[:, 0], sm.add_constant(returns[:, 1:])).fit(cov_type="HAC", cov_kwds={"maxlags": LAGS})
    return [*fit.params, *fit.bse, fit.rsquared]


def rolling(returns):
    import statsmodels.api as sm
    from statsmodels.regression.rolling import RollingOLS

    fit = RollingOLS(returns[:, 0], sm.add_constant(returns[:, 1:]), WINDOW).fit(params_only=True)
    return fit.params[WINDOW - 1:].T.ravel()


def correlation(returns):
    return np.corrcoef(returns, rowvar=False).ravel()


def agreement(returns):
    import statsmodels.api as sm
    from scipy import stats
    from statsmodels.stats.diagnostic import het_breuschpagan
    from statsmodels.stats.outliers_influence import variance_inflation_factor
    from statsmodels.stats.stattools import durbin_watson

    y, x = returns[:, 0], sm.add_constant(returns[:, 1:])
    fit = sm.OLS(y, x).fit(cov_type="HAC", cov_kwds={"maxlags": LAGS})
    values = [fit.rsquared_adj, durbin_watson(fit.resid), *het_breuschpagan(fit.resid, x)[:2]]
    values += [*fit.tvalues, *fit.pvalues, *fit.conf_int().ravel()]
    values += [variance_inflation_factor(x, i) for i in range(1, x.shape[1])]
    values += [*np.linalg.eigvalsh(np.corrcoef(returns, rowvar=False))[::-1]]
    values += [*stats.spearmanr(returns).statistic.ravel()]
    values += [*pareto(y), *worst(y)]
    return values


def pareto(y):
    """The tail at the maximum of the likelihood, where its derivatives are 0; genpareto's own fit stops before it."""
    from scipy import optimize, stats

    losses = -y
    threshold = np.quantile(losses, 0.9)
    beyond = losses[losses > threshold] - threshold
    unit = beyond.mean()
    shape, _, scale = stats.genpareto.fit(beyond / unit, floc=0)

    def slopes(p):
        shape, scale = p
        z = beyond / unit / scale
        w = 1 + shape * z
        return [np.mean(np.log(w)) / shape**2 - (1 / shape + 1) * np.mean(z / w), (1 / shape + 1) * np.mean(shape * z / w) - 1]

    shape, scale = optimize.root(slopes, [shape, scale], tol=1e-15).x
    scale *= unit
    odds = len(losses) / len(beyond) * (1 - LEVEL)
    value = threshold + stats.genpareto.isf(odds, shape, 0, scale)
    return value, (value + scale - shape * threshold) / (1 - shape)


def worst(y):
    """The depth of the deepest drawdowns, by ffn."""
    import ffn
    import pandas as pd

    prices = pd.Series(np.concatenate([[1.0], np.cumprod(1 + y)]), pd.bdate_range("2000-01-03", periods=len(y) + 1))
    return sorted(ffn.core.drawdown_details(ffn.to_drawdown_series(prices))["drawdown"])[:5]


def main(what, path, columns, repetitions):
    warnings.simplefilter("ignore")
    returns = np.fromfile(path).reshape(-1, columns)
    measure = {"factors": factors, "rolling": rolling, "correlation": correlation, "agreement": agreement}[what]
    values, taken = measure(returns), []
    for _ in range(repetitions):
        began = time.perf_counter()
        values = measure(returns)
        taken.append(time.perf_counter() - began)
    print(json.dumps({"seconds": float(np.median(taken)), "values": [float(v) for v in values]}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
