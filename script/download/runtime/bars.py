"""Bars from CSV files, plain or gzipped, in the layouts that the service imports.

A long file has one row per symbol and date; a wide file has one column of
adjusted prices per symbol. Total returns are computed, by symbol, from the first
of adjusted close, close (with dividend and split) and total return in the file.
"""
import csv
import gzip
import io
import math
import os
import re
import zlib
from datetime import date

from entries import symbols_of
from frame import Series, iso
from inputs import UsageError

ROLES = {
    "symbol": ("symbol", "ticker", "sym", "instrument", "asset", "code"),
    "date": ("date", "day", "timestamp", "datetime", "time", "tradedate", "pricedate", "", "unnamed0", "index", "indexlevel0"),
    "close": ("close", "closeprice", "closingprice", "price", "last", "pxlast"),
    "adj_close": ("adjclose", "adjustedclose", "closeadj", "closeadjusted", "adjcloseprice", "adjprice", "adjustedprice"),
    "dividend": ("dividend", "dividends", "div", "divcash", "dividendamount", "cashdividend", "distribution"),
    "split": ("split", "splits", "stocksplit", "stocksplits", "splitfactor", "splitratio", "splitcoefficient"),
    "total_return": ("totalreturn", "return", "returns", "ret", "dailyreturn"),
}
PRICES = ("adj_close", "close", "total_return")  # in the order in which returns are taken from them
NUMBERS = PRICES + ("dividend", "split")
MISSING = ("", "null", "nan", "na", "n/a", "none", "-", "#n/a", "nat")
ENDINGS = re.compile(r"(\.(csv|txt|tsv|gz))+\Z", re.IGNORECASE)
DATE = re.compile(r"(\d{4})[-/](\d\d?)[-/](\d\d?)\Z|(\d{4})-(\d\d)-(\d\d)[ T]\d|(\d{4})(\d\d)(\d\d)\Z")


def read(paths, entries, delisted):
    """Return the series of each entry of a universe, by entry, and the symbols in the files."""
    wanted = {symbol for entry in entries for symbol in symbols_of(entry)}
    known, files = set(), []
    for path in paths:
        rows = {}
        for symbol, row in Table(path).read(wanted, known):
            rows.setdefault(symbol, []).append(row)
        files.append({symbol: distinct(symbol, sorted(found, key=day_of)) for symbol, found in rows.items()})
    found = {}
    for entry in entries:
        for symbol in symbols_of(entry):
            parts = [rows[symbol] for rows in files if symbol in rows]
            if parts:
                found[entry] = series(symbol, parts, symbol in delisted)
                break
    return found, sorted(known)


def day_of(row):
    return row[0]


def open_text(path):
    """Return a file as text, decompressed if it is gzipped."""
    name = os.path.basename(path)
    try:
        with open(path, "rb") as f:
            data = f.read()
    except OSError as e:
        raise UsageError("%s cannot be read: %s" % (path, e.strerror)) from None
    if data[:4] == b"PAR1":
        raise UsageError("%s is a Parquet file; give it as CSV" % name)
    try:
        if data[:2] == b"\x1f\x8b":
            data = gzip.decompress(data)
        return io.StringIO(data.decode("utf-8-sig"), newline="")
    except (EOFError, OSError, zlib.error):
        raise UsageError("%s is a damaged gzip file; fetch it again" % name) from None
    except UnicodeDecodeError:
        raise UsageError("%s is neither CSV in UTF-8 nor gzipped CSV" % name) from None


class Table:
    """A file of bars under its header."""

    def __init__(self, path):
        self.name = os.path.basename(path)
        text = open_text(path)
        line = "\n"
        while line and not line.strip():
            begin = text.tell()
            line = text.readline()
        if not line:
            raise UsageError("%s is empty" % self.name)
        text.seek(begin)
        comma = ","
        for c in ";\t|":
            if line.count(c) > line.count(comma):
                comma = c
        self.lines = csv.reader(text, delimiter=comma)
        self.header = next(self.lines)
        self.roles, self.symbol, self.wide = columns(self.name, self.header)
        self.days = {}  # parsed days by their text

    def fail(self, what):
        raise UsageError("%s, line %d: %s" % (self.name, self.lines.line_num, what))

    def read(self, wanted, known):
        """Yield (symbol, row) of the wanted symbols; a row is a day and the NUMBERS. Add all symbols to known."""
        known.update(self.wide)
        at = self.roles["date"]
        try:
            for cells in self.lines:
                if not cells:
                    continue
                if len(cells) != len(self.header):
                    self.fail("%s cells than the header has" % ("fewer" if len(cells) < len(self.header) else "more"))
                for symbol, numbers in self.of_line(cells, wanted, known):
                    yield symbol, (self.day(cells[at]),) + self.checked(*numbers)
        except csv.Error as e:
            self.fail("it cannot be read as CSV: %s" % e)

    def of_line(self, cells, wanted, known):
        """Return the (symbol, numbers) pairs of a line."""
        if self.wide:
            prices = ((s, self.number(cells[at], "adj_close")) for s, at in self.wide.items() if s in wanted)
            return [(s, (price, None, None, None, None)) for s, price in prices if price is not None]
        symbol = self.symbol or cells[self.roles["symbol"]].strip().upper()
        known.add(symbol)
        if symbol not in wanted:
            return ()
        return ((symbol, [self.number(cells[self.roles[r]], r) if r in self.roles else None for r in NUMBERS]),)

    def number(self, cell, role):
        """Return the number in a cell, or None if it is missing."""
        try:
            x = float(cell)
            if math.isfinite(x):
                return x
        except ValueError:
            pass
        if cell.strip().lower() not in MISSING:
            self.fail('%s "%s" is not a finite number' % (role, cell))
        return None

    def checked(self, adjusted, close, total, dividend, split):
        """Check the numbers of a row. A missing dividend is 0, a missing split 1."""
        dividend, split = dividend or 0.0, split or 1.0
        for price in (adjusted, close):
            if price is not None and price <= 0:
                self.fail("the price %s is not positive" % price)
        if dividend < 0 or split < 0 or total is not None and total < -1:
            self.fail("a dividend or split is below 0, or a return is below -1")
        return adjusted, close, total, dividend, split

    def day(self, written):
        """Return the day of a date. A time after the date is ignored."""
        if written in self.days:
            return self.days[written]
        found = DATE.match(written.strip())
        try:
            self.days[written] = date(*(int(part) for part in found.groups() if part is not None)).toordinal()
            return self.days[written]
        except (AttributeError, ValueError):
            return self.fail('"%s" is not a date written YYYY-MM-DD, YYYY/MM/DD or YYYYMMDD' % written)


def columns(name, header):
    """Return the column of each role, the symbol from the file name if there is no such column, and a wide file's columns."""
    plain = [re.sub(r"[ _.:\ufeff\t-]", "", cell.lower()) for cell in header]
    roles = {}
    for role, names in ROLES.items():
        found = [synonym for synonym in names if synonym in plain]
        if found:
            roles[role] = plain.index(found[0])
    if "date" not in roles:
        raise UsageError("%s has no date column among %s" % (name, ", ".join(header)))
    if "close" in roles and "adj_close" not in roles and "split" in roles and {"open", "high", "low", "dividends", "stocksplits"} <= set(plain):
        # yfinance adjusts Close for dividends and splits unless the file has Adj Close.
        roles = {role: at for role, at in roles.items() if role in ("symbol", "date")}
        roles["adj_close"] = plain.index("close")
    if any(r in roles for r in PRICES):
        return roles, "" if "symbol" in roles else symbol_of(name), {}
    if "symbol" in roles:
        raise UsageError("%s has none of %s among its columns" % (name, ", ".join(PRICES)))
    return roles, "", {cell.strip().upper(): k for k, cell in enumerate(header) if k != roles["date"]}


def symbol_of(name):
    """Return the symbol in a file's name."""
    name = re.sub(r" \(\d+\)\Z", "", ENDINGS.sub("", name))
    return re.sub(r"_US_D\Z", "", ENDINGS.sub("", name).upper())


def distinct(symbol, rows):
    """Return the rows without repeated days."""
    kept = []
    for row in rows:
        if kept and row[0] == kept[-1][0]:
            if row != kept[-1]:
                raise UsageError("%s has two different rows for %s" % (symbol, iso(row[0])))
            continue
        kept.append(row)
    return kept


def convention(rows):
    """Return the position in PRICES of the column that returns are computed from."""
    for at in (0, 1):
        if any(row[1 + at] is not None for row in rows):
            return at
    return 2


def series(symbol, parts, delisted):
    """Return the total returns of one symbol from its rows in each file."""
    conventions = [convention(rows) for rows in parts]
    at = conventions[0]
    if any(c != at for c in conventions):
        raise UsageError("%s has %s in one file and a different convention in the next" % (symbol, PRICES[at]))
    by_day = {}
    for rows in parts:
        for day, adjusted, close, total, dividend, split in rows:
            value = ((adjusted,), (close, dividend, split), (total,))[at]
            if by_day.setdefault(day, value) != value:
                raise UsageError("%s has different rows for %s in two files" % (symbol, iso(day)))
    days = sorted(by_day)
    returns = []
    for k, day in enumerate(days):
        value = by_day[day]
        if value[0] is None and (k > 0 or at < 2):
            raise UsageError("%s has no %s on %s" % (symbol, PRICES[at], iso(day)))
        if k == 0:
            continue
        before = by_day[days[k - 1]][0]
        if at == 0:
            returns.append(value[0] / before - 1)
        elif at == 1:
            returns.append((value[0] * value[2] + value[1]) / before - 1)
        else:
            returns.append(value[0])
    weekend = len([day for day in days if day % 7 in (0, 6)])
    return Series(days[0], days[1:], returns, 20 * weekend > len(days), delisted)
