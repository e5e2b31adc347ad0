"""The dual active-set method of Goldfarb and Idnani (1983) for convex quadratic problems."""
import math

from factor import _forward

# The smallest pivot of a factorisation, relative to the diagonal, at which the risks of
# members are told apart. Below it the optimum is not unique.
_LEAST_PIVOT = 1e-10

_BROKEN = 1e-13  # by how much a limit may be broken before it counts
_ROUNDING = 1e-9  # by how much a limit that follows from active ones may be broken
_NOISE = 1e-10  # a coefficient that rounding alone may leave
_PARALLEL = 1e-8  # how short the independent part of a normal is, relative to it, when it counts as dependent


class _Clash(Exception):
    """Limits that no weights can satisfy: the fewest that contradict one another."""

    def __init__(self, limits):
        super().__init__()
        self.limits = limits


class _Dual:
    """The state of the method. A limit is (row, weight, upper); row is -1 for a bound."""

    def __init__(self, factor, linear, low, high, rows):
        n = len(low)
        self.low, self.high, self.rows = low, high, rows
        # J is the inverse of the transposed factor; each row of J belongs to a weight.
        columns = [_forward(factor, [1.0 if i == k else 0.0 for i in range(n)]) for k in range(n)]
        self.j = columns
        d = [0.0] * n
        for row, v in zip(self.j, linear):
            if v:
                for k, x in enumerate(row):
                    d[k] += v * x
        self.x = [-sum(a * b for a, b in zip(row, d)) for row in self.j]
        self.r, self.active, self.u, self.sign = [], [], [], []
        self.held, self.on = [0] * n, [0] * len(rows)

    def run(self):
        for r, (members, least, most) in enumerate(self.rows):
            if least == most:
                gap = sum(self.x[i] for i in members) - least
                self.add((r, 0, gap > 0), abs(gap))
        fresh = False
        for _ in range(100 * (len(self.x) + len(self.rows) + 1)):
            limit, gap = self.worst()
            if gap == 0:
                if fresh:
                    return
                self.refresh()
                fresh = True
                continue
            fresh = False
            self.add(limit, gap)
        raise ValueError("the limits keep being exchanged without an end")

    def worst(self):
        most, worst, gap = _BROKEN, None, 0.0
        for i, x in enumerate(self.x):
            if self.held[i] == 0:
                for by, upper in ((self.low[i] - x, False), (x - self.high[i], True)):
                    if by > most:
                        most, worst, gap = by, (-1, i, upper), by
        for r, (members, low, high) in enumerate(self.rows):
            if self.on[r] == 0:
                v, norm = sum(self.x[i] for i in members), math.sqrt(len(members))
                for by, upper in ((low - v, False), (v - high, True)):
                    if by > most * norm:
                        most, worst, gap = by / norm if norm else math.inf, (r, 0, upper), by
        return worst, gap

    def gap(self, limit):
        r, i, upper = limit
        if r < 0:
            return self.x[i] - self.high[i] if upper else self.low[i] - self.x[i]
        members, low, high = self.rows[r]
        v = sum(self.x[i] for i in members)
        return v - high if upper else low - v

    def equation(self, limit):
        return limit[0] >= 0 and self.rows[limit[0]][1] == self.rows[limit[0]][2]

    def add(self, limit, gap):
        """Make a broken limit active, and drop those that would get a multiplier of the wrong sign."""
        sign, multiplier = (-1.0 if limit[2] else 1.0), 0.0
        while True:
            q = len(self.active)
            d = self.normal(limit, sign)
            outside = math.hypot(*d[q:])
            dependent = outside <= _PARALLEL * math.hypot(*d)
            step = self.back(d[:q])
            t, drop = math.inf, -1
            for k, v in enumerate(step):
                if v > _NOISE and not self.equation(self.active[k]) and self.u[k] / v < t:
                    t, drop = self.u[k] / v, k
            if dependent:
                if gap <= _ROUNDING:
                    self.mark(limit, 2)  # it follows from the others but for rounding
                    return
                if drop < 0:
                    self.refresh()
                    gap = self.gap(limit)
                    if gap > _ROUNDING:
                        raise _Clash([limit] + [a for a, v in zip(self.active, step) if abs(v) > _NOISE])
                    continue
                self.move(t, step, None)
                multiplier += t
                self.drop(drop)
                continue
            z = [sum(a * b for a, b in zip(row[q:], d[q:])) for row in self.j]
            full = gap / (outside * outside)
            if full <= t:
                self.move(full, step, z)
                self.u.append(multiplier + full)
                self.push(limit, sign, outside, d, z)
                return
            self.move(t, step, z)
            multiplier += t
            gap -= t * outside * outside
            self.drop(drop)

    def normal(self, limit, sign):
        """The product of J transposed and the limit's normal."""
        if limit[0] < 0:
            return [sign * v for v in self.j[limit[1]]]
        d = [0.0] * len(self.x)
        for i in self.rows[limit[0]][0]:
            for k, v in enumerate(self.j[i]):
                d[k] += sign * v
        return d

    def back(self, v):
        out = list(v)
        for k in range(len(out) - 1, -1, -1):
            out[k] /= self.r[k][k]
            for c in range(k):
                out[c] -= out[k] * self.r[k][c]
        return out

    def move(self, t, step, z):
        self.u = [u - t * v for u, v in zip(self.u, step)]
        if z is not None:
            self.x = [x + t * v if h in (0, 2) else x for x, v, h in zip(self.x, z, self.held)]

    def mark(self, limit, state):
        if limit[0] < 0:
            self.held[limit[1]] = state
        else:
            self.on[limit[0]] = state

    def push(self, limit, sign, outside, d, z):
        """Append a limit: a reflection of the free columns of J leaves its normal in the first of them."""
        q = len(self.active)
        first = -outside if d[q] > 0 else outside
        v = d[q:]
        v[0] -= first
        length = sum(x * x for x in v)
        if length > 0:
            for row, along in zip(self.j, z):
                factor = -2 * (along - first * row[q]) / length
                for k, x in enumerate(v):
                    row[q + k] += factor * x
        self.r.append(d[:q] + [first])
        self.active.append(limit)
        self.sign.append(sign)
        self.mark(limit, 1 if limit[2] else -1)
        if limit[0] < 0:
            self.x[limit[1]] = self.high[limit[1]] if limit[2] else self.low[limit[1]]

    def refresh(self):
        """Move the weights back to the active limits, from which rounding has taken them."""
        y = []
        for k, limit in enumerate(self.active):
            v = self.gap(limit)
            for c, x in enumerate(self.r[k][:k]):
                v -= x * y[c]
            y.append(v / self.r[k][k])
        for i, row in enumerate(self.j):
            if self.held[i] in (0, 2):
                self.x[i] += sum(a * b for a, b in zip(row, y))

    def drop(self, k):
        """Remove the k-th active limit, and make R triangular again by rotations."""
        self.mark(self.active[k], 0)
        for held in (self.active, self.sign, self.u, self.r):
            del held[k]
        for c in range(k, len(self.r)):
            a, b = self.r[c][c], self.r[c][c + 1]
            length = math.hypot(a, b)
            cos, sin = a / length, b / length
            for column in self.r[c:]:
                column[c], column[c + 1] = cos * column[c] + sin * column[c + 1], cos * column[c + 1] - sin * column[c]
            del self.r[c][c + 1:]
            for row in self.j:
                row[c], row[c + 1] = cos * row[c] + sin * row[c + 1], cos * row[c + 1] - sin * row[c]
