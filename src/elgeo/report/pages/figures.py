"""Plots as SVG that can stand inside a page: no fonts, no scripts, and the page's own colours for ink."""

from __future__ import annotations

import html
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from elgeo.messages import counted
from elgeo.report.pages.drawing import Drawn

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


LINE: Any = {"linewidth": 1.6}
UNSEEN: Any = {"marker": "o", "alpha": 0, "markersize": 9, "in_layout": False}
"""A place for the mouse to find words at."""
MARK: Any = {"marker": "D", "markersize": 7}
POINT: Any = {"marker": "o", "markersize": 5, "alpha": 0.7}
CENTRE: Any = {"marker": ".", "markersize": 3}
NOTE: Any = {"textcoords": "offset points", "ha": "center", "xytext": (0, 8), "fontsize": 8}
"""Words above a point …"""
RIM: Any = {**NOTE, "xytext": (0, 2), "fontsize": 7}
"""… and on top of a shape."""
OUTLINE: Any = {"linewidth": 1}
SMALL = 8
"""The size of letters in a legend."""

HOVER = "hover"
"""Begins the ids of what has words to show under the mouse; they become SVG titles, which need no script."""
POINTS = 40
"""Points of a curve that have words, evenly spaced."""


@dataclass(frozen=True)
class Curve:
    """A line with a name; `mark` is the place of a point that is pointed out, with its words."""

    label: str
    x: Sequence[float]
    y: Sequence[float]
    mark: tuple[int, str] | None = None


def line_plot(curves: Sequence[Curve], title: str, x_label: str, y_label: str) -> str:
    """Curves over one pair of axes, with a legend where there is more than one."""
    with _figure(title) as drawing:
        axes = drawing.axes
        for i, curve in enumerate(curves):
            colour, style = _told_apart(i)
            axes.plot(curve.x, curve.y, label=curve.label, color=colour, linestyle=style, **LINE)
            step = max(1, len(curve.x) // POINTS)
            for x, y in zip(curve.x[::step], curve.y[::step], strict=True):
                (point,) = axes.plot([x], [y], color=colour, **UNSEEN)
                drawing.say(point, f"{curve.label}: {y:.4g} at {x:.4g}")
            if curve.mark is not None:
                place, words = curve.mark
                (point,) = axes.plot([curve.x[place]], [curve.y[place]], color=colour, **MARK)
                drawing.say(point, f"{curve.label}, {words}: {curve.y[place]:.4g} at {curve.x[place]:.4g}")
                axes.annotate(words, (curve.x[place], curve.y[place]), **NOTE)
        drawing.label(x_label, y_label, several=len(curves) > 1)
        return drawing.finish()


def bar_plot(names: Sequence[str], series: Sequence[tuple[str, Sequence[float]]], title: str, y_label: str) -> str:
    """Groups of bars: one group for each name, one bar in it for each series."""
    with _figure(title) as drawing:
        axes = drawing.axes
        place = np.arange(len(names))
        width = 0.8 / max(len(series), 1)
        for i, (label, values) in enumerate(series):
            colour, _ = _told_apart(i)
            bars = axes.bar(place + (i - (len(series) - 1) / 2) * width, values, width, label=label, color=colour)
            for bar, name, value in zip(bars, names, values, strict=True):
                drawing.say(bar, f"{name}, {label}: {value:.4g}")
        axes.set_xticks(place, names)
        drawing.label("", y_label, several=len(series) > 1)
        return drawing.finish()


def step_plot(edges: Sequence[int], series: Mapping[str, Sequence[int]], title: str, x_label: str, y_label: str) -> str:
    """Histograms as steps over a logarithmic axis; what is first is filled."""
    with _figure(title) as drawing:
        axes = drawing.axes
        axes.set_xscale("log")
        for i, (label, counts) in enumerate(series.items()):
            colour, style = _told_apart(i)
            if i == 0:
                axes.stairs(counts, edges, fill=True, color=colour, alpha=0.25)
            axes.stairs(counts, edges, label=label, color=colour, linestyle=style, **LINE)
            for count, low, high in zip(counts, edges, edges[1:], strict=False):
                span = f"rank {low}" if high == low + 1 else f"ranks {low} to {high - 1}"
                (point,) = axes.plot([(low * high) ** 0.5], [count], color=colour, **UNSEEN)
                drawing.say(point, f"{label}, {span}: {counted(count, 'axiom')}")
        axes.set_xticks(list(edges), [f"{edge:,}" if str(edge)[0] == "1" else "" for edge in edges], minor=False)
        axes.minorticks_off()
        drawing.label(x_label, y_label, several=len(series) > 1)
        return drawing.finish()


def point_plot(x: Sequence[object], y: Sequence[float], title: str, x_label: str, y_label: str) -> str:
    """Points; values of x that are words, or few, stand side by side."""
    words = any(not isinstance(v, int | float) or isinstance(v, bool) for v in x) or len(set(x)) <= 8
    with _figure(title) as drawing:
        axes = drawing.axes
        places: Sequence[object] = x
        if words:
            order = sorted(
                set(x), key=lambda v: (not isinstance(v, int | float), v if isinstance(v, int | float) else str(v))
            )
            axes.set_xticks(range(len(order)), [f"{v:g}" if isinstance(v, float) else str(v) for v in order])
            places = [order.index(v) for v in x]
        for place, value, name in zip(places, y, x, strict=True):
            (point,) = axes.plot([place], [value], color=COLOURS[0], **POINT)
            drawing.say(point, f"{x_label} {name}: {value:.4g}")
        drawing.label(x_label, y_label)
        return drawing.finish()


def shape_plot(picture: Sequence[Drawn], title: str) -> str:
    """Classes in the plane with their names; the larger ones lie behind."""
    from matplotlib.patches import Ellipse, Rectangle

    with _figure(title, (6.4, 6.4)) as drawing:
        axes = drawing.axes
        for label, name, shape, kind in sorted(picture, key=lambda each: -each.shape.height):
            colour, _ = _told_apart(kind)
            width, height = 2 * max(shape.width, 1e-3), 2 * max(shape.height, 1e-3)
            style: Any = {"facecolor": colour + "22", "edgecolor": colour, **OUTLINE}
            corner = (shape.x - width / 2, shape.y - height / 2)
            outline = (
                Ellipse((shape.x, shape.y), width, height, **style)
                if shape.round
                else Rectangle(corner, width, height, **style)
            )
            axes.add_patch(outline)
            drawing.say(outline, f"{name}: {'radius' if shape.round else 'half width'} {shape.width:.3g}")
            axes.plot([shape.x], [shape.y], color=colour, **CENTRE)
            # at the rim: nested shapes share their centres but not their tops
            top = (shape.x, shape.y + shape.height)
            axes.annotate(_short(label), top, **RIM)
        axes.set_aspect("equal")
        axes.autoscale_view()
        return drawing.finish()


def _told_apart(number: int) -> tuple[str, str]:
    """The colour and the style of a line, by its number."""
    return COLOURS[number % len(COLOURS)], STYLES[number % len(STYLES)]


def _short(label: str, most: int = 28) -> str:
    """A label that leaves room for others; the whole of it is under the mouse."""
    return label if len(label) <= most else label[: most - 1] + "…"


class _Drawing:
    """Axes, and the words that belong to what is drawn on them."""

    def __init__(self, figure: Any, axes: Any, title: str) -> None:
        self.figure, self.axes, self.title = figure, axes, title
        self.words: list[str] = []

    def say(self, artist: Any, words: str) -> None:
        """Show words when the mouse is on something."""
        artist.set_gid(f"{HOVER}-{len(self.words)}")
        self.words.append(words)

    def label(self, x_label: str, y_label: str, several: bool = False) -> None:
        """Say what is on the axes, and which is which where there are several things."""
        self.axes.set_xlabel(x_label)
        self.axes.set_ylabel(y_label)
        if several:
            self.axes.legend(fontsize=SMALL)

    def finish(self) -> str:
        """The drawing as SVG."""
        return _svg(self.figure, self.title, self.words)


@contextmanager
def _figure(title: str, size: tuple[float, float] = (6.4, 3.6)) -> Iterator[_Drawing]:
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    # the salt keeps ids apart when several plots stand in one page, and the same from run to run
    with matplotlib.rc_context(RC | {"svg.hashsalt": title}):
        figure, axes = pyplot.subplots(figsize=size, layout="constrained")
        try:
            yield _Drawing(figure, axes, title)
        finally:
            pyplot.close(figure)


def _svg(figure: Any, title: str, words: Sequence[str]) -> str:
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    text = buffer.getvalue()
    text = text[text.index("<svg") :].replace(INK, "currentColor")
    # scale with the page instead of a fixed size in points
    text = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", text, count=1)
    text = re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", text, count=1)
    text = re.sub(
        rf'<g id="{HOVER}-(\d+)"[^>]*>', lambda found: f"<g><title>{html.escape(words[int(found[1])])}</title>", text
    )
    # nothing refers to groups, and other plots of the page have them by the same names
    text = re.sub(r'<g id="[^"]*"', "<g", text)
    name = html.escape(title, quote=True)
    text = re.sub(r"<metadata>.*?</metadata>", "", text, count=1, flags=re.S)
    return text.replace("<svg", f'<svg role="img" aria-label="{name}"', 1)
