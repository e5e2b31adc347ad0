"""Weights of least variance within limits: a working set of members, and the exact solution of its equations."""
import math

from dual import _Clash, _Dual, _LEAST_PIVOT, _ROUNDING
from factor import _cholesky, _eliminate, _solve

_APART = 1e-6  # how much larger variances count where risks cannot be told apart, as a share of their mean
_TIED = 1e-8  # the multiplier of a bound below which the weight would do as well off it
_LOST = 1e-7  # by how much a sum may be broken before the weights are no answer
_STEEPEST = 1e8  # how far elements of the linear part may be apart, for variances of 1
_AT_ONCE = 64  # how many weights are solved for together before the others are tried
_AT_BOUND = 1e-15  # how near a weight may come to its bound before it is set to it
_STRAYED = 1e-11  # how far a free weight may be outside its bounds, by rounding
_EXACT = 1e-13  # the multiplier of the wrong sign that may remain

_SIZES = "the numbers differ too much in size to find weights that satisfy all limits"
_NOT_CONVEX = "the matrix is not positive semidefinite, so it is not a covariance"


def _least_variance(rows, linear, low, high, sums):
    """Minimise w'Mw/2 + b'w within bounds and sums: each (members, least, most).

    Where M does not determine the weights, all variances count as larger by a
    millionth of their mean, which spreads the weight evenly among those that would do
    as well.
    """
    n = len(rows)
    level = sum(rows[i][i] for i in range(n)) / n
    if not 0 < level < math.inf:
        raise ValueError(_NOT_CONVEX)
    scaled = [[x / level for x in row] for row in rows]
    linear = [x / level for x in linear]
    if not max(linear) - min(linear) <= _STEEPEST:
        raise ValueError(_SIZES)
    problem = _Quadratic(scaled, linear, low, high, sums)
    w, unique = problem.solve()
    if not unique:
        for i, row in enumerate(scaled):
            row[i] += _APART
        w, _ = problem.solve()
    if problem.broken(w) > _LOST:
        raise ValueError(_SIZES)
    return w


class _Quadratic:
    """A problem whose variances have a mean of 1."""

    def __init__(self, matrix, linear, low, high, sums):
        self.matrix, self.linear, self.low, self.high, self.sums = matrix, linear, low, high, sums
        self.n = len(low)

    def solve(self):
        members, best = self.first(), math.inf
        while True:
            try:
                self.over(members)
            except _Clash:
                if len(members) == self.n:
                    raise
                members = self.grown(members)
                continue
            joining = self.joining(members)
            if not joining:
                return self.settle()
            value = self.value()
            if value < best:
                best = value
                members = [i for i in members if not (self.bounds[i] > _TIED and self.w[i] == self.low[i])]
            members = sorted(members + joining)

    def gradient(self, w):
        held = [(x, self.matrix[i]) for i, x in enumerate(w) if x]
        out = list(self.linear)
        for x, row in held:
            for i, v in enumerate(row):
                out[i] += x * v
        return out

    def value(self):
        g = self.gradient(self.w)
        return sum(x * (a + b) for x, a, b in zip(self.w, g, self.linear)) / 2

    def first(self):
        every = list(range(self.n))
        if self.n <= _AT_ONCE:
            return every
        g = self.gradient([1 / self.n] * self.n)
        return sorted(sorted(every, key=lambda i: g[i])[:_AT_ONCE])

    def grown(self, members):
        size = min(2 * len(members), self.n)
        outside = sorted(set(range(self.n)) - set(members))
        stride = max(1, len(outside) // max(1, size - len(members)))
        return sorted(members + outside[::stride])

    def joining(self, members):
        inside = set(members)
        out = [i for i in range(self.n) if i not in inside and self.low[i] < self.high[i] and self.bounds[i] < _TIED]
        out.sort(key=lambda i: self.bounds[i])
        return out[:max(16, len(members) // 2)]

    def over(self, members):
        """Solve for some members, with the others at their lower bounds."""
        w = list(self.low)
        place = {}
        for at, i in enumerate(members):
            w[i], place[i] = 0.0, at
        outside = self.gradient(w)
        matrix = [[self.matrix[i][j] for j in members] for i in members]
        sums = []
        for held, least, most in self.sums:
            fixed = sum(w[i] for i in held)
            sums.append(([place[i] for i in held if i in place], least - fixed, most - fixed))
        factor = _cholesky(matrix, _LEAST_PIVOT)
        if factor is None:
            for i, row in enumerate(matrix):
                row[i] += _APART  # settling undoes what this changes
            factor = _cholesky(matrix, _LEAST_PIVOT)
        if factor is None:
            raise ValueError(_NOT_CONVEX)
        d = _Dual(factor, [outside[i] for i in members], [self.low[i] for i in members],
                  [self.high[i] for i in members], sums)
        try:
            d.run()
        except _Clash as clash:
            clash.limits = [(r, members[i] if r < 0 else i, upper) for r, i, upper in clash.limits]
            raise
        self.free = []
        for at, i in enumerate(members):
            if d.held[at] == -1:
                w[i] = self.low[i]
            elif d.held[at] == 1:
                w[i] = self.high[i]
            else:
                w[i] = min(max(d.x[at], self.low[i]), self.high[i])
                self.free.append(i)
        self.w, self.multipliers, self.active = w, [0.0] * len(self.sums), []
        for (r, _, upper), sign, u in zip(d.active, d.sign, d.u):
            if r >= 0:
                self.multipliers[r] = sign * u
                self.active.append((r, self.sums[r][2] if upper else self.sums[r][1]))
        self.reduce()

    def reduce(self):
        """Set the multipliers of the bounds to what the sums leave of the gradient; return it for the free weights."""
        self.bounds = self.gradient(self.w)
        for (members, _, _), m in zip(self.sums, self.multipliers):
            if m:
                for i in members:
                    self.bounds[i] -= m
        left = [self.bounds[i] for i in self.free]
        for i in self.free:
            self.bounds[i] = 0.0
        return left

    def settle(self):
        """Solve exactly for the free weights; also whether the optimum is unique."""
        might = [i for i in range(self.n) if abs(self.bounds[i]) < _TIED and self.low[i] < self.high[i]]
        if might and self.factorise(might)[0] is None:
            return self.w, False
        before = list(self.w)
        for _ in range(self.n + 10):
            if self.free:
                factor, across = self.factorise(self.free)
                if factor is None:
                    return before, False
                for _ in range(3):  # the first is the solution, the others refine it
                    self.improve(factor, across)
            if not self.exchange():
                if self.broken(self.w) > _ROUNDING:
                    break
                return self.w, True
        return before, False

    def broken(self, w):
        most = 0.0
        for members, low, high in self.sums:
            v = sum(w[i] for i in members)
            most = max(most, low - v, v - high)
        return most

    def exchange(self):
        """Put weights that have left their bounds back on them, or free the one whose multiplier is most wrong."""
        staying = []
        for i in self.free:
            w = self.w[i]
            if w - self.low[i] < _AT_BOUND:
                self.w[i] = self.low[i]
            elif self.high[i] - w < _AT_BOUND:
                self.w[i] = self.high[i]
            if self.low[i] - _STRAYED <= w <= self.high[i] + _STRAYED:
                staying.append(i)
        left = len(staying) < len(self.free)
        self.free = staying
        self.reduce()
        if left:
            return True
        worst, at = _EXACT, -1
        for i, m in enumerate(self.bounds):
            if self.low[i] == self.high[i]:
                continue
            if self.w[i] == self.high[i]:
                m = -m
            if -m > worst:
                worst, at = -m, i
        if at < 0:
            return False
        self.free = sorted(self.free + [at])
        return True

    def factorise(self, members):
        """The factors of M + A'A for some members, and A: which of them each active sum has."""
        place = {i: at for at, i in enumerate(members)}
        matrix = [[self.matrix[i][j] for j in members] for i in members]
        across = []
        for r, _ in self.active:
            held = [place[i] for i in self.sums[r][0] if i in place]
            across.append(held)
            for a in held:
                for b in held:
                    matrix[a][b] += 1.0
        return _cholesky(matrix, _LEAST_PIVOT), across

    def improve(self, factor, across):
        """A step of Newton's method to the equations of the free weights and the active sums."""
        right = [-x for x in self.reduce()]
        if across:
            miss = [limit - sum(self.w[i] for i in self.sums[r][0]) for r, limit in self.active]
            for held, m in zip(across, miss):
                for a in held:
                    right[a] += m
            spread = []
            for held in across:
                inside = set(held)
                spread.append(_solve(factor, [1.0 if a in inside else 0.0 for a in range(len(right))]))
            schur = [[sum(s[a] for a in held) for s in spread] for held in across]
            step = _solve(factor, right)
            change = _eliminate(schur, [m - sum(step[a] for a in held) for held, m in zip(across, miss)])
            if change is None or not all(map(math.isfinite, change)):
                return  # the sums repeat one another
            for (r, _), held, c in zip(self.active, across, change):
                self.multipliers[r] += c
                for a in held:
                    right[a] += c
        for i, x in zip(self.free, _solve(factor, right)):
            self.w[i] += x
