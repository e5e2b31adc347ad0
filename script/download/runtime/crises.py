"""Functions of analyses about dated episodes and moves of factors."""
import math

from asked import Asked, named, shown
from entries import meaning
from episodes import EPISODES, through
from frame import iso
from inputs import UsageError, is_number, nearest, parse_date
from regression import WIDTH, regress
from window import DAILY

MOST_EPISODES = 50
MOST_FACTORS = 20
FORM = '{"name": "taper", "first": "2013-05-22", "last": "2013-06-24"}'


@named
def stress(ctx, keys, episodes=None, shocks=None):
    """Send members through episodes, and through moves of factors."""
    asked, window, sheet = Asked("stress"), ctx._window, ctx._sheet
    keys, moves = asked.keys("keys", keys), shocks_of(asked, shocks)
    found = episodes_of(asked, episodes) if moves is None or episodes is not None else []
    if moves is not None:
        shocked(window, sheet, keys, moves)
    if not found:
        return sheet.shown("shocks")
    through_episodes(window, sheet, keys, found)
    return sheet.shown("stress")


def through_episodes(window, sheet, keys, found):
    """Write what members did in episodes. What models hold today is not in files of bars, so that it has no return here."""
    rows = []
    for name, first, last in found:
        for key in keys:
            base, dates, returns = window.whole(key)
            own, fall = through(base, dates, returns, parse_date(first), parse_date(last))
            rows.append((name, first, last, key, own, math.nan if meaning(key)[0] == "model" else own, fall))
    sheet.figure("stress", "Return in each episode", "heatmap", "stress", "key", ["episode", "own_return"], "", "fraction")
    sheet.figure("stress_today", "What the holdings of today would have returned", "heatmap", "stress", "key", ["episode", "today_return"], "", "fraction")
    names = "episode", "first", "last", "key", "own_return", "today_return", "drawdown"
    sheet.table("stress", dict(zip(names, map(list, zip(*rows)))))


def shocks_of(asked, shocks):
    """Read a dictionary from members to how far they move; None stays None."""
    if shocks is None:
        return None
    accepted = 'a dictionary from factors to how far they move, such as {"SPY": -0.2}'
    if not isinstance(shocks, dict) or not 1 <= len(shocks) <= MOST_FACTORS:
        asked.refuse("shocks", "is " + shown(shocks), "%s, 1 to %d factors" % (accepted, MOST_FACTORS))
    for name, move in shocks.items():
        if not isinstance(name, str) or not name or not is_number(move) or not -1 <= move <= 10:
            asked.refuse("shocks", "moves %s by %s" % (shown(name), shown(move)), accepted + ", fractions from -1 to 10")
    return shocks


def shocked(window, sheet, keys, moves):
    """Write what members would do if factors moved, by a regression of their daily returns on those of the factors."""
    whole, parts = [], []
    for key in keys:
        columns = window.columns([key] + list(moves), DAILY)
        window.common(columns, DAILY)
        r = regress(columns[0], columns[1:])
        impact, error = r.shock(moves)
        whole.append((key, impact, error, impact - WIDTH * error, impact + WIDTH * error, r.r_squared, float(r.n)))
        parts += [(key, c.name, float(moves[c.name]), c.loading, c.error, c.loading * moves[c.name]) for c in r.coefficients[1:]]
    sheet.figure("shocks", "What the shock would do", "bar", "shocks", "key", ["return"], "", "fraction")
    for name, columns, rows in (("shocks", ("key", "return", "std_error", "low", "high", "r_squared", "n"), whole),
                                ("shock_factors", ("key", "factor", "move", "loading", "std_error", "effect"), parts)):
        sheet.table(name, dict(zip(columns, map(list, zip(*rows)))))


def episodes_of(asked, episodes):
    """Read a list of names of known episodes and of dictionaries; None stands for all known ones."""
    if episodes is None:
        return EPISODES
    known = [name for name, _, _ in EPISODES]
    accepted = ", ".join(known + [FORM])
    if not isinstance(episodes, list) or not 1 <= len(episodes) <= MOST_EPISODES:
        asked.refuse("episodes", "is " + shown(episodes), "%s, an array of up to %d of them" % (accepted, MOST_EPISODES))
    out = []
    for e in episodes:
        if isinstance(e, str):
            if e not in known:
                asked.refuse("episodes", 'names "%s", which is not a known episode%s' % (e, nearest(e, known)), accepted)
            e = EPISODES[known.index(e)]
        else:
            e = episode_of(asked, e, accepted)
        if e[0] in [name for name, _, _ in out]:
            asked.refuse("episodes", "names %s twice" % e[0], accepted)
        out.append(e)
    return out


def episode_of(asked, e, accepted):
    """Read the name and the dates of one episode."""
    if not isinstance(e, dict):
        asked.refuse("episodes", "contains " + shown(e), accepted)
    if sorted(map(str, e)) != ["first", "last", "name"] or not e["name"] or not isinstance(e["name"], str):
        asked.refuse("episodes", "has an episode without exactly name, first and last", accepted)
    try:
        first, last = parse_date(e["first"]), parse_date(e["last"])
    except UsageError:
        asked.refuse("episodes", "has an episode whose first or last is not a date written YYYY-MM-DD", accepted)
    if first > last:
        asked.refuse("episodes", "has an episode that ends on %s, before it begins on %s" % (iso(last), iso(first)), accepted)
    return e["name"], iso(first), iso(last)
