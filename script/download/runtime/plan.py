"""A plan: money, where it is invested, and how futures are drawn."""
import math

from frame import iso
from inputs import UsageError, listed

SOURCES = ("stationary", "circular", "independent", "normal", "student_t", "history")
REBALANCES = {"monthly": 1, "quarterly": 3, "yearly": 12, "never": 0}  # months between two times
STEPS = {"yearly": 12, "quarterly": 3, "monthly": 1}
LEAST_MONTHS = 24
LEAST_PATHS, MOST_PATHS = 100, 100000
MOST_YEARS = 200
MOST_STEPS = 200000000  # paths times months
MOST_WEIGHT = 100


class Plan:
    """The members' months with their weights, and the numbers of a simulation."""

    def __init__(self, months, weights, rebalance="monthly", start_value=1e6, years=30, paths=10000, seed=1,
                 source="stationary", block=12.0, inflation=0.025, fee=0.0, step_months=12):
        self.months = months
        self.weights = weights  # in the members' order; what they leave is cash without interest
        self.rebalance = rebalance
        self.start_value = float(start_value)
        self.years = years
        self.horizon = 12 * years  # months of a path
        self.seed = seed
        self.source = source
        self.block = float(block)  # mean months of a block; 0 is the best length of the plan's own returns
        self.inflation = float(inflation) if months.inflation is None else months.mean_inflation()  # a year, at the start
        self.fee = float(fee)  # of the value, a year
        self.step_months = step_months  # from one decision to the next
        self.paths = len(months.ends) - self.horizon + 1 if source == "history" else paths

    def check(self):
        """Raise an error that names what is wrong, what is accepted, and what would work."""
        if not (math.isfinite(self.start_value) and self.start_value >= 0):
            raise UsageError("start_value is %s: it must be a number of 0 or more" % self.start_value)
        if not 1 <= self.years <= MOST_YEARS:
            raise UsageError("years is %d: it must be from 1 to %d" % (self.years, MOST_YEARS))
        if self.months.inflation is None and not -0.5 < self.inflation <= 1:
            raise UsageError("inflation is %s: it must be a yearly rate above -0.5 and of at most 1, such as 0.025" % self.inflation)
        if not 0 <= self.fee <= 1:
            raise UsageError("fee is %s: it must be a yearly rate from 0 to 1, such as 0.01" % self.fee)
        if self.block != 0 and not 1 <= self.block <= 1200:
            raise UsageError("block is %s: it must be a length from 1 to 1200 months, or 0 for the best length of the data" % self.block)
        if not 0 <= self.seed < 2**64:
            raise UsageError("seed is %s: it must be an integer of at least 0" % self.seed)
        for name, value, accepted in (("source", self.source, SOURCES), ("rebalance", self.rebalance, REBALANCES)):
            if value not in accepted:
                raise UsageError("%s is %r: it must be one of %s" % (name, value, listed(accepted)))
        if len(self.weights) != len(self.months.keys):
            raise UsageError("weights has %d numbers and universe has %d members: give one weight for each member, in the same order"
                             % (len(self.weights), len(self.months.keys)))
        for w in self.weights:
            check_weight(w)
        self.check_size()

    def check_size(self):
        """Check the numbers of months and of paths."""
        have, base, who = len(self.months.ends), iso(self.months.base), self.months.members()
        if have < LEAST_MONTHS:
            raise UsageError("%s have %d months in common, from %s: a simulation needs at least %d" % (who, have, base, LEAST_MONTHS))
        if self.source == "history":
            if self.horizon > have:
                raise UsageError("%d years are %d months, and %s have %d in common, from %s: history can be replayed "
                                 "for at most %d years; use another source, or fewer years"
                                 % (self.years, self.horizon, who, have, base, have // 12))
            return
        if not LEAST_PATHS <= self.paths <= MOST_PATHS:
            raise UsageError("paths is %d: it must be from %d to %d" % (self.paths, LEAST_PATHS, MOST_PATHS))
        if self.paths * self.horizon > MOST_STEPS:
            raise UsageError("%d paths of %d months are %d steps, and at most %d are computed: with %d years, paths may be at most %d"
                             % (self.paths, self.horizon, self.paths * self.horizon, MOST_STEPS, self.years, MOST_STEPS // self.horizon))

    def own_months(self):
        """Return the plan's own monthly returns through history, at its first weights, before fees."""
        return self.compounded(list(zip(*self.months.returns)))

    def compounded(self, rows):
        """Return the plan's returns over the months of a path at its first weights; rows has the returns by month and member."""
        if self.rebalance == "monthly":
            out = []
            for row in rows:
                total = 0.0
                for w, r in zip(self.weights, row):
                    total += w * r
                out.append(total)
            return out
        held = Holdings(self)
        return [held.month(t, row) for t, row in enumerate(rows)]


class Holdings:
    """The shares of the members in the value of one path."""

    def __init__(self, plan):
        self.every = REBALANCES[plan.rebalance]
        self.target = self.shares = plan.weights

    def aim(self, weights):
        """Bring the shares to weights, now and at each later time of rebalancing."""
        self.target = self.shares = weights

    def month(self, t, returns):
        """Rebalance where that is due before month t, move the shares through the month, and return its return."""
        shares = self.shares
        if t == 0 or self.every and t % self.every == 0:
            shares = self.target
        total = 0.0
        for s, r in zip(shares, returns):
            total += s * r
        if total <= -1:  # nothing is left
            self.shares = [0.0] * len(shares)
            return -1.0
        whole = 1 + total
        self.shares = [s * ((1 + r) / whole) for s, r in zip(shares, returns)]
        return total


def check_weight(w):
    if not abs(w) <= MOST_WEIGHT:
        raise UsageError("a weight is %s: it must be a number from -%d to %d" % (w, MOST_WEIGHT, MOST_WEIGHT))
