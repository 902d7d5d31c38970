"""Details of plots and tables: where things stand, how they are told apart, how numbers are written."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from elgeo.evaluation.calibration.document import Bin, Calibration, Reliability
from elgeo.evaluation.calibration.isotonic import Steps
from elgeo.evaluation.document import Averages, Evaluation, Measured, Roc
from elgeo.evaluation.settings import EvaluationSettings
from elgeo.experiments.paper_tables import Figure
from elgeo.experiments.reproduce import FRACTIONS, Column
from elgeo.models.pictures import Shape
from elgeo.report.pages.drawing import Drawn
from elgeo.report.pages.figures import COLOURS, Curve, bar_plot, line_plot, point_plot, shape_plot, step_plot
from elgeo.report.pages.markup import number
from elgeo.report.pages.page import run_page
from elgeo.report.pages.paper_page import paper_page
from elgeo.report.pages.reliability_section import reliability
from elgeo.report.pages.shown_run import ShownRun
from elgeo.report.pages.sweep_page import sweep_page
from elgeo.report.report import Report
from elgeo.report.targets_text import as_table, by_target
from elgeo.report.text_table import aligned, table
from tests.report.html_tables import Tables


def words_of(svg: str) -> list[str]:
    """Everything that is written in a plot."""
    return re.findall(r"<text[^>]*>(.*?)</text>", svg)


def curves(count: int) -> list[Curve]:
    return [Curve(f"curve {i}", [0, 1], [0, i]) for i in range(count)]


@pytest.mark.slow
def test_a_legend_is_there_when_there_is_something_to_tell_apart() -> None:
    for count in (1, 2, 3):
        names = [f"curve {i}" for i in range(count)]
        plots = (
            line_plot(curves(count), "t", "x", "y"),
            bar_plot(["a"], [(name, [0.5]) for name in names], "t", "y"),
            step_plot([1, 2, 5], {name: [1, 2] for name in names}, "t", "x", "y"),
        )
        for svg in plots:
            assert [name in words_of(svg) for name in names] == [count > 1] * count


@pytest.mark.slow
def test_there_are_as_many_colours_as_it_takes() -> None:
    names = [f"curve {i}" for i in range(9)]
    plots = (
        line_plot(curves(9), "t", "x", "y"),
        bar_plot(["a"], [(name, [0.5]) for name in names], "t", "y"),
        step_plot([1, 2, 5], {name: [1, 2] for name in names}, "t", "x", "y"),
        shape_plot([Drawn(name, name, Shape(i, 0, 1, 1, True), i) for i, name in enumerate(names)], "t"),
    )
    for svg in plots:
        assert all(colour in svg for colour in COLOURS)


@pytest.mark.slow
def test_points_that_only_have_words_are_not_seen() -> None:
    svg = line_plot([Curve("c", [1, 2, 3], [9.0, 5.0, 7.0])], "t", "x", "y")
    hovers = re.findall(r"<title>c: .*?(?=<g><title>|<g>\s*<path)", svg, re.S)
    assert len(hovers) == 3
    assert all("opacity: 0" in hover and "opacity: 0." not in hover for hover in hovers)


def corners(svg: str, name: str) -> tuple[float, float, float, float]:
    """The least and largest x and y of the outline that has a name."""
    path = re.search(rf'<title>{name}: [^<]*</title>\s*<path d="([^"]*)"', svg)
    assert path, svg[:500]
    numbers = [float(found) for found in re.findall(r"-?\d+\.?\d*", path[1])]
    return min(numbers[::2]), max(numbers[::2]), min(numbers[1::2]), max(numbers[1::2])


@pytest.mark.slow
def test_bars_of_a_group_share_eight_tenths_of_its_room_around_its_name() -> None:
    for count in (1, 2, 3):
        svg = bar_plot(["aa", "bb"], [(f"s{k}", [0.5, 0.25]) for k in range(count)], "t", "y")
        groups = [[corners(svg, f"{name}, s{k}") for k in range(count)] for name in ("aa", "bb")]
        room = groups[1][0][0] - groups[0][0][0]
        for name, bars in zip(("aa", "bb"), groups, strict=True):
            middle = re.search(rf'<text[^>]* x="([^"]*)"[^>]*>{name}<', svg)
            assert middle
            edges = [float(middle[1]) + (k / count - 0.5) * 0.8 * room for k in range(count + 1)]
            assert [bar[:2] for bar in bars] == [pytest.approx(pair, abs=0.01) for pair in pairwise(edges)]


@pytest.mark.parametrize("is_round", [True, False])
def test_shapes_have_their_size_and_place(is_round: bool) -> None:
    """Half widths 1 and 2, the centres 6 to the right and 4 up from each other, on equal axes."""
    shapes = [Shape(0, 0, 1, 2, is_round), Shape(6, 4, 2, 1, is_round)]
    svg = shape_plot([Drawn("a", "a", shapes[0], 0), Drawn("b", "b", shapes[1], 1)], "t")
    a, b = corners(svg, "a"), corners(svg, "b")
    unit = (a[1] - a[0]) / 2
    assert (a[3] - a[2]) / unit == pytest.approx(4, abs=0.01)
    assert (b[1] - b[0]) / unit == pytest.approx(4, abs=0.01)
    assert (b[3] - b[2]) / unit == pytest.approx(2, abs=0.01)
    assert (b[0] + b[1] - a[0] - a[1]) / 2 / unit == pytest.approx(6, abs=0.01)
    assert (a[2] + a[3] - b[2] - b[3]) / 2 / unit == pytest.approx(4, abs=0.01), "up is towards zero"


@pytest.mark.slow
def test_only_the_first_of_several_histograms_is_filled() -> None:
    counts = {"a": [1, 2], "b": [2, 1]}
    for shown in ({"a": counts["a"]}, counts):
        svg = step_plot([1, 2, 5], shown, "t", "x", "y")
        assert [svg.count(f"fill: {colour}; opacity: 0.25") for colour in COLOURS[:2]] == [1, 0]


def test_numbers_stand_at_the_powers_of_ten() -> None:
    edges = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]
    words = words_of(step_plot(edges, {"a": [30_000] * 9}, "t", "x", "y"))
    assert [each for each in words if each.replace(",", "") in map(str, edges)] == ["1", "10", "100", "1,000"]


def test_long_names_leave_room_and_are_whole_under_the_mouse() -> None:
    names = "x" * 28, "y" * 29
    svg = shape_plot([Drawn(name, name, Shape(i, 0, 1, 1, True), i) for i, name in enumerate(names)], "t")
    assert f">{names[0]}<" in svg
    assert f">{'y' * 27}…<" in svg
    assert f">{names[1]}: radius 1<" in svg
    assert f">{names[1]}<" not in svg


@pytest.mark.slow
def test_few_values_and_words_stand_side_by_side() -> None:
    few = words_of(point_plot([0.5, 10, 0.001], [0.1, 0.2, 0.3], "t", "rate", "MRR"))
    assert [word for word in few if word in ("0.001", "0.5", "10")] == ["0.001", "0.5", "10"], "in order, evenly"
    mixed = words_of(point_plot([0.5, "none", True], [0.1, 0.2, 0.3], "t", "rate", "MRR"))
    assert [word for word in mixed if word in ("0.5", "True", "none")] == ["0.5", "True", "none"], "numbers first"
    many = words_of(point_plot([float(i * i) for i in range(9)], [0.1] * 9, "t", "rate", "MRR"))
    assert "49" not in many, "nine different numbers have an axis"
    eight = words_of(point_plot([float(i * i) for i in range(8)], [0.1] * 8, "t", "rate", "MRR"))
    assert "49" in eight


def test_numbers_change_their_digits_at_ten_and_a_hundred() -> None:
    values = (9.5, 10.0, 10.5, 99.5, 100.0, 100.5, -10.5, -100.5, 1234.56)
    assert [number(value).text for value in values] == [
        "9.5000", "10", "10.50", "99.50", "100", "100.5", "-10.50", "-100.5", "1,234.6",
    ]  # fmt: skip


def averages(mrr: float, rank: float) -> Averages:
    values = {"hits@1": mrr / 4, "hits@10": mrr, "hits@100": mrr * 2, "mrr": mrr, "mean_rank": rank}
    return Averages(values, values)


def evaluation(dataset: str, axioms: int, mrr: float, rank: float, **beside: Measured) -> Evaluation:
    measured = Measured(axioms, averages(mrr, rank), averages(mrr, rank))
    return Evaluation("elem", dataset, EvaluationSettings(), 9, measured, beside=beside)


def test_pages_are_called_by_what_they_show() -> None:
    one, two = (ShownRun(name, {}, evaluation=evaluation(name, 3, 0.5, 2.0)) for name in ("first", "second"))
    assert "<title>Run first</title>" in run_page([one])
    assert "<title>2 runs side by side</title>" in run_page([one, two])


def test_settings_that_differ_are_in_bold() -> None:
    one, two = (ShownRun(name, {"seed": 3, "rate": rate}) for name, rate in (("a", 0.1), ("b", 0.2)))
    both, alone = run_page([one, two]), run_page([one])
    assert '<tr class="model"><th scope="row">rate</th>' in both
    assert '<tr class="model"><th scope="row">seed</th>' not in both
    assert '<th scope="row">seed</th>' in both
    assert "those that differ are in bold" in both
    assert "Every setting of the run" in alone
    assert '<tr class="model"><th scope="row">rate</th>' not in alone


@pytest.mark.slow
def test_the_paper_s_page_draws_what_was_measured_by_the_fraction_of_entailed_negatives() -> None:
    columns = [Column(f"biased-{p:g}", None, {}) for p in FRACTIONS]
    means = (0.25, None, 0.0, 0.5, 0.125)
    figures = {c.name: Figure(mean, None, 1, None) for c, mean in zip(columns, means, strict=True)}
    rows = {f"filtered {metric} per axiom": figures for metric in ("hits@10", "mean_rank")}
    curve = Roc([0.5, 1.0], [0.75, 1.0])
    drawn = paper_page("biased-negatives", {"yeast": (columns, rows, ["A sentence."])}, {})
    for words in ("yeast: 0.25 at 0", "yeast: 0 at 0.5", "yeast: 0.5 at 0.75", "yeast: 0.125 at 1"):
        assert drawn.count(f"<title>{words}</title>") == 2, "once for each metric"
    assert "at 0.25<" not in drawn
    assert "A sentence." in drawn
    other = paper_page("another", {"yeast": (columns, rows, [])}, {"yeast": {"elem": curve}})
    assert "fraction of entailed negatives" not in other
    assert "<title>elem: 0.75 at 0.5</title>" in other


def test_probabilities_are_shown_beside_what_came_true() -> None:
    steps = Steps(np.zeros(1), np.ones(1), np.full(1, 0.25), np.full(1, 8.0))
    by_score, by_margin = (Calibration(by, steps, 2, 8, 1) for by in ("score", "margin"))
    holds = Reliability((Bin(0.125, 0.25, 10), Bin(0.5, 0.375, 3)), 13, 4)
    without, untested = ShownRun("a", {}), ShownRun("b", {}, calibration=(by_margin, None))
    assert reliability([without]) == ""
    assert "with such a margin" in reliability([without, untested])
    assert "<svg" not in reliability([without, untested])
    shown = reliability([without, untested, ShownRun("c", {}, calibration=(by_score, holds))])
    assert "with such a margin" in shown
    assert "with such a score" in shown
    assert shown.count("<svg") == 1
    for words in ("c: 0.25 at 0.125", "c: 0.375 at 0.5", "as promised: 0 at 0", "as promised: 0.5 at 0.5"):
        assert f"<title>{words}</title>" in shown
    tables = Tables()
    tables.feed(shown)
    (rows,) = tables.found.values()
    assert rows[1:] == [["0.1250", "0.2500", "10"], ["0.5000", "0.3750", "3"]]


def test_columns_of_targets_are_means_over_axioms() -> None:
    beside = Measured(1, averages(0.2, 8.0), averages(0.2, 8.0))
    found = by_target({"a": evaluation("a", 3, 0.48, 10.0, naive=beside), "b": evaluation("b", 1, 0.16, 1002.0)})
    assert list(found["all"]["methods"]) == ["elem"], "a method that one target lacks has no mean"
    assert found["all"]["methods"]["elem"]["mrr"] == pytest.approx((3 * 0.48 + 0.16) / 4)
    lines = as_table(found).split("\n")
    assert lines == [
        "target  axioms  method  hits@1  hits@10  hits@100    mrr  mean_rank",
        "a            3  elem     0.120    0.480     0.960  0.480       10.0",
        "a            3  naive    0.050    0.200     0.400  0.200        8.0",
        "b            1  elem     0.040    0.160     0.320  0.160    1,002.0",
        "all          4  elem     0.100    0.400     0.800  0.400      258.0",
    ]


def test_columns_are_set_to_the_side_asked_for() -> None:
    rows = [["name", "n", "what"], ["a", "100", "b"]]
    assert aligned(rows) == ["name    n  what", "a     100     b"]
    assert aligned([["name", "n"]]) == ["name  n"]
    assert aligned(rows, right=(1,)) == ["name    n  what", "a     100  b   "]


def test_numbers_of_the_text_table_have_four_digits_below_ten() -> None:
    lines = table(evaluation("a", 3, 0.5, 10.0)).split("\n")
    assert next(line for line in lines if line.startswith("mean_rank")).split() == ["mean_rank", "10.0", "10.0"]
    lines = table(evaluation("a", 3, 0.5, 9.5)).split("\n")
    assert next(line for line in lines if line.startswith("mean_rank")).split() == ["mean_rank", "9.5000", "9.5000"]


def test_the_plot_of_a_report_has_its_curves_and_chance() -> None:
    found = replace(evaluation("a", 3, 0.5, 10.0), curves={"elem, filtered": Roc([0.25, 1.0], [0.5, 1.0])})
    axes = Report(found).plot()
    assert [list(zip(*line.get_data(), strict=True)) for line in axes.lines] == [
        [(0.25, 0.5), (1.0, 1.0)],
        [(0, 0), (1, 1)],
    ]
    assert Report(found).plot(axes) is axes
    assert len(axes.lines) == 4


@pytest.mark.slow
def test_the_page_of_a_sweep_points_out_the_best() -> None:
    rows = [
        {"trial": 4, "state": "complete", "valid_mrr": 0.5, "margin": 0.25, "flag": True, "seconds": 2.0},
        {"trial": 2, "state": "complete", "valid_mrr": 0.25, "margin": 1e-05, "flag": False, "seconds": 1},
        {"trial": 3, "state": "fail", "valid_mrr": None, "margin": 3.0, "flag": True, "error": "it broke"},
    ]
    text = sweep_page("s", ["margin", "flag"], rows, 7)
    assert "2 of 7 trials have a result. The best reached a validation MRR of 0.5000 with margin = 0.25" in text
    tables = Tables()
    tables.feed(text)
    assert tables.found["All trials, best first"] == [
        ["trial", "state", "valid mrr", "margin", "flag", "seconds", "error"],
        ["4", "complete", "0.5000", "0.25", "True", "2", "–"],
        ["2", "complete", "0.2500", "1e-05", "False", "1", "–"],
        ["3", "fail", "–", "3", "True", "–", "it broke"],
    ]
    assert re.findall(r'<tr( class="model")?><th scope="row"[^>]*>(\d)', text) == [
        (' class="model"', "4"),
        ("", "2"),
        ("", "3"),
    ]
