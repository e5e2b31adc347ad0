"""What the entries of a universe refer to."""

MEANINGS = {}  # by entry: kind, id and symbol, as the service found them when the script was accepted


def meaning(entry):
    """Return the kind of an entry ("asset", "model", or "" if it may be either), its id or "", and its symbol."""
    if entry in MEANINGS:
        return MEANINGS[entry]
    for kind in ("asset", "model"):
        if entry.startswith(kind + ":"):
            return kind, "", entry[len(kind) + 1:]
    return "", "", entry


def symbols_of(entry):
    """Return the symbols that an entry may have in files of bars, the likeliest first."""
    symbol = meaning(entry)[2].upper()
    return [symbol] if symbol == entry.upper() else [symbol, entry.upper()]
