"""Drawdowns of an equity curve."""
import math

_HIGH_TOLERANCE = 1e-12  # how far below its high equity still counts as recovered


def _under_water(value, high):
    return value < high * (1 - _HIGH_TOLERANCE)


def _ulcer(equity):
    if len(equity) < 2 or not math.isfinite(equity[-1]):
        return math.nan
    high, squares = equity[0], 0.0
    for value in equity[1:]:
        if _under_water(value, high):
            depth = value / high - 1
            squares += depth * depth
        else:
            high = max(high, value)
    return math.sqrt(squares / (len(equity) - 1))


def _spells(equity):
    """Return the drawdowns in order of time: depth and positions of peak, valley and recovery."""
    spells = []
    high, peak, spell = equity[0], 0, None
    for i, value in enumerate(equity):
        if not _under_water(value, high):
            if spell:
                spell["recovery"], spell = i, None
            high, peak = max(high, value), i
            continue
        depth = value / high - 1
        if spell is None:
            spell = {"depth": depth, "peak": peak, "valley": i, "recovery": None}
            spells.append(spell)
        elif depth < spell["depth"]:
            spell["depth"], spell["valley"] = depth, i
    return spells


def _drawdown(value, peak=None, valley=None, recovery=None, days=None):
    return {"value": value, "peak": peak, "valley": valley, "recovery": recovery, "days": days}


def _deepest(series, equity, n):
    """Return the n deepest drawdowns, deepest first; of two equally deep ones the earlier comes first."""
    out = []
    for spell in sorted(_spells(equity), key=lambda s: s["depth"])[:n]:
        first, peak = series.text(spell["peak"])
        last, recovery = series.text(len(equity) - 1)[0], None
        if spell["recovery"] is not None:
            last, recovery = series.text(spell["recovery"])
        days = last - first if first is not None and last is not None else None
        out.append(_drawdown(spell["depth"], peak, series.text(spell["valley"])[1], recovery, days))
    return out
