"""A report on a model as one page of HTML, which needs nothing beside itself."""

from __future__ import annotations

import datetime
import html
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

FIGURES = [
    ("total_return", "Total return", "percent"),
    ("cagr", "Return a year", "percent"),
    ("annual_volatility", "Volatility a year", "percent"),
    ("sharpe", "Sharpe ratio", "number"),
    ("sortino", "Sortino ratio", "number"),
    ("max_drawdown", "Largest drawdown", "percent"),
    ("calmar", "Calmar ratio", "number"),
    ("value_at_risk_5", "Value at risk of a day, 5 %", "percent"),
]

STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;color:#1b1f24}"
    "table{border-collapse:collapse;margin:1rem 0}"
    "td,th{padding:.25rem .75rem;text-align:right;border-bottom:1px solid #d8dee4}"
    "th:first-child,td:first-child{text-align:left}svg{width:100%;height:auto}small{color:#57606a}"
)


class Report:
    """A report on a model. save() writes it to a file; notebooks show it."""

    def __init__(self, model: Mapping[str, Any], history: Mapping[str, Any]) -> None:
        self.model = model
        self.history = history

    @property
    def body(self) -> str:
        """The report without the frame of a page."""
        name = html.escape(str(self.model.get("name")))
        window = self.history.get("window") or {}
        text = f"<p>{html.escape(str(self.model.get('description') or ''))}</p>"
        period = f"{window.get('start')} to {window.get('end')}"
        parts = [f"<h1>{name}</h1>{text}<p><small>{html.escape(period)}</small></p>"]
        parts.append(growth(self.history.get("dates") or [], self.history.get("returns") or []))
        metrics = self.history.get("metrics") or {}
        parts.append(figures(metrics))
        parts.append(years(metrics))
        parts.append(drawdowns(metrics))
        parts.append(held(self.history))
        return "".join(parts)

    @property
    def html(self) -> str:
        """The whole page."""
        title = html.escape(str(self.model.get("name")))
        return (
            f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
            f"<style>{STYLE}</style></head><body>{self.body}</body></html>"
        )

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the page to a file, and return its path."""
        to = Path(path)
        to.write_text(self.html, encoding="utf-8")
        return to

    def _repr_html_(self) -> str:
        return self.body


def shown(value: Any, unit: str) -> str:
    """Return a figure as text."""
    if isinstance(value, Mapping):
        value = value.get("value")
    if not isinstance(value, (int, float)):
        return "–"
    return f"{100 * value:.2f} %" if unit == "percent" else f"{value:.2f}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table of texts, which are escaped."""
    top = "".join(f"<th>{html.escape(h)}</th>" for h in head)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(c)}</td>" for c in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>" if body else ""


def figures(metrics: Mapping[str, Any]) -> str:
    """Return the key figures."""
    rows = [(title, shown(metrics.get(name), unit)) for name, title, unit in FIGURES if name in metrics]
    return table(("Figure", "Value"), rows)


MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def years(metrics: Mapping[str, Any]) -> str:
    """Return the months' and the years' returns in percent."""
    rows = []
    for y in metrics.get("monthly") or []:
        months = [*(y.get("months") or []), *[None] * 12][:12]
        texts = ["" if m is None else f"{100 * m:.1f}" for m in months]
        rows.append((str(y.get("year")), *texts, shown(y.get("year_return"), "percent")))
    return table(("Year", *MONTHS, "Year"), rows)


def drawdowns(metrics: Mapping[str, Any]) -> str:
    """Return the largest drawdowns."""
    rows = [
        (shown(d, "percent"), str(d.get("peak")), str(d.get("valley")), str(d.get("recovery") or "not yet"))
        for d in metrics.get("drawdowns") or []
    ]
    return table(("Drawdown", "From", "Lowest", "Recovered"), rows)


def held(history: Mapping[str, Any]) -> str:
    """Return what is held at the end."""
    weights = (history.get("allocation") or {}).get("weights") or {}
    last = [(key, column[-1]) for key, column in weights.items() if column and column[-1]]
    rows = [(key, shown(w, "percent")) for key, w in sorted(last, key=lambda x: -abs(x[1]))]
    return table(("Held now", "Share"), rows)


def growth(dates: Sequence[str], returns: Sequence[float], width: int = 900, height: int = 300) -> str:
    """Return a drawing of the growth of 1."""
    values = [1.0]
    for r in returns:
        values.append(values[-1] * (1 + (r or 0.0)))
    if len(values) < 3 or len(dates) != len(returns):
        return ""
    step = max(1, len(values) // width)
    kept = list(range(0, len(values), step))
    if kept[-1] != len(values) - 1:
        kept.append(len(values) - 1)
    low, high = min(values), max(values)
    reach = (high - low) or 1.0
    left, bottom = 46, 24
    points = " ".join(
        f"{left + (width - left - 6) * i / (len(values) - 1):.1f},"
        f"{8 + (height - bottom - 8) * (1 - (values[i] - low) / reach):.1f}"
        for i in kept
    )
    first = datetime.date.fromisoformat(dates[0])
    last = datetime.date.fromisoformat(dates[-1])
    label = f"Growth of 1 from {first} to {last}: {values[-1]:.2f}"
    marks = "".join(
        f'<text x="{left - 6}" y="{8 + (height - bottom - 8) * (1 - f) + 4:.1f}" text-anchor="end" font-size="12">'
        f"{low + f * reach:.2f}</text>"
        for f in (0.0, 0.5, 1.0)
    )
    ends = (
        f'<text x="{left}" y="{height - 6}" font-size="12">{first}</text>'
        f'<text x="{width - 6}" y="{height - 6}" font-size="12" text-anchor="end">{last}</text>'
    )
    return (
        f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{html.escape(label)}" '
        f'fill="currentColor">{marks}{ends}'
        f'<polyline points="{points}" fill="none" stroke="#0969da" stroke-width="1.5"/></svg>'
    )
