"""Weights: selecting symbols and sizing them."""
from arguments import _finite, _finite_weights, _integer, _numbers, _refuse, _type_name
from optimize import _capped
from vector import Vector, _gross, _plain_sum, _short


def top(scores, n):
    """The n symbols with the highest scores, best first; ties keep their order."""
    n = _integer("top", "n", n, 0)
    return _best(_numbers("top", "scores", scores))[:n]


def bottom(scores, n):
    """The n symbols with the lowest scores, lowest first; ties keep their order."""
    n = _integer("bottom", "n", n, 0)
    k = _numbers("bottom", "scores", scores)
    return sorted(k, key=lambda s: k[s])[:n]


def rank(scores):
    """A dictionary from symbols to ranks, 1 the highest score."""
    k = _numbers("rank", "scores", scores)
    ranks = {s: r for r, s in enumerate(_best(k), 1)}
    return {s: ranks[s] for s in k}


def _best(k):
    return sorted(k, key=lambda s: -k[s])


def above(scores, threshold=0.0):
    """The scores strictly above the threshold, in order."""
    threshold = _finite("above", "threshold", threshold)
    return {s: x for s, x in _numbers("above", "scores", scores).items() if x > threshold}


def breadth(scores, threshold=0.0):
    """The fraction of the scores strictly above the threshold; 0 for empty scores."""
    threshold = _finite("breadth", "threshold", threshold)
    k = _numbers("breadth", "scores", scores)
    return len([x for x in k.values() if x > threshold]) / len(k) if k else 0.0


def equal_weight(symbols, total=1.0):
    """total/n for each of n symbols; {} for no symbols."""
    total = _finite("equal_weight", "total", total)
    if isinstance(symbols, str) or not hasattr(symbols, "__iter__"):
        _refuse("equal_weight", "symbols is a %s; a list is needed", _type_name(symbols))
    members = list(symbols)
    weights = {}
    for s in members:
        if not isinstance(s, str):
            _refuse("equal_weight", "symbols contains a %s; it must contain only symbols", _type_name(s))
        if s in weights:
            _refuse("equal_weight", '"%s" is listed twice', s)
        weights[s] = total / len(members)
    return weights


def proportional(scores, total=1.0):
    """Weights in proportion to the positive scores that add up to total; all 0 if none is positive."""
    total = _finite("proportional", "total", total)
    k = {s: max(x, 0.0) for s, x in _numbers("proportional", "scores", scores).items()}
    whole = _plain_sum(k.values(), 0.0)
    return _finite_weights("proportional", {s: x * total / whole if whole > 0 else x for s, x in k.items()})


def normalize(weights, total=1.0):
    """The weights scaled so that their absolute values add up to total; all zeros stay zero."""
    total = _finite("normalize", "total", total)
    k = _numbers("normalize", "weights", weights)
    gross = _gross(k.values())
    return _finite_weights("normalize", {s: w * total / gross if gross > 0 else w for s, w in k.items()})


def scale(weights, factor):
    """Each weight times factor."""
    factor = _finite("scale", "factor", factor)
    return _finite_weights("scale", {s: w * factor for s, w in _numbers("scale", "weights", weights).items()})


def cap(weights, limit):
    """Weights of at most limit; the excess goes to the others in proportion, and the rest to CASH."""
    limit = _finite("cap", "limit", limit)
    k = _numbers("cap", "weights", weights)
    if limit < 0:
        _refuse("cap", "limit is %s; it must be at least 0", _short(limit))
    for s, w in k.items():
        if w < 0:
            _refuse("cap", "the weight of %s is %s; weights must be at least 0", s, _short(w))
    best = _capped("cap", weights, limit)
    if best is not None:
        return best
    full = set()
    while True:
        freed = room = 0.0
        for s, w in k.items():
            if w > limit:
                freed += w - limit
                k[s] = limit
                full.add(s)
            elif s not in full:
                room += w
        if freed == 0 or room == 0:
            return _finite_weights("cap", k)
        for s, w in k.items():
            if s not in full:
                k[s] = w + w * freed / room


def remainder(weights, symbol, total=1.0):
    """The weights with total minus their sum added to symbol."""
    total = _finite("remainder", "total", total)
    k = _numbers("remainder", "weights", weights)
    if not isinstance(symbol, str):
        _refuse("remainder", "symbol is a %s; a string is needed", _type_name(symbol))
    held = _plain_sum(k.values(), 0.0)
    if held > total + 1e-12:
        _refuse("remainder", "the weights add up to %s, above the total of %s", _short(held), _short(total))
    k[symbol] = k.get(symbol, 0.0) + (total - held)
    return _finite_weights("remainder", k)


def blend(a, b, share=0.5):
    """share * a + (1 - share) * b by symbol: the symbols of a, then those only in b."""
    share = _finite("blend", "share", share)
    x, y = _numbers("blend", "a", a), _numbers("blend", "b", b)
    out = {s: w * share for s, w in x.items()}
    for s, w in y.items():
        other = (1 - share) * w
        out[s] = out[s] + other if s in out else other
    return _finite_weights("blend", out)


def limit_turnover(current, target, most):
    """The target if it trades at most `most`, else a move towards it that does."""
    name = "limit_turnover"
    x, y = _numbers(name, "current", current), _numbers(name, "target", target)
    most = _finite(name, "most", most)
    if most < 0:
        _refuse(name, "most is %s; it must be at least 0", _short(most))
    moves = {s: y.get(s, 0.0) - w for s, w in x.items()}
    moves.update((s, w) for s, w in y.items() if s not in x)
    gross = _gross(moves.values())
    if gross <= most:
        return {s: y.get(s, 0.0) for s in moves}
    return _finite_weights(name, {s: x.get(s, 0.0) + move * most / gross for s, move in moves.items()})


def drifted(weights, target, band, relative=False):
    """Whether any weight is more than band away from its target, or than band times the target if relative."""
    w, t = _numbers("drifted", "weights", weights), _numbers("drifted", "target", target)
    band = _finite("drifted", "band", band)
    if not isinstance(relative, bool):
        _refuse("drifted", "relative is a %s; True or False is needed", _type_name(relative))
    for s in list(t) + [s for s in w if s not in t]:
        goal = t.get(s, 0.0)
        if abs(w.get(s, 0.0) - goal) > (band * abs(goal) if relative else band):
            return True
    return False


def random(seed, n=1):
    """A vector of n numbers in [0, 1), always the same for a seed (an integer or a string)."""
    if not isinstance(seed, (int, str)) or isinstance(seed, bool):
        _refuse("random", "seed is a %s; it must be an integer or a string, such as ctx.date", _type_name(seed))
    if not 0 <= _integer("random", "n", n) <= 100000:
        _refuse("random", "n is %d; it must be from 0 to 100000", n)
    whole = 2**64 - 1
    state = 0xCBF29CE484222325  # FNV-1a
    for byte in str(seed).encode("utf-8"):
        state = ((state ^ byte) * 0x100000001B3) & whole
    out = []
    for _ in range(n):  # SplitMix64
        state = (state + 0x9E3779B97F4A7C15) & whole
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & whole
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & whole
        z ^= z >> 31
        out.append((z >> 11) / 2**53)
    return Vector(out)
