"""Short pictures of large things, for prompts and notebooks: a line, and a small table."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape


def line(what: str, counts: Mapping[str, int], more: str = "") -> str:
    """`<what: 3 classes, 1 role, more>`; counts of nothing are left out, names are in the plural."""
    parts = [f"{n:,} {_singular(name) if n == 1 else name}" for name, n in counts.items() if n]
    text = ", ".join([*parts, *([more] if more else [])]) or "nothing"
    return f"<{what}: {text}>"


def table(title: str, rows: Mapping[str, object]) -> str:
    """A table of two columns in HTML."""
    cells = "".join(
        f"<tr><th style='text-align:left'>{escape(name)}</th><td style='text-align:right'>{_shown(value)}</td></tr>"
        for name, value in rows.items()
    )
    return f"<table><caption style='text-align:left'>{escape(title)}</caption>{cells}</table>"


def _shown(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else escape(str(value))


def _singular(name: str) -> str:
    """The singular of a plural in -s."""
    if name.endswith("ies"):
        return name.removesuffix("ies") + "y"
    return "class" if name == "classes" else name.removesuffix("s")
