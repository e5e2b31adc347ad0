"""Bars from the service, read over its public API."""
import json
import re
import urllib.error
import urllib.parse
import urllib.request

from entries import meaning
from frame import Series
from inputs import UsageError, parse_date


class Service:
    """The service at a URL, accessed with a key."""

    def __init__(self, url, key):
        self.url = re.sub("(?<!/)(/v1)?/*$", "", url, count=1)
        self.key = key.strip()
        if not re.match("https?://[^/]", url):
            raise UsageError("--url is %s; write the address of the service as https://…" % url)
        if not re.match(r"[!-~]*\Z", self.key):
            raise UsageError("--key has characters that do not occur in keys")

    def get(self, *path, **query):
        """Read one resource, or return None if it does not exist."""
        address = "/".join([self.url, "v1"] + [urllib.parse.quote(part, safe="") for part in path])
        if query:
            address += "?" + urllib.parse.urlencode(query)
        try:
            request = urllib.request.Request(address, headers={"Accept": "application/json"})
            if self.key:
                request.add_header("Authorization", "Bearer " + self.key)
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.loads(answer.read().decode("utf-8"))
        except urllib.error.HTTPError as e:
            if e.code == 404:
                return None
            if e.code == 401:
                raise UsageError("%s does not accept the key; give a valid one with --key or in BALLAST_KEY" % self.url) from None
            raise UsageError("%s answers %d: %s" % (address, e.code, message(e))) from None
        except (OSError, ValueError) as e:
            raise UsageError("%s cannot be read: %s" % (address, getattr(e, "reason", e))) from None

    def member(self, entry):
        """Return the series of one entry of a universe: what it referred to in the service, or else an asset or model with that name."""
        kind, known, name = meaning(entry)
        if kind != "model":
            asset = self.get("assets", known or name.upper())
            if asset is not None and (known or asset["symbol"] == name.upper()):
                return self.asset(asset)
        if kind == "asset":
            return None
        model = self.get("models", known or name)
        return None if model is None else self.model(entry, model)

    def asset(self, asset):
        """Return an asset's history, including what the caller's backfill puts before it."""
        history = self.get("assets", asset["symbol"], "history")
        if history is None or not history.get("base") or not asset["first_price_date"]:
            raise UsageError("%s has no bars in the service" % asset["symbol"])
        base, first = parse_date(history["base"]), parse_date(asset["first_price_date"])
        dates = [parse_date(d) for d in history["dates"]]
        own = [day for day in [base] + dates if day >= first]
        seven_day = 20 * len([day for day in own if day % 7 in (0, 6)]) > len(own)
        return Series(base, dates, history["returns"], seven_day, asset["delisted"])

    def model(self, entry, model):
        history = self.get("models", model["id"], "history", include="returns", full_history="true")
        if history is None or not history["window"]["base"]:
            raise UsageError("the member model %s has no result yet" % entry)
        dates = [parse_date(d) for d in history["dates"]]
        seven_day = (model.get("metadata") or {}).get("alignment", {}).get("bars_per_year") == 365
        return Series(parse_date(history["window"]["base"]), dates, history["returns"], seven_day)

    def read(self, entries):
        """Return the series of each entry that the service knows, by entry."""
        found = {entry: self.member(entry) for entry in entries}
        return {entry: s for entry, s in found.items() if s is not None}


def message(error):
    """Return the message of an error response."""
    try:
        return json.loads(error.read().decode("utf-8"))["error"]["message"]
    except (OSError, ValueError, KeyError, TypeError):
        return error.reason
