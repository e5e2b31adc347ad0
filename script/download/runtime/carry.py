"""Paths: money carried through months, each with the payment, the return and the fee."""
import math
from array import array
from collections import namedtuple

from blocklength import block_lengths
from sources import source_of
from vector import _divide

SHORT = 1e-9  # the part of a payment that may be missing because of rounding
CURVE_RATES = [(k + 1) * 0.0025 for k in range(60)]
CURVE_LIMITS = [12 / rate * (1 + SHORT) for rate in CURVE_RATES]  # how large an annuity may become while a rate is paid

# How a path ends: depleted is the month in which a payment was not met in full, 1 the first, or 0.
Outcome = namedtuple("Outcome", "path final final_real depleted spent lowest_spent max_drawdown safe_rate perpetual_rate")


class Carrier:
    """All paths of a plan. Its columns have one element per path, or one per path and month."""

    def __init__(self, plan, context):
        self.plan = plan
        self.context = context
        self.own = plan.own_months()
        self.lengths = block_lengths(self.own)
        self.source = source_of(plan, self.lengths)
        self.rows = list(zip(*plan.months.returns))
        self.drawn = plan.months.inflation is not None
        self.prices = [(1 + plan.inflation) ** (t / 12) for t in range(plan.horizon + 1)]
        self.values, self.spending = array("d"), array("d")
        self.real_values, self.real_spending = array("d"), array("d")  # empty unless inflation is drawn
        self.outcomes = []
        self.failed = [0] * len(CURVE_RATES)  # paths that do not pay a rate to the end
        self.missing = [0] * len(CURVE_RATES)  # the months that they miss

    def draw(self, number):
        """Return the months of a path: the members' returns, the plan's own at its first weights, and prices' factors or None."""
        plan = self.plan
        inflation = plan.months.inflation
        if not self.source.past:
            rows = self.source.rows(number)
            factors = [1 + row[-1] for row in rows] if self.drawn else None
            return rows, plan.compounded(rows), factors
        picked = self.source.months(number)
        rows = [self.rows[m] for m in picked]
        own = [self.own[m] for m in picked] if plan.rebalance == "monthly" else plan.compounded(rows)
        return rows, own, [1 + inflation[m] for m in picked] if self.drawn else None

    def run(self):
        """Carry all paths."""
        for number in range(self.plan.paths):
            self.carry(number)

    def carry(self, number):
        """Carry one path through all months. Return its rows: value, real value, withdrawn."""
        plan, context = self.plan, self.context
        rows, returns, factors = self.draw(number)
        prices, drawn = self.prices, self.drawn
        step_months, horizon, charge = plan.step_months, plan.horizon, 1 - plan.fee / 12
        value = peak = plan.start_value
        fall = spent_in_all = annuity = money = 0.0
        lowest = math.inf
        growth = price = year_growth = year_price = 1.0
        inflation = plan.inflation  # of the last whole year, if it is drawn
        depleted = 0
        rate = len(CURVE_RATES) - 1
        limit = CURVE_LIMITS[rate]
        values, spending, real_values, real_spending, withdrawn = [], [], [], [], []
        held = None  # until a decision reads or changes the weights
        context._begin(number, rows, returns)
        for t in range(horizon):
            if t % step_months == 0:
                if drawn and t > 0 and t % 12 == 0:
                    inflation = price / year_price - 1
                money = context._decide(t, value, peak, price, year_growth, inflation) / step_months
                held = context._held
                if t % 12 == 0:
                    year_growth, year_price = 1.0, price
            if money < value or money <= 0:
                value -= money
                paid = money
            else:
                if depleted == 0 and money > value * (1 + SHORT):
                    depleted = t + 1
                paid, value = value, 0.0
            if held is not None:
                returns[t] = held.month(t, rows[t])
            r = returns[t]
            before = price
            if drawn:
                inflated = factors[t]
                price *= inflated
            else:
                price = prices[t + 1]
                inflated = price / before
            factor = (1 + r if r > -1 else 0.0) * charge
            value *= factor
            if value > peak:
                peak = value
            elif value < (1 + fall) * peak:
                fall = value / peak - 1
            spent = paid if paid > 0 else 0.0
            spent_in_all += spent
            if spent < lowest:
                lowest = spent
            year_growth *= 1 + r
            if growth > 0 and inflated > 0:
                annuity += 1 / growth
                growth *= factor / inflated
            else:
                annuity += _divide(1.0, growth)
                growth *= _divide(factor, inflated)
            while annuity > limit:
                self.failed[rate] += 1
                self.missing[rate] += horizon - t
                rate -= 1
                limit = CURVE_LIMITS[rate] if rate >= 0 else math.inf
            values.append(value)
            spending.append(spent)
            withdrawn.append(paid)
            if drawn:
                real_values.append(_divide(value, price))
                real_spending.append(_divide(spent, before))
        self.values.extend(values)
        self.spending.extend(spending)
        self.real_values.extend(real_values)
        self.real_spending.extend(real_spending)
        final_real = _divide(value, price)
        safe, perpetual = _divide(12.0, annuity), _divide(12 * (1 - _divide(1.0, growth)), annuity)
        self.outcomes.append(Outcome(number, value, final_real, depleted, spent_in_all, lowest, fall, safe, perpetual))
        if not drawn:
            real_values = [v / p for v, p in zip(values, prices[1:])]
        return values, real_values, withdrawn
