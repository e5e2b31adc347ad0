"""Signals: indicators of one series, or of two, at the last value."""
from arguments import _finite, _floats, _integer, _length, _pair, _refuse, _window
from vector import (_constant, _covariance_of, _divide, _finite_result, _finite_vector, _mean, _quantile, _root,
                    _short, _std)


def momentum(prices, skip=0):
    """The total return from the first price to the one skip sessions before the last; needs skip + 2 prices."""
    skip = _integer("momentum", "skip", skip, 0)
    p = _floats("momentum", "prices", prices, skip + 2)
    return _finite_result("momentum", _divide(p[-1 - skip], p[0]) - 1)


def roc(prices, n):
    """The rate of change over n sessions, p[-1]/p[-1-n] - 1; needs n + 1 prices."""
    n = _integer("roc", "n", n, 1)
    p = _floats("roc", "prices", prices, n + 1)
    return _finite_result("roc", _divide(p[-1], p[-1 - n]) - 1)


def momentum_score(prices, lookbacks, weights=None):
    """The weighted sum of the rates of change over several lookbacks; needs max(lookbacks) + 1 prices."""
    name = "momentum_score"
    spans = _floats(name, "lookbacks", lookbacks, 0)
    if len(spans) == 0:
        _refuse(name, "lookbacks is empty; it must have at least 1 element")
    for i, n in enumerate(spans):
        if not n.is_integer() or not 1 <= n < 2**31:
            _refuse(name, "lookbacks: element %d is %s; it must be an integer of at least 1", i, _short(n))
    spans = [int(n) for n in spans]
    shares = [1 / len(spans)] * len(spans) if weights is None else _floats(name, "weights", weights, 0)
    if len(shares) != len(spans):
        _refuse(name, "%d weights for %d lookbacks", len(shares), len(spans))
    p = _floats(name, "prices", prices, max(spans) + 1)
    score = 0.0
    for n, share in zip(spans, shares):
        score += share * (_divide(p[-1], p[-1 - n]) - 1)
    return _finite_result(name, score)


def sma(values, n=None):
    """The mean of the last n values, or of all without n; needs n values."""
    return _finite_result("sma", _mean(_window("sma", values, n)))


def wma(values, n):
    """The mean of the last n values, weighted 1 for the oldest to n for the newest; needs n values."""
    n = _integer("wma", "n", n, 1)
    total = weights = 0.0
    for i, x in enumerate(_floats("wma", "values", values, n)[-n:], 1):
        total += i * x
        weights += i
    return _finite_result("wma", total / weights)


def ema(values, n):
    """The exponential moving average, e + (x - e) * 2/(n+1), starting from the first value; needs one value."""
    alpha = 2 / (_length("ema", n, 1) + 1)
    v = _floats("ema", "values", values, 1)
    e = v[0]
    for x in v[1:]:
        e += alpha * (x - e)
    return _finite_result("ema", e)


def crossover(values, fast, slow):
    """1 if the fast mean crossed above the slow one on the last bar, -1 if it crossed below, else 0."""
    name = "crossover"
    fast, slow = _integer(name, "fast", fast), _integer(name, "slow", slow)
    if fast < 1 or fast >= slow:
        _refuse(name, "fast is %d and slow %d; fast must be an integer of at least 1 and below slow", fast, slow)
    v = _floats(name, "values", values, slow + 1)
    before = _mean(v[-fast - 1:-1]) - _mean(v[-slow - 1:-1])
    now = _mean(v[-fast:]) - _mean(v[-slow:])
    if before <= 0 and now > 0:
        return 1
    if before >= 0 and now < 0:
        return -1
    return 0


def highest(values, n=None):
    """The largest of the last n values."""
    return max(_window("highest", values, n))


def lowest(values, n=None):
    """The smallest of the last n values."""
    return min(_window("lowest", values, n))


def percentile(values, q):
    """The q-quantile, q from 0 to 1, with linear interpolation; needs one value."""
    q = _finite("percentile", "q", q)
    if not 0 <= q <= 1:
        _refuse("percentile", "q is %s; it must be from 0 to 1", _short(q))
    return _finite_result("percentile", _quantile(_floats("percentile", "values", values, 1), q))


def percent_rank(values, n=None):
    """The fraction of the earlier values that are below the last one, equal ones half; needs two values."""
    v = _window("percent_rank", values, n, 2)
    below = 0.0
    for x in v[:-1]:
        if x < v[-1]:
            below += 1
        elif x == v[-1]:
            below += 0.5
    return below / (len(v) - 1)


def slope(values, n=None):
    """The slope per bar of the least-squares line through the last n values; needs two values."""
    return _finite_result("slope", _line(_window("slope", values, n, 2))[0])


def r_squared(values, n=None):
    """The fraction of the last n values' variance that the least-squares line explains; 0 if they are constant."""
    return _finite_result("r_squared", _line(_window("r_squared", values, n, 2))[1])


def _line(v):
    """Return the slope of the least-squares line, and the fraction of the variance it explains."""
    if _constant(v):
        return 0.0, 0.0
    middle, level = (len(v) - 1) / 2, _mean(v)
    tt = tx = xx = 0.0
    for i, x in enumerate(v):
        t, d = i - middle, x - level
        tt += t * t
        tx += t * d
        xx += d * d
    if xx == 0:  # differences too small to square
        return tx / tt, 0.0
    explained = tx / tt * tx / xx
    return tx / tt, min(1.0, explained) if explained == explained else explained


def volatility(returns, bars_per_year=252):
    """The annualised sample standard deviation, a fraction; needs two returns."""
    bars = _finite("volatility", "bars_per_year", bars_per_year)
    r = _floats("volatility", "returns", returns, 2)
    return _finite_result("volatility", _std(r) * _root(bars))


def downside_deviation(returns, bars_per_year=252):
    """The annualised root mean square of min(return, 0) over all returns; needs one return."""
    bars = _finite("downside_deviation", "bars_per_year", bars_per_year)
    r = _floats("downside_deviation", "returns", returns, 1)
    squares = 0.0
    for x in r:
        if x < 0:
            squares += x * x
    return _finite_result("downside_deviation", _root(squares / len(r)) * _root(bars))


def sharpe(returns, bars_per_year=252):
    """Mean over standard deviation, annualised; 0 if the returns are constant; needs two returns."""
    bars = _finite("sharpe", "bars_per_year", bars_per_year)
    r = _floats("sharpe", "returns", returns, 2)
    if _constant(r):
        return 0.0
    return _finite_result("sharpe", _divide(_mean(r), _std(r)) * _root(bars))


def drawdown(prices):
    """The fall of the last price from the highest one, last/highest - 1."""
    p = _floats("drawdown", "prices", prices, 1)
    return _finite_result("drawdown", _divide(p[-1], max(p)) - 1)


def max_drawdown(prices):
    """The deepest fall from a running high, a fraction from -1 to 0."""
    p = _floats("max_drawdown", "prices", prices, 1)
    high, deepest = p[0], 0.0
    for x in p:
        high = max(high, x)
        depth = _divide(x, high) - 1
        if not depth >= deepest:  # deeper, or not a number
            deepest = _finite_result("max_drawdown", depth)
    return deepest


def rsi(prices, n=14):
    """Wilder's relative strength index, 0 to 100; 50 if no price changed; needs n + 1 prices."""
    n = _length("rsi", n, 14)
    p = _floats("rsi", "prices", prices, n + 1)
    gain = loss = 0.0
    for i in range(1, len(p)):
        change = p[i] - p[i - 1]
        up, down = max(change, 0.0), max(-change, 0.0)
        if i < n:
            gain, loss = gain + up, loss + down
        elif i == n:
            gain, loss = (gain + up) / n, (loss + down) / n
        else:
            gain, loss = (gain * (n - 1) + up) / n, (loss * (n - 1) + down) / n
    if gain + loss == 0:
        return 50.0
    return _finite_result("rsi", 100 * gain / (gain + loss))


def zscore(values, n=None):
    """How many standard deviations the last value lies from the mean of the last n; needs two values."""
    return _finite_result("zscore", _zscore_of(_window("zscore", values, n, 2)))


def _zscore_of(v):
    return 0.0 if _constant(v) else _divide(v[-1] - _mean(v), _std(v))


def rolling_mean(values, n):
    """The means of all windows of n consecutive values, as a vector; needs n values."""
    return _rolling("rolling_mean", "values", values, n, 1, _mean)


def rolling_volatility(returns, n, bars_per_year=252):
    """The annual volatilities of all windows of n consecutive returns, as a vector; needs n returns, n at least 2."""
    year = _root(_finite("rolling_volatility", "bars_per_year", bars_per_year))
    return _rolling("rolling_volatility", "returns", returns, n, 2, lambda window: _std(window) * year)


def rolling_zscore(values, n):
    """The z-scores of the last value of all windows of n consecutive values, as a vector; needs n values, n at least 2."""
    return _rolling("rolling_zscore", "values", values, n, 2, _zscore_of)


def _rolling(function, what, values, n, least, f):
    """Evaluate f on each window of n consecutive values."""
    n = _length(function, n, least=least)
    v = _floats(function, what, values, n)
    return _finite_vector(function, [f(v[i:i + n]) for i in range(len(v) - n + 1)])


def beta(returns, benchmark):
    """The covariance divided by the benchmark's variance, 0 if it is constant; needs two returns of each."""
    x, y = _pair("beta", "returns", "benchmark", returns, benchmark)
    if _constant(y):
        return 0.0
    return _finite_result("beta", _divide(_covariance_of(x, y), _covariance_of(y, y)))
