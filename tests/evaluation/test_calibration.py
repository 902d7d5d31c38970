"""Probabilities: isotonic regression by its min-max formula, suggestions by loops, bins and documents by hand."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import elgeo
from elgeo.arrays import Flags, Floats
from elgeo.cli import main
from elgeo.errors import ReadError
from elgeo.evaluation.calibration import calibrate as calibrating
from elgeo.evaluation.calibration.calibrate import binned, calibrate, log_loss, reliability, suggestions
from elgeo.evaluation.calibration.document import Bin, Calibration, Reliability, read_calibration, write_calibration
from elgeo.evaluation.calibration.isotonic import isotonic
from elgeo.evaluation.entailments import Entailments
from elgeo.evaluation.predictions.predict import predict
from elgeo.report.pages.page import run_page
from elgeo.report.pages.shown_run import gather
from elgeo.report.predictions_text import as_json
from elgeo.training.run import CALIBRATION, Run
from tests.evaluation.small_places import TablePredictor, places


def by_formula(values: Floats, true: Flags) -> list[float]:
    """Isotonic regression of 0 and 1 over sorted distinct values: max over starts of min over ends of the mean."""
    levels = sorted(set(values.tolist()))
    right = [float(true[values == level].sum()) for level in levels]
    many = [int((values == level).sum()) for level in levels]

    def mean(a: int, b: int) -> float:
        return sum(right[a : b + 1]) / sum(many[a : b + 1])

    n = len(levels)
    fit = {levels[i]: max(min(mean(a, b) for b in range(i, n)) for a in range(i + 1)) for i in range(n)}
    return [fit[value] for value in values.tolist()]


@settings(max_examples=60)
@given(seed=st.integers(0, 10**6), n=st.integers(1, 40), levels=st.integers(1, 12))
def test_pooling_is_the_formula(seed: int, n: int, levels: int) -> None:
    generator = np.random.default_rng(seed)
    values = generator.integers(0, levels, n).astype(np.float64) - 2.5
    true = generator.random(n) < generator.random()
    steps = isotonic(values, true, least=1)
    assert steps.at(values) == pytest.approx(by_formula(values, true))
    assert (np.diff(steps.share) > 0).all()
    assert steps.number.sum() == n
    assert (steps.share * steps.number).sum() == pytest.approx(true.sum())


@settings(max_examples=30)
@given(seed=st.integers(0, 10**6), n=st.integers(1, 60), least=st.integers(2, 25))
def test_no_share_rests_on_few(seed: int, n: int, least: int) -> None:
    generator = np.random.default_rng(seed)
    values, true = generator.normal(size=n).round(1), generator.random(n) < 0.4
    steps = isotonic(values, true, least)
    assert (steps.number >= min(least, n)).all()
    assert steps.number.sum() == n
    for low, high, share, count in zip(*steps, strict=True):
        inside = (values >= low) & (values <= high)
        assert inside.sum() == count
        assert true[inside].mean() == pytest.approx(share)


def test_between_blocks_is_a_straight_line() -> None:
    values = np.array([0.0, 0.0, 1.0, 1.0, 3.0, 3.0])
    steps = isotonic(values, np.array([False, False, True, False, True, True]), least=1)
    assert steps.at(np.array([-9.0, 0.0, 0.5, 1.0, 2.0, 3.0, 9.0])).tolist() == [0, 0, 0.25, 0.5, 0.75, 1, 1]


@pytest.mark.parametrize("first", [4, 2])
def test_suggestions_are_the_first_of_each_class(first: int, monkeypatch: pytest.MonkeyPatch) -> None:
    dataset = places()
    dataset = replace(dataset, valid=dataset.test[[0, 1, 3, 4]], test=dataset.test[[2, 5]])
    entailments, n = Entailments(dataset), dataset.vocabulary.n_classes
    predictor = TablePredictor(np.random.default_rng(5).normal(size=(n, n)))
    monkeypatch.setattr(calibrating, "FIRST", first)
    found = suggestions(predictor, dataset, entailments, dataset.valid, dataset.test)
    # both ways, since places touch each other
    valid, test = ({frozenset((int(a), int(b))) for a, _, b in rows} for rows in (dataset.valid, dataset.test))
    expected = []
    heads = 0
    for head in dataset.kinds.members("place").tolist():
        if dataset.vocabulary.classes[head].endswith(("_0", "_15", "_100", "_101", "_102")):
            continue  # too general, obsolete, no places
        heads += 1
        name = dataset.vocabulary.classes[head]
        left = predict(predictor, dataset, head=name, top=99, entailments=entailments, exclude=[
            "entailed", "train", "domain", "obsolete", "general", "lineage"])  # fmt: skip
        rows = [(int(a), int(b), s) for (a, _, b), s in zip(left.rows, left.scores, strict=True)]
        rows = [row for row in rows if frozenset(row[:2]) not in test][:first]
        for place, (a, b, score) in enumerate(rows):
            margin = score - rows[0][2] if place else score - rows[1][2]
            expected.append((score, margin, frozenset((a, b)) in valid))
    assert found.heads == heads
    assert [*zip(found.scores, found.margins, found.true, strict=True)] == [
        (pytest.approx(s), pytest.approx(m), t) for s, m, t in expected
    ]
    assert found.true.any()


def test_of_many_classes_some_are_asked_by_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    dataset = places()
    entailments, n = Entailments(dataset), dataset.vocabulary.n_classes
    predictor = TablePredictor(np.random.default_rng(5).normal(size=(n, n)))

    def found() -> tuple[int, list[float]]:
        some = suggestions(predictor, dataset, entailments, dataset.test, dataset.valid)
        assert set(some.scores.tolist()) <= set(every)
        return some.heads, sorted(some.scores.tolist())

    every = predictor.matrix.ravel().tolist()
    heads, scores = found()
    assert heads > 9
    for most in (heads + 1, heads - 1, 4):
        monkeypatch.setattr(calibrating, "HEADS", most)
        asked, of_some = found()
        assert asked == min(most, heads)
        assert (of_some == scores) == (most >= heads)
        asked_about = {int(np.flatnonzero((predictor.matrix == score).any(axis=1))[0]) for score in of_some}
        assert len(asked_about) == asked, "none twice"
    assert found() == (asked, of_some), "the same ones again"


def test_what_tells_more_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Truth goes by the margin in one case, by the score in the other."""
    generator = np.random.default_rng(1)
    scores, margins = generator.normal(size=(2, 4_000))
    for by, values in (("score", scores), ("margin", margins)):
        true = generator.random(4_000) < 1 / (1 + np.exp(3 - 3 * values))
        found = calibrating.Suggestions(scores, margins, true, 40)
        monkeypatch.setattr(calibrating, "suggestions", lambda *_, found=found: found)
        made = calibrate(TablePredictor(np.zeros((1, 1))), places())
        assert made is not None
        assert made.by == by
        assert (made.true, made.suggestions, made.heads) == (true.sum(), 4_000, 40)
        said = made.probabilities(np.array([-3.0, 3.0]), np.array([-3.0, 3.0]))
        assert said[0] < 0.01
        assert said[1] > 0.9
        holds = reliability(made, TablePredictor(np.zeros((1, 1))), places())
        assert holds is not None
        assert holds.error < 1e-9, "on what it was made from it is right"
        for count in (4, 5):
            few = calibrating.Suggestions(scores, margins, np.arange(4_000) < count, 40)
            monkeypatch.setattr(calibrating, "suggestions", lambda *_, few=few: few)
            assert (calibrate(TablePredictor(np.zeros((1, 1))), places()) is None) == (count == 4)


def test_without_validation_nothing_is_ranked(monkeypatch: pytest.MonkeyPatch) -> None:
    dataset = places()
    monkeypatch.setattr(calibrating, "best", lambda *_: pytest.fail("asked in vain"))
    assert calibrate(TablePredictor(np.zeros((1, 1))), replace(dataset, valid=dataset.test[:0])) is None


def test_bins_by_hand() -> None:
    probabilities = np.array([0.9, 0.1, 0.1, 0.5, 0.5, 0.9, 0.1, 0.1])
    true = np.array([True, False, True, True, False, True, False, False])
    found = binned(probabilities, true, bins=2)
    # two of the four true ones up to 0.5, the others above
    assert found.bins[0] == pytest.approx((1.4 / 6, 2 / 6, 6))
    assert found.bins[1] == Bin(0.9, 1.0, 2)
    assert found.error == pytest.approx((6 * abs(1.4 / 6 - 2 / 6) + 2 * 0.1) / 8)
    assert found.worst == pytest.approx(0.1)
    assert log_loss(np.array([0.5, 0.25]), np.array([True, False])) == pytest.approx(-np.log(0.5 * 0.75) / 2)
    assert log_loss(np.array([0.0]), np.array([True])) == np.inf


def test_what_is_above_the_last_true_one_is_in_the_last_bin() -> None:
    found = binned(np.array([0.9, 0.1, 0.8, 0.5]), np.array([False, True, False, True]), 2)
    assert [(one.probability, one.true, one.number) for one in found.bins] == [
        (0.1, 1.0, 1),
        (pytest.approx((0.5 + 0.8 + 0.9) / 3), pytest.approx(1 / 3), 3),
    ]
    assert (found.suggestions, found.true) == (4, 2)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("calibrated") / "run"
    assert main(["train", "cell-small", "-o", str(folder), "--model", "common-neighbours", "--quiet"]) == 0
    assert main(["evaluate", str(folder), "--json"]) == 0
    return folder


@pytest.mark.slow
def test_an_evaluated_run_has_probabilities(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    kept = read_calibration(run)
    assert kept is not None
    calibration, holds = kept
    assert holds is not None
    loaded = Run.load(run)
    again = calibrate(loaded.predictor(), loaded.dataset)
    assert again is not None
    for kept_part, part in zip(calibration.steps, again.steps, strict=True):
        assert kept_part.tolist() == part.tolist()
    assert reliability(again, loaded.predictor(), loaded.dataset) == holds
    frame = elgeo.predict(loaded, top=15)
    values = {"margin": frame["margin"], "score": frame["score"]}[calibration.by].to_numpy()
    assert frame["probability"].tolist() == calibration.steps.at(values).tolist()
    assert main(["predict", str(run), "--all", "--top", "3"]) == 0
    text = capsys.readouterr().out
    assert text.splitlines()[0].split()[:3] == ["rank", "probability", "score"]
    assert f"{frame['probability'][0]:.3f}" in text
    page = run_page([gather(run, "mine")])
    assert "Reliability of mine" in page
    assert f"{holds.error:.4f}" in page


@pytest.mark.slow
def test_a_run_without_a_folder_has_none(run: Path) -> None:
    loaded = Run.load(run)
    found = predict(loaded.predictor(), loaded.dataset, top=3)
    assert found.probabilities is None
    assert "probability" not in as_json(found)


@pytest.mark.parametrize("by", ["score", "margin"])
def test_margins_among_heads_are_not_those_that_were_counted(by: str) -> None:
    dataset = places()
    scores = np.random.default_rng(3).normal(size=(dataset.vocabulary.n_classes,) * 2)
    steps = isotonic(np.linspace(-2, 2, 8), np.array([False, False, True, False, True, False, True, True]), least=1)
    name = dataset.vocabulary.classes[dataset.kinds.members("place")[3]]
    for asked in ({"head": name}, {"tail": name}, {}):
        found = predict(TablePredictor(scores), dataset, **asked, calibration=Calibration(by, steps, 4, 8, 2))
        values = found.scores if by == "score" else found.margins
        if "tail" in asked and by == "margin":
            assert found.probabilities is None
        else:
            assert found.probabilities is not None
            assert found.probabilities.tolist() == steps.at(values).tolist()


def with_bin(**change: float) -> dict[str, object]:
    return {"bins": [{"probability": 1, "true": 1, "number": 1, **change}], "suggestions": 1, "true": 1}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"by": "luck"}, "by: has to be one of margin, score"),
        ({"steps": []}, "steps: have to be blocks"),
        ({"steps": [{"low": 1, "high": 0, "share": 0.1, "number": 9}]}, "steps: have to be blocks"),
        (
            {"steps": [{"low": 0, "high": 0, "share": 1.1, "number": 9}]},
            "steps.0.share: has to be a number from 0 to 1",
        ),
        ({"steps": "none"}, "steps: has to be a list"),
        ({"reliability": {"bins": [], "suggestions": 3, "true": 1}}, "reliability.bins: has to have some"),
        ({"true": -1}, "true: has to be a whole number"),
        ({"reliability": with_bin(probability=1.5)}, "bins.0.probability: has to be a number from 0 to 1"),
        ({"reliability": with_bin(true=1.5)}, "bins.0.true: has to be a number from 0 to 1"),
        ({"reliability": with_bin(number=0)}, "bins.0.number: has to be a whole number"),
    ],
)
def test_damaged_documents_are_refused(run: Path, tmp_path: Path, change: dict[str, object], said: str) -> None:
    document = json.loads((run / CALIBRATION).read_text())
    (tmp_path / CALIBRATION).write_text(json.dumps({**document, **change}))
    with pytest.raises(ReadError, match=said):
        read_calibration(tmp_path)


def test_one_suggestion_may_be_a_bin_and_blocks_may_have_equal_shares(run: Path, tmp_path: Path) -> None:
    document = json.loads((run / CALIBRATION).read_text())
    blocks = [{"low": low, "high": low, "share": 0.25, "number": 1} for low in (1, 1, 2)]
    (tmp_path / CALIBRATION).write_text(json.dumps({**document, "steps": blocks, "reliability": with_bin()}))
    back = read_calibration(tmp_path)
    assert back is not None
    assert back[0].steps.share.tolist() == [0.25] * 3
    assert back[1] == Reliability((Bin(1.0, 1.0, 1),), 1, 1)


def test_documents_read_back(run: Path, tmp_path: Path) -> None:
    kept = read_calibration(run)
    assert kept is not None
    write_calibration(tmp_path, kept[0], None)
    back = read_calibration(tmp_path)
    assert back is not None
    assert back[1] is None
    assert read_calibration(tmp_path / "nowhere") is None
    assert isinstance(kept[1], Reliability)
