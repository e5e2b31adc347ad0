"""Functions of analyses about dated episodes."""
import math

from asked import Asked, named, shown
from entries import meaning
from episodes import EPISODES, through
from frame import iso
from inputs import UsageError, nearest, parse_date

MOST_EPISODES = 50
FORM = '{"name": "taper", "first": "2013-05-22", "last": "2013-06-24"}'


@named
def stress(ctx, keys, episodes=None):
    """Send members through episodes. What models hold today is not in files of bars, so that it has no return here."""
    asked, window, sheet = Asked("stress"), ctx._window, ctx._sheet
    keys, found = asked.keys("keys", keys), episodes_of(asked, episodes)
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
    return sheet.shown("stress")


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
