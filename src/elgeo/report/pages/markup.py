"""The few pieces of HTML a page is made of; everything that comes from data is escaped here."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any


@dataclass(frozen=True)
class Entry:
    """An entry of a table: its text, a note beside it (an interval), and whether it is a number."""

    text: str
    note: str = ""
    number: bool = False


Row = list["Entry | str"]
SENTENCE = 60
"""Characters of a text that is read as a sentence: its column is never squeezed to a word a line."""


def number(value: float | int | None, digits: int = 4, note: str = "") -> Entry:
    """A number as people read it: whole ones whole, others with the digits that matter; a dash where there is none."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return Entry("–", note, True)
    if isinstance(value, int) or float(value).is_integer():
        return Entry(f"{int(value):,}", note, True)
    size = abs(value)
    return Entry(
        f"{value:,.1f}" if size >= 100 else f"{value:.2f}" if size >= 10 else f"{value:.{digits}f}", note, True
    )


def table(caption: str, header: Sequence[str], rows: Sequence[Sequence[Any]], emphasised: Sequence[int] = ()) -> str:
    """A table whose first column names its rows; wide ones scroll on their own."""
    columns = range(len(header))
    numeric = ["number" if rows and all(_is_number(r[i]) for r in rows) else "" for i in columns]
    head = "".join(
        f'<th scope="col"{_class(kind)}>{html.escape(h)}</th>' for h, kind in zip(header, numeric, strict=True)
    )
    body = "".join(
        f"<tr{_class('model' if i in emphasised else '')}>{''.join(_entry(c, j) for j, c in enumerate(row))}</tr>"
        for i, row in enumerate(rows)
    )
    name = html.escape(caption)
    return (
        f'<div class="scroll" role="region" aria-label="{name}" tabindex="0">'
        f'<span class="more" aria-hidden="true">more to the right →</span><table><caption><span>{name}</span></caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def figure(svg: str, caption: str) -> str:
    """A plot with words under it that say what it shows."""
    return f"<figure>{svg}<figcaption>{html.escape(caption)}</figcaption></figure>"


def figures(*items: str) -> str:
    """Plots side by side where there is room."""
    return f'<div class="figures">{"".join(items)}</div>'


def paragraph(text: str, kind: str = "") -> str:
    """A paragraph of plain text."""
    return f"<p{_class(kind)}>{html.escape(text)}</p>"


@dataclass(frozen=True)
class Section:
    """A part of the page under a heading."""

    title: str
    body: str

    @property
    def anchor(self) -> str:
        return "".join(c if c.isalnum() else "-" for c in self.title.lower())


def page(title: str, subtitle: str, sections: Sequence[Section]) -> str:
    """A whole page in one file: no network, no scripts."""
    style = files("elgeo.report.pages").joinpath("page.css").read_text(encoding="utf-8")
    contents = "".join(f'<li><a href="#{s.anchor}">{html.escape(s.title)}</a></li>' for s in sections)
    body = "".join(
        f'<section id="{s.anchor}"><h2>{html.escape(s.title)}</h2>{s.body}</section>' for s in sections if s.body
    )
    name = html.escape(title)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<link rel="icon" href="data:,">'
        f"<title>{name}</title><style>{style}</style></head><body>"
        f'<header><h1>{name}</h1><p class="quiet">{html.escape(subtitle)}</p>'
        f'<nav aria-label="Contents"><ul>{contents}</ul></nav></header><main>{body}</main></body></html>\n'
    )


def _is_number(entry: Entry | str) -> bool:
    return isinstance(entry, Entry) and entry.number


def _class(name: str) -> str:
    return f' class="{name}"' if name else ""


def _entry(entry: Entry | str, column: int) -> str:
    if isinstance(entry, str):
        entry = Entry(entry)
    note = f' <span class="interval">{html.escape(entry.note)}</span>' if entry.note else ""
    words = "words" if len(entry.text) >= SENTENCE else ""
    text, kind = html.escape(entry.text) + note, _class("number" if entry.number else words)
    if column == 0:
        return f'<th scope="row"{kind}>{text}</th>'
    return f"<td{kind}>{text}</td>"
