"""The engine: it invests in a model's targets over a frame and records the result.

Numbers are fractions of equity, except equity and cash, which are in currency.
Nothing that is done on a session depends on a later one.
"""
import math
from bisect import bisect_left

from exchange import decision_sessions
from failure import ModelError
from frame import iso

STALE_LIMIT = 10  # consecutive sessions without a bar; on the next one a member is suspended
LEAST_EQUITY = 2.0**-1022  # the smallest normal float; smaller equity counts as zero
MOST_EXPOSURE = 1e12  # times equity; with more, equity is lost in rounding
CASH_DUST = 1e-13  # fraction of equity; a smaller remainder of the targets counts as rounding

MEMBERS_NEEDED = {"all_members": None, "two_members": 2, "first_member": 1}


class Spec:
    """What the engine needs besides the frame: schedule, fill, start, start_date (a day or None), initial_cash."""

    def __init__(self, schedule, fill, start, start_date, initial_cash):
        self.schedule = schedule
        self.fill = fill
        self.start = start
        self.start_date = start_date
        self.initial_cash = initial_cash


def start_session(frame, spec):
    """Return the first session, not before the start date, on which the start rule is satisfied."""
    needed = MEMBERS_NEEDED[spec.start] or len(frame.members)
    needed = min(needed, len(frame.members))
    firsts = sorted(m.first for m in frame.members if m.first >= 0)
    if len(firsts) < needed:
        missing = [m.key for m in frame.members if m.first < 0]
        raise ModelError("start rule %s needs %d members with bars; %s %s none"
                         % (spec.start, needed, ", ".join(missing), "has" if len(missing) == 1 else "have"))
    start = firsts[needed - 1]
    if spec.start_date is not None:
        start = max(start, bisect_left(frame.axis, spec.start_date))
    if start >= len(frame.axis):
        raise ModelError("start date %s is after the last bar, %s" % (iso(spec.start_date), iso(frame.axis[-1])))
    return start


def standing(frame):
    """Return the changes of the members' status by session: lists of (member, whether it can be held, reason)."""
    changes = {}
    for i, m in enumerate(frame.members):
        if m.first < 0:
            continue
        changes.setdefault(m.first, []).append((i, True, "listed"))
        end = len(frame.axis)
        if m.delisted and m.last + 1 < end:
            end = m.last + 1
            changes.setdefault(end, []).append((i, False, "delisted"))
        stale = 0
        for t in range(m.first, end):
            if m.bars[t]:
                if stale > STALE_LIMIT:
                    changes.setdefault(t, []).append((i, True, "resumed"))
                stale = 0
                continue
            stale += 1
            if stale == STALE_LIMIT + 1:
                changes.setdefault(t, []).append((i, False, "suspended"))
    return changes


def stale_sessions(frame, base):
    """Yield for each member the sessions after base on which it is listed but has no bar."""
    for i, m in enumerate(frame.members):
        end = m.last + 1 if m.delisted else len(frame.axis)
        if m.first >= 0:
            yield i, [t for t in range(max(m.first, base + 1), end) if not m.bars[t]]


def added(values):
    """Return the sum, in groups of four as in the service, so that the last bits agree."""
    total = 0.0
    n = len(values)
    for k in range(0, n - 3, 4):
        total += (values[k] + values[k + 1]) + (values[k + 2] + values[k + 3])
    if n % 4 >= 2:
        total += values[n - n % 4] + values[n - n % 4 + 1]
    if n % 2 == 1:
        total += values[-1]
    return total


class Result:
    """The result of a run. Rows are lists with one entry per session, starting at the base."""

    def __init__(self, keys, axis):
        self.keys = keys
        self.axis = axis
        self.base = None  # its position on the axis
        self.returns = []
        self.equity = []
        self.gross = []  # gross exposure at the close
        self.traded = []  # notional traded on the session
        self.weights = []  # a list by member, at the close
        self.cash = []
        self.held = [False] * len(keys)  # whether a member was ever held
        self.ledger = []
        self.custom = {}  # recorded numbers by name, by position on the axis
        self.warnings = {}  # (kind, member) to [count, first position, last position]


class Engine:
    """The state of one run at the close of session t."""

    def __init__(self, frame, spec, decide):
        """decide(engine) must return one weight per member, or None for no trade."""
        self.frame = frame
        self.spec = spec
        self.decide = decide
        n = len(frame.members)
        self.t = 0
        self.hold = [0.0] * n  # in currency; negative if short
        self.longs = []  # members with a positive holding
        self.shorts = []
        self.cash = self.equity = spec.initial_cash
        self.tradable = [False] * n
        self.target = None  # of the latest decision
        self.decided = None  # the session of the latest decision
        self.result = Result([m.key for m in frame.members], frame.axis)

    def run(self):
        """Go from session to session."""
        start = start_session(self.frame, self.spec)
        due = decision_sessions(self.spec.schedule, self.frame.axis, self.frame.calendar(), start)
        decisions = set(due)
        changes = standing(self.frame)
        for t in sorted(changes):
            if t < start:
                for i, tradable, _ in changes[t]:
                    self.tradable[i] = tradable
        pending = False
        for t in range(start, len(self.frame.axis)):
            self.t = t
            if self.result.base is not None and not self.drift():
                break
            for i, tradable, reason in changes.get(t, ()):
                self.tradable[i] = tradable
                if not tradable and self.hold[i] != 0:
                    self.forced_sale(i, reason)
            if pending:
                self.fill()
                pending = False
            if t in decisions:
                target = self.decide(self)
                if target is not None:
                    self.target, self.decided = target, t
                    if self.spec.fill == "close":
                        self.fill()
                    else:
                        pending = True
            if self.result.base is not None:
                self.write_weights()
        if self.result.base is None:
            raise ModelError("no decision was filled from %s to %s: decide returned None on all of %d decision sessions, "
                             "or on all but the last" % (iso(self.frame.axis[start]), iso(self.frame.axis[-1]), len(due)))
        self.warn_stale()
        return self.result

    def drift(self):
        """Apply the session's returns to the holdings. Return False if no equity is left."""
        members, hold, t, r = self.frame.members, self.hold, self.t, self.result
        for side in (self.longs, self.shorts):
            for i in side:
                hold[i] *= 1 + members[i].returns[t]
        long = added([hold[i] for i in self.longs])
        short = added([hold[i] for i in self.shorts])
        value = self.cash + long + short
        if not math.isfinite(value) or not math.isfinite(long - short):
            raise self.too_large()
        if value < LEAST_EQUITY or (long - short) * (1 / value) > MOST_EXPOSURE:
            self.ruin()
            return False
        growth = value * (1 / self.equity)
        if not math.isfinite(growth):
            raise self.too_large()
        r.returns.append(growth - 1)
        r.equity.append(value)
        r.gross.append((long - short) * (1 / value))
        r.traded.append(0.0)
        self.equity = value
        return True

    def too_large(self):
        """Return the error for a session whose numbers overflow."""
        return ModelError("equity is too large for a float64", iso(self.frame.axis[self.t]))

    def weights(self):
        """Return the current weights by member."""
        per_unit = 1 / self.equity
        return [h * per_unit for h in self.hold]

    def fill(self):
        """Trade to the target at the close."""
        r, t = self.result, self.t
        reason = "schedule"
        if r.base is None:
            reason = "start"
            r.base = t
            r.returns.append(0.0)
            r.equity.append(self.equity)
            r.gross.append(0.0)
            r.traded.append(0.0)
        before = self.weights()
        changes = []
        self.longs, self.shorts = [], []
        trades = {}
        for i, w in enumerate(self.target):
            if w != 0 and not self.tradable[i]:
                self.warn("untradable", i)
                w = 0.0
            changes.append(abs(w - before[i]))
            if w != 0 or before[i] != 0:
                trades[r.keys[i]] = trade(before[i], w)
            h = w * self.equity
            self.hold[i] = h
            if h > 0:
                self.longs.append(i)
            elif h < 0:
                self.shorts.append(i)
        turnover = added(changes)
        long = added([max(h, 0.0) for h in self.hold])
        short = added([min(h, 0.0) for h in self.hold])
        gross = (long - short) / self.equity
        if not gross <= MOST_EXPOSURE:
            raise ModelError("the target has a gross exposure of %.4g times equity; above %g equity is lost in the rounding"
                             % (gross, MOST_EXPOSURE), iso(self.frame.axis[self.decided]))
        self.cash = self.equity - (long + short)
        if abs(self.cash) <= CASH_DUST * self.equity:
            self.cash = 0.0
        r.gross[-1] = gross
        r.traded[-1] += turnover
        if not trades:
            trades["CASH"] = trade(self.cash / self.equity, self.cash / self.equity)
        self.write_event(self.decided, reason, turnover, trades)

    def forced_sale(self, i, reason):
        """Turn a member's position into CASH at its last price."""
        r = self.result
        h = self.hold[i]
        before = h / self.equity
        self.hold[i] = 0.0
        self.cash += h
        self.longs = [k for k in self.longs if k != i]
        self.shorts = [k for k in self.shorts if k != i]
        r.traded[-1] += abs(before)
        gross = 0.0
        for k in self.longs:
            gross += self.hold[k]
        for k in self.shorts:
            gross -= self.hold[k]
        r.gross[-1] = gross / self.equity
        self.warn(reason, i)
        self.write_event(self.t, reason, abs(before), {r.keys[i]: trade(before, 0.0)})

    def ruin(self):
        """End the run without equity: a return of -100 % on this session, 0 afterwards, all CASH."""
        r, t = self.result, self.t
        rest = len(self.frame.axis) - t
        turnover = 0.0
        trades = {}
        for i, h in enumerate(self.hold):
            if h != 0:
                before = h / self.equity  # equity at the previous close, since now there is none
                turnover += abs(before)
                trades[r.keys[i]] = trade(before, 0.0)
        if not math.isfinite(turnover):
            raise self.too_large()
        r.returns += [-1.0] + [0.0] * (rest - 1)
        r.traded += [turnover] + [0.0] * (rest - 1)
        r.equity += [0.0] * rest
        r.gross += [0.0] * rest
        r.weights += [[0.0] * len(r.keys)] * rest
        r.cash += [1.0] * rest
        self.warn("ruin", None)
        self.write_event(t, "ruin", turnover, trades)

    def write_weights(self):
        """Store the weights at the close."""
        r = self.result
        for side in (self.longs, self.shorts):
            for i in side:
                r.held[i] = True
        r.weights.append([h / self.equity for h in self.hold])
        r.cash.append(self.cash / self.equity)

    def write_event(self, decided, reason, turnover, trades):
        """Add an event to the ledger."""
        axis = self.frame.axis
        self.result.ledger.append({
            "fill": iso(axis[self.t]), "decided": iso(axis[decided]), "reason": reason,
            "turnover": turnover, "trades": trades,
        })

    def record(self, name, value):
        """Store a number for this session; one that is not finite counts as missing."""
        self.result.custom.setdefault(name, {})[self.t] = value if math.isfinite(value) else None

    def warn(self, kind, i):
        noted = self.result.warnings.setdefault((kind, i), [0, self.t, self.t])
        noted[0] += 1
        noted[2] = self.t

    def warn_stale(self):
        for i, sessions in stale_sessions(self.frame, self.result.base):
            if sessions:
                self.result.warnings[("stale", i)] = [len(sessions), sessions[0], sessions[-1]]


def trade(before, target):
    """Return one member's part of an event, in fractions of equity."""
    return {"before": before, "target": target, "traded": abs(target - before)}


def warning_texts(result):
    """Return the warnings of a result as texts."""
    texts = {
        "stale": "%s has no bar %s; its last price stands there",
        "suspended": "%s had no bar for more than 10 sessions; its position became CASH at the last price %s",
        "delisted": "%s is delisted; its position became CASH at the last price %s",
        "untradable": "a target on %s stayed in CASH %s: it was suspended or delisted",
    }
    lines = []
    for (kind, i), (count, first, last) in result.warnings.items():
        when = "on " + iso(result.axis[first])
        if count > 1:
            times = "on %d sessions" if kind == "stale" else "%d times"
            when = "%s from %s to %s" % (times % count, iso(result.axis[first]), iso(result.axis[last]))
        if kind == "ruin":
            lines.append("equity fell to zero or below %s; nothing is held or earned from then on" % when)
        else:
            lines.append(texts[kind] % (result.keys[i], when))
    return lines
