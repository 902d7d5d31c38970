"""The document of an evaluation: what is written is what is read; whatever is damaged is named, never a traceback."""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from elgeo.errors import ReadError
from elgeo.evaluation.document import VERSION, Averages, Evaluation, Example, Measured
from elgeo.evaluation.evaluate import evaluate
from elgeo.evaluation.measures.intervals import Comparison, Interval
from elgeo.evaluation.reading import read_evaluation
from elgeo.evaluation.settings import EvaluationSettings
from elgeo.evaluation.verdicts import is_better, verdict
from elgeo.models.ball_models.elem import ElEmbeddings, ElSettings
from elgeo.models.contract import Sizes
from elgeo.report.pages.page import run_page
from elgeo.report.pages.shown_run import ShownRun
from elgeo.report.report import Report
from tests.evaluation.small_functions import functions


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    dataset = functions()
    model = ElEmbeddings(Sizes.of(dataset), ElSettings(dimension=3), np.random.default_rng(0))
    return evaluate(model, dataset, EvaluationSettings(positives="both", resamples=20, filter="train+valid"))


def written(folder: Path, document: object) -> Path:
    path = folder / "evaluation.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def test_what_is_written_is_what_is_read(evaluation: Evaluation, tmp_path: Path) -> None:
    document = evaluation.to_dict()
    text = json.dumps(document, allow_nan=False)
    assert document["version"] == VERSION
    found = read_evaluation(written(tmp_path, document))
    assert json.dumps(found.to_dict(), allow_nan=False) == text
    assert found.settings == evaluation.settings
    assert found.verdicts() == evaluation.verdicts()
    assert Report(found).table() == Report(evaluation).table()
    assert found.comparisons == evaluation.comparisons
    assert found.knowledge.keys() == {"target", "overall"}
    assert found.histogram == evaluation.histogram
    assert found.examples == evaluation.examples
    assert found.faithfulness.keys() == {"asserted", "entailed", "random"}


def test_the_promised_keys_come_in_their_order(evaluation: Evaluation) -> None:
    document = evaluation.to_dict()
    promised = ["split", "filter", "axioms", "candidates", "raw", "filtered", "entailed", "semantic", "faithfulness"]
    assert [key for key in document if key in promised] == promised
    assert list(document["raw"]) == ["per_axiom", "per_class"]
    assert list(document["raw"]["per_axiom"]) == [
        "hits@1", "hits@3", "hits@10", "hits@100", "mean_rank", "median_rank", "mrr", "amri", "auc", "auc_exact",
        "tie_width",
    ]  # fmt: skip
    assert document["filtered"]["per_axiom"] == dict(evaluation.test.filtered.per_axiom)
    assert document["novel"]["per_axiom"] == dict(evaluation.apart["novel"].filtered.per_axiom)
    assert document["novel"]["raw"]["per_class"] == dict(evaluation.apart["novel"].raw.per_class)
    assert document["faithfulness"]["GCI0"] == evaluation.faithfulness["asserted"]["GCI0"]


def test_what_is_not_defined_is_null_and_comes_back(tmp_path: Path) -> None:
    averages = Averages({"mrr": math.nan}, {"mrr": 0.5})
    found = Evaluation("m", "d", EvaluationSettings(), 1, Measured(0, averages, averages))
    document = found.to_dict()
    assert document["raw"] == {"per_axiom": {"mrr": None}, "per_class": {"mrr": 0.5}}
    assert math.isnan(read_evaluation(written(tmp_path, document)).test.raw.per_axiom["mrr"])
    assert found.test.figures("raw", "per_class") == {"mrr": 0.5}


@pytest.mark.slow
def test_documents_of_the_first_version_are_read(evaluation: Evaluation, tmp_path: Path) -> None:
    document = evaluation.to_dict()
    for new in ("version", "knowledge", "histogram", "examples"):
        del document[new]
    found = read_evaluation(written(tmp_path, document))
    assert found.test == evaluation.test
    assert (found.knowledge, found.examples, found.histogram.edges) == ({}, {}, ())
    assert run_page([ShownRun("old", {}, evaluation=found)])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.update(version=VERSION + 1), f"version {VERSION + 1}; this elgeo reads up to {VERSION}"),
        (lambda d: d.pop("model"), "model: is missing"),
        (lambda d: d.update(axioms=-1), "axioms: has to be a whole number"),
        (lambda d: d["raw"].pop("per_class"), "raw.per_class: is missing"),
        (lambda d: d["filtered"]["per_axiom"].update(mrr="high"), "filtered.per_axiom.mrr: has to be a number"),
        (lambda d: d["settings"].update(filter="test"), "settings: filter has to be one of"),
        (lambda d: d["settings"].update(colour="red"), "settings: no setting is called 'colour'"),
        (lambda d: d["intervals"]["per_axiom"].update(mrr=[1]), "intervals.per_axiom.mrr: has to be two numbers"),
        (lambda d: d["comparisons"]["naive"]["mrr"].update(p=2), "comparisons.naive.mrr.p: has to be a number from 0"),
        (
            lambda d: d["comparisons"]["naive"].update(auc=d["comparisons"]["naive"]["mrr"]),
            "comparisons.naive.auc: is not compared; there are mrr, hits@10",
        ),
        (lambda d: d["curves"]["naive"].update(x=[0, "a"]), "curves.naive.x.1: has to be a number"),
        (lambda d: d["curves"]["naive"].update(x=[0.5]), "curves.naive: has to have as many x as y"),
        (lambda d: d["histogram"].update(edges=[2, 1]), "histogram.edges: has to be whole numbers from 1 on"),
        (lambda d: d["histogram"].update(edges=[0, 1]), "histogram.edges: has to be whole numbers from 1 on"),
        (lambda d: d["histogram"]["counts"].update(naive=[1]), "histogram.counts.naive: has to be a count for each"),
        (lambda d: d["examples"].update(best=3), "examples.best: has to be a list"),
        (lambda d: d["examples"]["best"][0].update(reasons=[3]), "examples.best.0.reasons: has to be a list of sent"),
        (lambda d: d["examples"]["worst"][0].update(rank=0), "examples.worst.0.rank: has to be a number"),
        (lambda d: d["knowledge"]["target"]["head"].pop("cold"), "knowledge.target.head.cold: is missing"),
        (lambda d: d["semantic"].update(fmax=[]), "semantic.fmax: has to be a number"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(
    evaluation: Evaluation, tmp_path: Path, change: Callable[[Any], object], message: str
) -> None:
    document = copy.deepcopy(evaluation.to_dict())
    change(document)
    path = written(tmp_path, document)
    with pytest.raises(ReadError) as error:
        read_evaluation(path)
    assert str(path) in str(error.value)
    assert message in str(error.value)


def places(value: object, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place of a document, inner ones too."""
    found = [path] if path else []
    items = value.items() if isinstance(value, dict) else enumerate(value[:2]) if isinstance(value, list) else ()
    for key, inner in items:
        found += places(inner, (*path, key))
    return found


JUNK: tuple[Any, ...] = (
    None,
    True,
    -1,
    3,
    0.5,
    10**400,
    "words",
    "line\nend",
    [],
    [1, 2],
    [None],
    {},
    {"a": 1},
    {"": None},
    [{"x": []}],
)


@pytest.mark.slow
def test_whatever_is_damaged_is_named_or_shown(evaluation: Evaluation, tmp_path: Path) -> None:
    """No value anywhere in the document may end in anything but one message or a page."""
    whole = evaluation.to_dict()
    generator = np.random.default_rng(0)
    every = places(whole)
    refused = 0
    for _ in range(120):
        document = copy.deepcopy(whole)
        path = every[int(generator.integers(len(every)))]
        inner = document
        for key in path[:-1]:
            inner = inner[key]
        if generator.random() < 0.2 and isinstance(inner, dict):
            del inner[path[-1]]
        else:
            inner[path[-1]] = JUNK[int(generator.integers(len(JUNK)))]
        message = ""
        try:
            found = read_evaluation(written(tmp_path, document))
        except ReadError as error:
            message = str(error)
        if message:
            refused += 1
            assert "evaluation.json" in message
            assert len(message) < 400
        else:
            Report(found).table()
            json.dumps(found.to_dict(), allow_nan=False)
    assert 60 < refused < 120


@pytest.mark.slow
def test_pages_of_what_is_read_can_be_made(evaluation: Evaluation, tmp_path: Path) -> None:
    """What passes the door can be shown, odd as it may be."""
    document = evaluation.to_dict()
    document["curves"] = {"none": {"x": [], "y": []}, "one": {"x": [1], "y": [1]}}
    document["faithfulness"] = {"GCI0": None, "odd": {"GCI2": 0.5}}
    document["histogram"] = {"edges": [], "counts": {}}
    document["knowledge"]["target"]["head"]["cold"]["beside"] = {}
    document["semantic"] = {"new measure": 0.5}
    found = read_evaluation(written(tmp_path, document))
    assert "new measure" in run_page([ShownRun("odd", {}, evaluation=found)])


def test_a_verdict_weighs_what_is_clear() -> None:
    def compared(metric: str, difference: float, p: float) -> Comparison:
        return Comparison(metric, difference, Interval(0, 0), p)

    better = [compared("mrr", 0.1, 0.01), compared("hits@10", 0.1, 0.049), compared("mean_rank", -5, 0.001)]
    assert verdict("a", "b", better) == ("wins", "a beats b on MRR and Hits@10 and mean rank (filtered)")
    some = [compared("mrr", 0.1, 0.01), compared("hits@10", 0.1, 0.05), compared("mean_rank", 5, 0.001)]
    assert verdict("a", "b", some) == ("mixed", "a beats b on MRR but not on Hits@10 and mean rank (filtered)")
    none = [compared("mrr", 0.0, 0.0), compared("hits@10", -0.1, 0.01), compared("mean_rank", 0.0, 0.0)]
    assert verdict("a", "b", none) == (
        "loses",
        "a does not beat b: it is not clearly better on any of MRR, Hits@10, mean rank",
    )
    assert not is_better(compared("mean_rank", 0.0, 0.0))


def test_a_report_is_short_in_a_shell_and_whole_in_a_notebook(evaluation: Evaluation) -> None:
    report = Report(evaluation)
    assert repr(report) == f"<Report of elem on small functions: {evaluation.test.axioms} test axioms>"
    assert report._repr_html_().startswith("<pre>elem on small functions")
    assert report.to_dict() == evaluation.to_dict()


def test_whole_ranks_are_whole_numbers_in_the_document() -> None:
    found = {"best": [Example("a", "b", 3.0, 9, ()), Example("a", "c", 2.5, 9, ())]}
    document = Evaluation(
        "elem", "small", EvaluationSettings(), 9, Measured(2, Averages({}, {}), Averages({}, {})), examples=found
    ).to_dict()
    ranks = [each["rank"] for each in document["examples"]["best"]]
    assert [(type(rank), rank) for rank in ranks] == [(int, 3), (float, 2.5)]
