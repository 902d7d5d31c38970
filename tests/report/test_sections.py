"""Parts of the page from evaluations made by hand: every figure stands where it belongs, hovers say what they show."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from elgeo import datasets
from elgeo.evaluation.document import Averages, Evaluation, Example, Measured, Roc
from elgeo.evaluation.measures.histogram import Histogram
from elgeo.evaluation.measures.intervals import Comparison, Interval
from elgeo.evaluation.measures.knowledge import KnowledgeShare, mentions
from elgeo.evaluation.predictions.predict import predict
from elgeo.evaluation.settings import EvaluationSettings
from elgeo.models.ball_models.elem import ElEmbeddings, ElSettings
from elgeo.models.baselines import Naive
from elgeo.models.contract import Sizes
from elgeo.models.pictures import Shape, balls_in_plane, boxes_in_plane
from elgeo.report.pages.drawing import Drawn, drawn, readable
from elgeo.report.pages.figures import Curve, bar_plot, line_plot, point_plot, shape_plot, step_plot
from elgeo.report.pages.markup import SENTENCE, Entry, number, table
from elgeo.report.pages.page import run_page
from elgeo.report.pages.ranking_sections import roc
from elgeo.report.pages.shown_run import ShownRun, evidence_of, facts
from elgeo.training.folder.history import Epoch
from tests.report.html_tables import Tables


def measured(mrr: float, rank: float) -> Measured:
    averages = Averages({"mrr": mrr, "mean_rank": rank}, {"mrr": mrr / 2, "mean_rank": rank * 2})
    raw = Averages({"mrr": mrr / 4, "mean_rank": rank * 4}, {"mrr": mrr / 8, "mean_rank": rank * 8})
    return Measured(1234, raw, averages)


def compared(metric: str, difference: float, p: float) -> Comparison:
    return Comparison(metric, difference, Interval(0, 1), p)


AMOUNTS = ("cold", "1", "2-9", "10+")
EVALUATION = Evaluation(
    "elem",
    "a <dataset>",
    EvaluationSettings(split="valid", filter="closure"),
    4321,
    measured(0.5, 40.0),
    beside={"naive": measured(0.25, 80.0)},
    intervals={"per_axiom": {"mrr": Interval(0.4, 0.6)}, "per_class": {}},
    comparisons={
        "naive": [compared("mrr", 0.1, 0.01), compared("hits@10", 0.1, 0.01), compared("mean_rank", -9, 0.01)],
        "other": [compared("mrr", 0.1, 0.01), compared("hits@10", 0.1, 0.5), compared("mean_rank", -9, 0.01)],
        "third": [compared("mrr", 0.1, 0.5), compared("hits@10", 0.1, 0.5), compared("mean_rank", 9, 0.01)],
    },
    semantic={"lin_hits@10": 0.75, "fmax": float("nan")},
    faithfulness={"asserted": {"GCI0": 0.9, "GCI2": 0.5}, "random": {"GCI2": 0.125}},
    collapse={"tied_share": 0.03125},
    curves={"elem, filtered": Roc([0.1, 1.0], [0.5, 1.0])},
    knowledge={
        "target": {
            "head": {
                amount: KnowledgeShare(
                    i, {"mrr": 0.5 / (i + 1), "hits@10": 0.25, "mean_rank": 3.0 + i}, {"naive": 0.125}
                )
                for i, amount in enumerate(AMOUNTS)
            }
        }
    },
    histogram=Histogram([1, 2, 5, 10], {"elem": [3, 20, 1], "naive": [0, 1, 2]}),
    examples={"best": [Example("h (X:1)", "t <b>", 1.5, 99, ["a reason", "another"])], "worst": []},
)
HISTORY = [
    Epoch(i, 0.5, {"total": 3.0 / i, "subclass": 1.0 / i}, 0.1, 2.0 / i, 0.1 * i if i != 3 else 0.05) for i in (1, 2, 3)
]


def shown(**changes: Any) -> str:
    run = ShownRun("my run", {"settings": {"a": 1, "b": [1, 2]}, "flag": True, "x": 1e-05}, **changes)
    return run_page([run])


def test_the_summary_tells_winners_from_losers() -> None:
    text = shown(evaluation=EVALUATION)
    assert re.findall(r'class="verdict (\w+)"', text) == ["wins", "mixed", "loses"]
    assert "my run: 1,234 axioms of the valid split, each ranked among 4,321 candidates" in text
    assert "takes out entailed axioms" in text
    assert "elgeo report on a &lt;dataset&gt;" in text
    assert "has not been evaluated yet" in shown()


@pytest.mark.slow
def test_every_figure_stands_in_its_table() -> None:
    tables, text = Tables(), shown(evaluation=EVALUATION)
    tables.feed(text)
    found = tables.found
    assert re.findall(r'<span class="interval">(.*?)</span>', text) == ["0.400 to 0.600"], "of filtered figures alone"
    assert text.index("Filtered, per axiom") < text.index("0.400 to 0.600") < text.index("Filtered, per class")
    filtered = found["Filtered, per axiom [the paper's macro]; 95 % intervals by bootstrap over heads"]
    assert filtered == [
        ["", "MRR", "mean rank"],
        ["my run (elem)", "0.5000", "40"],
        ["naive", "0.2500", "80"],
    ]
    assert found["Raw, per class [the paper's micro]"][1] == ["my run (elem)", "0.0625", "320"]
    assert found["Raw, per axiom [the paper's macro]"][2] == ["naive", "0.0625", "320"]
    assert found["Ties and signs of collapse"] == [["", "my run"], ["tied share", "0.0312"]]
    known = found["my run: filtered, by the number of training axioms of the target"]
    assert known == [
        ["", "axioms", "MRR", "Hits@10", "mean rank", "MRR of naive"],
        ["head: 1", "1", "0.2500", "0.2500", "4", "0.1250"],
        ["head: 2-9", "2", "0.1667", "0.2500", "5", "0.1250"],
        ["head: 10+", "3", "0.1250", "0.2500", "6", "0.1250"],
    ]
    best = found["my run: the best ranked valid axioms"]
    assert best[1] == ["h (X:1)", "t <b>", "1.5000", "99", "a reason; another"]
    assert not any("worst" in caption for caption in found)
    assert found["Semantic measures"] == [["", "Lin Hits@10", "Fmax"], ["my run", "0.7500", "–"]]
    truth = found["my run: share of axioms that are true in the geometric model"]
    assert truth == [["axioms", "GCI0", "GCI2"], ["asserted", "0.9000", "0.5000"], ["random", "–", "0.1250"]]
    settings = found["Every setting of the run"]
    assert settings[1:] == [["settings.a", "1"], ["settings.b", "1, 2"], ["flag", "yes"], ["x", "1e-05"]]


@pytest.mark.slow
def test_every_form_that_is_held_out_has_its_lines_and_all_stand_together() -> None:
    def of(axioms: int, rank: float) -> Measured:
        figures = {"hits@1": 0.0, "hits@10": 0.5, "hits@100": 1.0, "mrr": 0.25, "mean_rank": rank}
        return Measured(axioms, Averages({}, {}), Averages(figures, {}))

    held = {"subclass": {"elem": of(30, 10.0), "naive": of(30, 20.0)}, "conjunction": {"naive": of(10, 40.0)}}
    tables = Tables()
    tables.feed(shown(evaluation=replace(EVALUATION, forms=held)))
    found = tables.found["my run: held-out axioms by what they say, filtered, per axiom"]
    assert found[0] == ["", "axioms", "", "Hits@1", "Hits@10", "Hits@100", "MRR", "mean rank"]
    assert [(*row[:3], row[-1]) for row in found[1:]] == [
        ("C ⊑ D", "30", "elem", "10"),
        ("C ⊑ D", "30", "naive", "20"),
        ("C ⊓ D ⊑ E", "10", "naive", "40"),
        ("all", "40", "naive", "25"),  # (30 · 20 + 10 · 40) / 40; the model has no score for one of the forms
    ]
    assert "Normal forms" not in shown(evaluation=EVALUATION)


def test_evidence_is_shown_with_its_worth() -> None:
    tables = Tables()
    pieces_of = {"less": (3.5, 0.125), "itself": (-1e6, 0.0), "more <b>": (0.5, 0.25)}
    tables.feed(shown(evidence=pieces_of, blocks={"name": 0.0, "up": 0.5}))
    pieces, blocks = (found for caption, found in tables.found.items() if "held-out axioms lose" in caption)
    assert pieces == [["evidence", "weight", "worth"], ["more <b>", "0.5000", "0.2500"], ["less", "3.5000", "0.1250"]]
    assert blocks == [["block", "worth"], ["up", "0.5000"], ["name", "0"]]
    assert "Evidence" not in shown()


@pytest.mark.parametrize("result", [{"evidence": 3}, {"evidence": {"a": {"weight": 1}}}, {"blocks": {"up": "much"}}])
def test_a_record_without_evidence_shows_none(result: dict[str, Any]) -> None:
    assert evidence_of(result) == ({}, {})
    assert evidence_of({"evidence": {"a": {"weight": 1, "worth": 0.5}}}) == ({"a": (1.0, 0.5)}, {})


def test_the_roc_caption_names_the_axis_the_ranks_are_on() -> None:
    assert "the share of valid axioms whose rank is at most the one on the bottom axis" in shown(evaluation=EVALUATION)


def test_roc_curves_begin_at_nothing() -> None:
    drawn = roc([ShownRun("r", {}, evaluation=EVALUATION)])
    assert titles(drawn) == ["elem, filtered: 0 at 0", "elem, filtered: 0.5 at 0.1", "elem, filtered: 1 at 1"]


def test_datasets_say_what_leaks() -> None:
    counts = facts(datasets.load("cell-tiny"))
    assert counts["leakage"]["test"]["axioms"] == counts["splits"]["test"] == 18
    counts["leakage"] = {"test": {"axioms": 8, "inverse_in_train": 2, "entailed_by_train": 0}}
    tables, text = Tables(), shown(dataset=counts)
    tables.feed(text)
    assert re.findall(r'<span class="interval">(.*?)</span>', text) == ["25.0% of test"]
    heading, row = tables.found["What was learned from, what was held out, and what of it leaks"]
    values = dict(zip(heading, row, strict=True))
    assert values["test axioms with their inverse in train"] == "2"
    assert values["test axioms entailed by train"] == "0"
    assert (values["train"], values["valid"], values["test"]) == ("324", "18", "18")
    assert values["target"].startswith("C ⊑ ∃R.D, R = ")
    assert "http" not in values["target"]
    assert values["target"].endswith(", symmetric")


def titles(svg: str) -> list[str]:
    return [html.unescape(found) for found in re.findall(r"<g><title>(.*?)</title>", svg)]


@pytest.mark.slow
def test_hovers_say_what_is_under_the_mouse() -> None:
    svg = line_plot([Curve("loss <x>", [1, 2, 3], [9.0, 5.0, 7.0], mark=(1, "best epoch"))], "t", "x", "y")
    assert titles(svg) == ["loss <x>: 9 at 1", "loss <x>: 5 at 2", "loss <x>: 7 at 3", "loss <x>, best epoch: 5 at 2"]
    assert ">best epoch</text>" in svg
    bars = bar_plot(["GCI0", "GCI2"], [("asserted", [0.5, 1.0]), ("random", [0.25, 0.0])], "t", "y")
    assert titles(bars) == ["GCI0, asserted: 0.5", "GCI2, asserted: 1", "GCI0, random: 0.25", "GCI2, random: 0"]
    steps = step_plot([1, 2, 5, 10], {"elem": [3, 1200, 1]}, "t", "rank", "axioms")
    assert titles(steps) == [
        "elem, rank 1: 3 axioms", "elem, ranks 2 to 4: 1,200 axioms", "elem, ranks 5 to 9: 1 axiom"
    ]  # fmt: skip
    assert re.findall(r">(10?)</text>", steps)[:2] == ["1", "10"]
    points = point_plot(["relu", "leaky", "relu"], [0.5, 0.25, 0.75], "t", "activation", "MRR")
    assert titles(points) == ["activation relu: 0.5", "activation leaky: 0.25", "activation relu: 0.75"]
    picture = [
        Drawn("a", "a (X:1)", Shape(0, 0, 1, 1, True), 0),
        Drawn("b" * 40, "b (X:2)", Shape(1, 1, 2, 3, False), 1),
    ]
    drawing = shape_plot(picture, "t")
    assert titles(drawing) == ["b (X:2): half width 2", "a (X:1): radius 1"]
    assert ">" + "b" * 27 + "…</text>" in drawing


def test_long_curves_have_words_at_some_points() -> None:
    svg = line_plot([Curve("c", list(range(1000)), [0.5] * 1000)], "t", "x", "y")
    found = titles(svg)
    assert found[:2] == ["c: 0.5 at 0", "c: 0.5 at 25"]
    assert len(found) == 40


@pytest.mark.slow
def test_training_curves_mark_the_best_epoch() -> None:
    text = shown(history=HISTORY, best_epoch=2)
    assert "my run, best epoch: 0.2 at 2" in text
    assert "my run, best epoch: 1 at 2" in text
    assert "subclass: 0.5 at 2" in text
    assert "total: 1 at 3" in text
    assert "my run: 0.1 at 3" in text, "the learning rate"
    without = [Epoch(e.epoch, e.seconds, e.loss, e.lr) for e in HISTORY]
    plain = shown(history=without)
    assert "best epoch" not in plain
    assert "Validation MRR by epoch" not in plain
    assert "Learning rate by epoch" in plain


def test_shapes_of_balls_and_boxes() -> None:
    generator = np.random.default_rng(0)
    flat = generator.normal(size=(7, 2))
    radii = np.array([1.0, -2.0, 0.5, 1, 1, 1, 1])
    shapes = balls_in_plane(flat, radii)
    assert [(s.x, s.y) for s in shapes] == [tuple(row) for row in flat.tolist()]
    assert [s.width for s in shapes] == [s.height for s in shapes] == np.abs(radii).tolist()
    assert all(s.round for s in shapes)
    # points that lie in a plane of five dimensions keep their distances
    basis = np.linalg.qr(generator.normal(size=(5, 2)))[0]
    turned = balls_in_plane(flat @ basis.T + 3, radii)
    for i in range(7):
        for j in range(7):
            there = np.hypot(turned[i].x - turned[j].x, turned[i].y - turned[j].y)
            assert there == pytest.approx(np.linalg.norm(flat[i] - flat[j]))
    line = balls_in_plane(np.array([[1.0], [2.0]]), np.ones(2))
    assert [(s.x, s.y) for s in line] == [(1, 0), (2, 0)]
    centres = np.array([[0.0, 5, 1], [0.1, -5, 2], [0, 0, 9]])
    boxes = boxes_in_plane(centres, np.array([[1.0, 2, -3], [4, 5, 6], [7, 8, 9]]))
    assert boxes[0] == (5, 1, 2, 3, False)
    assert boxes[2] == (0, 9, 8, 9, False)


def test_what_can_be_read_is_chosen() -> None:
    def at(x: float, y: float, size: float = 1.0) -> Shape:
        return Shape(x, y, size, size, True)

    assert readable([at(0, 0)] * 12) == list(range(12)), "few are all shown"
    grid = [at(10.0 * (i % 6), 10.0 * (i // 6)) for i in range(36)]
    assert readable(grid) == list(range(30)), "no more than thirty"
    close = [*grid[:14], at(0.5, 0.2), at(0.5, 9.0)]
    assert readable(close) == [*range(14), 15], "a label on another is left out"
    huge = [at(5, 5, 100), *grid[:14]]
    assert readable(huge) == list(range(1, 15))
    twos = [at(10.0 * (i % 6), 10.0 * (i // 6), 2) for i in range(14)]
    assert readable([at(30, 30, 16), at(40, 40, 16.5), *twos]) == [0, *range(2, 16)], "eight times the usual at most"
    points = [at(20.0 * (i % 5), 80 + 10 * (i // 5), 0) for i in range(10)]
    boxes = [at(20.0 * i, 0) for i in range(5)]
    assert readable([*points, *boxes, at(50, 50, 8.5)]) == list(range(15)), "points say nothing of the usual size"
    # labels stand on the tops, so nested shapes of different sizes can be told apart
    nested = [at(0, 0, size) for size in np.linspace(2, 12, 14)]
    assert readable(nested) == list(range(14))
    assert readable([at(0, 0, 0)] * 13) == [0]
    same_tops = [at(0, -size, size) for size in np.linspace(1, 3, 14)]
    assert readable(same_tops) == [0]
    # 16 % of the breadth, which is 130, is 20.8; the last one is higher than all others
    row = [at(10.0 * i, 0) for i in range(13)] + [at(130, 1)]
    assert readable(row) == [0, 3, 6, 9, 12, 13]


def test_the_classes_drawn_are_those_axioms_speak_of() -> None:
    dataset = datasets.load("family")
    model = ElEmbeddings(Sizes.of(dataset), ElSettings(dimension=2), np.random.default_rng(0))
    found = drawn(model, dataset)
    counts = mentions(dataset)
    names = dataset.vocabulary
    labels = [each.label for each in found]
    spoken = [names.class_label(int(c)) for c in np.argsort(-counts, kind="stable") if counts[c] and c > 1]
    assert labels == [label for label in spoken if label in labels]
    assert 5 < len(found) <= 30
    # a class of one axiom is drawn, one of none is not
    few = dataset.vocabulary.class_id(labels[0])
    empty = {name: rows[:0] for name, rows in dataset.forms.tables.items()}
    rows = np.array([[few, few]], np.int32)
    quiet = replace(dataset, forms=replace(dataset.forms, tables={**empty, "disjoint": rows}))
    assert [each.label for each in drawn(model, quiet)] == [labels[0]]
    first = names.class_id(labels[0])
    centre = model.embeddings()["class_centres"][first]
    assert (found[0].shape.x, found[0].shape.y) == pytest.approx(tuple(centre))
    assert found[0].kind == dataset.kinds.of_class[first]


def test_tables_align_numbers_and_escape_notes() -> None:
    text = table("c", ["a", "b"], [["x", number(3.5, note="<low>")], ["y", Entry("z")]], [1])
    assert text.count('<th scope="col">') == 2, "a column with a word in it is not one of numbers"
    assert '<td class="number">3.5000 <span class="interval">&lt;low&gt;</span></td>' in text
    assert '<tr class="model"><th scope="row">y</th>' in text
    assert "more to the right" in text
    numbers = table("c", ["a", "b"], [["x", number(1)], ["y", number(2)]])
    assert '<th scope="col" class="number">b</th>' in numbers


def test_sentences_keep_their_width_and_captions_stay_in_sight() -> None:
    sentence = "the head is in no training axiom of the target, and in four of any form"
    shown = table("how they were ranked", ["head", "why"], [["leaf", sentence], ["root", "unknown"]])
    assert f'<td class="words">{sentence}</td>' in shown
    assert "<td>unknown</td>" in shown
    for length in (SENTENCE - 1, SENTENCE):
        assert ('class="words"' in table("c", ["a", "b"], [["x", "y" * length]])) == (length == SENTENCE)
    assert "<caption><span>how they were ranked</span></caption>" in shown


@pytest.mark.parametrize("likely", [False, True])
def test_predictions_stand_with_both_classes_and_every_number(likely: bool) -> None:
    dataset = datasets.load("family")
    found = predict(Naive.fit(dataset), dataset, top=7, exclude=())
    found = replace(found, probabilities=np.linspace(0.1, 0.7, 7) if likely else None, notes=["a note"])
    text = shown(predictions=found)
    tables = Tables()
    tables.feed(text)
    heading, *rows = tables.found["my run: the best axioms that are missing"]
    names = {"head": "head_label", "tail": "tail_label", "status": "status", "nearest known": "neighbours"}
    figures = ["score", "margin", "rank", *(["probability"] if likely else [])]
    expected = [
        {name: row[column] for name, column in names.items()}
        | {name: number(float(row[name])).text for name in figures}
        for _, row in found.frame().iterrows()
    ]
    assert [dict(zip(heading, row, strict=True)) for row in rows] == expected
    assert "my run: a note." in text
