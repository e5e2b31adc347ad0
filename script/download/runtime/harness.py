"""The harness: every name that a script can import."""
from arguments import _floats
from matrix import correlation, covariance
from optimize import (inverse_volatility, mean_variance, min_variance, portfolio_volatility, risk_contribution,
                      risk_parity, vol_target)
from signals import (beta, crossover, downside_deviation, drawdown, ema, highest, lowest, max_drawdown, momentum,
                     momentum_score, percent_rank, percentile, r_squared, roc, rolling_mean, rolling_volatility,
                     rolling_zscore, rsi, sharpe, slope, sma, volatility, wma, zscore)
from vector import Vector
from weights import (above, blend, bottom, breadth, cap, drifted, equal_weight, limit_turnover, normalize,
                     proportional, random, rank, remainder, scale, top)


def vector(values):
    """Convert a list of numbers into a vector."""
    return Vector(_floats("vector", "values", values, 0))


HARNESS = {
    function.__name__: function
    for function in (
        above, beta, blend, bottom, breadth, cap, correlation, covariance, crossover, downside_deviation, drawdown,
        drifted, ema, equal_weight, highest, inverse_volatility, limit_turnover, lowest, max_drawdown, mean_variance,
        min_variance, momentum, momentum_score, normalize, percent_rank, percentile, portfolio_volatility,
        proportional, r_squared, random, rank, remainder, risk_contribution, risk_parity, roc, rolling_mean,
        rolling_volatility, rolling_zscore, rsi, scale, sharpe, slope, sma, top, vector, vol_target, volatility, wma,
        zscore,
    )
}
