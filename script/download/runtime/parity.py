"""Risk parity within bounds, by Newton's method with a line search (Richard and Roncalli 2019)."""
import math

from factor import _cholesky, _solve


class _NoParity(Exception):
    """Weights that share risk as they should were not found."""


def _risk_parity(rows, budget, low, high, total):
    """The weights within bounds that add up to total and share risk in proportion to budget where they are free."""
    least, most = math.fsum(low), math.fsum(high)
    if least >= total - 1e-13:
        return list(low)
    if most <= total + 1e-13:
        return list(high)
    try:
        return _Parity(rows, 0.0, budget).solve(low, high, total)
    except _NoParity:  # some weights have no risk at all together
        return _Parity(rows, 1e-6, budget).solve(low, high, total)


class _Parity:
    """A problem whose variances have a mean of 1, and count as larger by raised."""

    def __init__(self, rows, raised, budget):
        n = self.n = len(rows)
        level = sum(rows[i][i] for i in range(n)) / n
        self.rows = [[x / level + (raised if i == j else 0.0) for j, x in enumerate(row)] for i, row in enumerate(rows)]
        self.budget = budget
        self.low, self.high = [0.0] * n, [math.inf] * n

    def solve(self, low, high, total):
        self.x = [math.sqrt(b / row[i]) for i, (b, row) in enumerate(zip(self.budget, self.rows))]
        self.minimise(1.0)
        factor = total / sum(self.x)
        self.x = [x * factor for x in self.x]
        self.low, self.high = [max(a, 0.0) for a in low], high
        if all(a <= x <= b for x, a, b in zip(self.x, low, high)):
            return self.x
        return self.bounded(factor * factor, total)

    def bounded(self, scale, total):
        """Find the scale of risk at which the weights within bounds add up to total."""
        self.x = [min(max(x, a), b) for x, a, b in zip(self.x, self.low, self.high)]
        under, above = 0.0, math.inf
        for _ in range(200):
            self.minimise(scale)
            over = sum(self.x) - total
            if abs(over) <= 1e-15 * self.n:
                return self.x
            if over > 0:
                above = scale
            else:
                under = scale
            slope = self.slope(scale)
            after = scale - over / slope if slope else math.inf
            if not under < after < above:
                after = 4 * scale if above == math.inf else scale / 4 if under == 0 else math.sqrt(under * above)
            if after in (scale, under, above):
                return self.x
            scale = after
        raise _NoParity()

    def slope(self, scale):
        free = self.free()
        step = self.newton(scale, free, [self.budget[i] / self.x[i] for i in free])
        return sum(step)

    def free(self):
        return [i for i, (x, a, b) in enumerate(zip(self.x, self.low, self.high)) if a < x < b]

    def gradient(self, scale):
        x = self.x
        return [sum(a * b for a, b in zip(row, x)) - scale * b / x[i] for i, (row, b) in enumerate(zip(self.rows, self.budget))]

    def newton(self, scale, free, pull):
        h = [[self.rows[i][j] for j in free] for i in free]
        for a, i in enumerate(free):
            h[a][a] += scale * self.budget[i] / (self.x[i] * self.x[i])
        factor = _cholesky(h)
        if factor is None:
            raise _NoParity()
        return _solve(factor, pull)

    def value(self, x, scale):
        f = sum(w * sum(a * b for a, b in zip(row, x)) for w, row in zip(x, self.rows)) / 2
        return f - sum(scale * b * math.log(w) for w, b in zip(x, self.budget))

    def minimise(self, scale):
        free, final = self.free(), 0
        for _ in range(1000 + 10 * self.n):
            g = self.gradient(scale)
            pull = [-g[i] for i in free]
            step = self.newton(scale, free, pull)
            gain = sum(a * b for a, b in zip(step, pull))
            if gain <= 1e-16 * scale:
                final += 1
            if not free or final == 3:  # two steps after which only rounding is left
                i = self.leaving(g, scale)
                if i < 0:
                    return
                free, final = sorted(free + [i]), 0
                continue
            if self.advance(scale, gain, free, step):
                free, final = self.free(), 0
        raise _NoParity()

    def leaving(self, g, scale):
        """The weight at a bound whose gradient most points away from it, or -1."""
        worst, at = 1e-13, -1
        for i, x in enumerate(self.x):
            if self.low[i] < x < self.high[i] or self.low[i] == self.high[i]:
                continue
            pull = -g[i] * x / (scale * self.budget[i])
            if x >= self.high[i]:
                pull = -pull
            if pull > worst:
                worst, at = pull, i
        return at

    def advance(self, scale, gain, free, step):
        """Take a step, shortened until the objective falls; whether a bound stopped it."""
        part, stop, bound = 1.0, -1, 0.0
        for i, s in zip(free, step):
            limit = self.low[i] if s < 0 else self.high[i]
            if s < 0 and limit < self.x[i] / 10:  # the logarithm ends at 0
                if -0.9 * self.x[i] / s < part:
                    part, stop = -0.9 * self.x[i] / s, -1
            elif s and (limit - self.x[i]) / s < part:
                part, stop, bound = (limit - self.x[i]) / s, i, limit
        before = self.value(self.x, scale)
        while True:
            trial = list(self.x)
            for i, s in zip(free, step):
                trial[i] += part * s
            if gain <= 1e-10 * scale or part < 1e-12 or self.value(trial, scale) <= before - 1e-4 * part * gain:
                break
            part, stop = part / 2, -1
        if stop >= 0:
            trial[stop] = bound
        self.x = trial
        return stop >= 0
