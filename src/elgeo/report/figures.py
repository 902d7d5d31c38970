"""Plots as SVG that can stand inside a page: no fonts, no scripts, and the page's own colours for ink."""

from __future__ import annotations

import html
import io
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

INK = "#123456"
"""Stands for the page's text colour while matplotlib draws; becomes `currentColor`."""
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6d31", "#7f7f7f")
"""Told apart by colour-blind readers, on light and on dark paper; line styles differ too."""
STYLES = ("-", "--", "-.", ":")

RC: Any = {
    "svg.fonttype": "none",
    "text.parse_math": False,
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.alpha": 0.25,
    "legend.frameon": False,
    **dict.fromkeys(
        ("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color", "grid.color"), INK
    ),
}


@dataclass(frozen=True)
class Curve:
    """A line with a name."""

    label: str
    x: ArrayLike
    y: ArrayLike


@dataclass(frozen=True)
class Ball:
    """A circle with a name, in the plane."""

    label: str
    x: float
    y: float
    radius: float
    group: int = 0


def line_plot(curves: Sequence[Curve], title: str, x_label: str, y_label: str, log_x: bool = False) -> str:
    """Curves over one pair of axes, with a legend where there is more than one."""
    with _figure(title) as (axes, finish):
        for i, curve in enumerate(curves):
            axes.plot(curve.x, curve.y, label=curve.label, color=COLOURS[i % 8], linestyle=STYLES[i % 4], linewidth=1.6)
        if log_x:
            axes.set_xscale("log")
        axes.set_xlabel(x_label)
        axes.set_ylabel(y_label)
        if len(curves) > 1:
            axes.legend(fontsize=8)
        return finish()


def bar_plot(names: Sequence[str], series: Sequence[tuple[str, Sequence[float]]], title: str, y_label: str) -> str:
    """Groups of bars: one group for each name, one bar in it for each series."""
    with _figure(title) as (axes, finish):
        place = np.arange(len(names))
        width = 0.8 / max(len(series), 1)
        for i, (label, values) in enumerate(series):
            axes.bar(place + (i - (len(series) - 1) / 2) * width, values, width, label=label, color=COLOURS[i % 8])
        axes.set_xticks(place, names)
        axes.set_ylabel(y_label)
        if len(series) > 1:
            axes.legend(fontsize=8)
        return finish()


def point_plot(x: Sequence[object], y: Sequence[float], title: str, x_label: str, y_label: str) -> str:
    """Points; values of x that are words, or few, stand side by side."""
    words = any(not isinstance(v, int | float) or isinstance(v, bool) for v in x) or len(set(x)) <= 8
    with _figure(title) as (axes, finish):
        places: Sequence[object] = x
        if words:
            order = sorted(
                set(x), key=lambda v: (not isinstance(v, int | float), v if isinstance(v, int | float) else str(v))
            )
            axes.set_xticks(range(len(order)), [f"{v:g}" if isinstance(v, float) else str(v) for v in order])
            places = [order.index(v) for v in x]
        axes.plot(places, y, "o", color=COLOURS[0], markersize=5, alpha=0.7)
        axes.set_xlabel(x_label)
        axes.set_ylabel(y_label)
        return finish()


def ball_plot(balls: Sequence[Ball], title: str) -> str:
    """Circles in the plane with their names; the larger ones lie behind."""
    from matplotlib.patches import Circle

    with _figure(title, (6.4, 6.4)) as (axes, finish):
        for ball in sorted(balls, key=lambda b: -b.radius):
            colour = COLOURS[ball.group % 8]
            axes.add_patch(
                Circle((ball.x, ball.y), max(ball.radius, 1e-3), facecolor=colour + "22", edgecolor=colour, linewidth=1)
            )
            axes.plot([ball.x], [ball.y], ".", color=colour, markersize=3)
            # at the rim: nested balls share their centres but not their tops
            top = (ball.x, ball.y + ball.radius)
            axes.annotate(ball.label, top, textcoords="offset points", xytext=(0, 2), ha="center", fontsize=7)
        axes.set_aspect("equal")
        axes.autoscale_view()
        return finish()


@contextmanager
def _figure(title: str, size: tuple[float, float] = (6.4, 3.6)) -> Iterator[tuple[Any, Callable[[], str]]]:
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    # the salt keeps ids apart when several plots stand in one page, and the same from run to run
    with matplotlib.rc_context(RC | {"svg.hashsalt": title}):
        figure, axes = pyplot.subplots(figsize=size, layout="constrained")
        try:
            yield axes, lambda: _svg(figure, title)
        finally:
            pyplot.close(figure)


def _svg(figure: Any, title: str) -> str:
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    text = buffer.getvalue()
    text = text[text.index("<svg") :].replace(INK, "currentColor")
    # scale with the page instead of a fixed size in points
    text = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", text, count=1)
    text = re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", text, count=1)
    # nothing refers to groups, and other plots of the page have them by the same names
    text = re.sub(r'<g id="[^"]*"', "<g", text)
    name = html.escape(title, quote=True)
    text = re.sub(r"<metadata>.*?</metadata>", "", text, count=1, flags=re.S)
    return text.replace("<svg", f'<svg role="img" aria-label="{name}"', 1)
