"""The whole evaluation on a small dataset: filters, positives, candidates, document, verdicts."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from elgeo.datasets.model import Dataset
from elgeo.errors import SettingError
from elgeo.evaluation.entailments import Entailments
from elgeo.evaluation.evaluate import candidates_of, evaluate
from elgeo.evaluation.ranking.scoring import Side
from elgeo.evaluation.settings import EvaluationSettings
from elgeo.models.ball_models.elem import ElEmbeddings, ElSettings
from elgeo.models.baselines import Naive, TableScorer
from elgeo.models.contract import Sizes
from elgeo.report.report import Report
from tests.evaluation.matrix_scorer import slow_rank
from tests.evaluation.small_functions import functions, hierarchy_completion


@pytest.fixture(scope="module")
def dataset() -> Dataset:
    return functions()


@pytest.fixture(scope="module")
def entailments(dataset: Dataset) -> Entailments:
    return Entailments(dataset)


@pytest.fixture(scope="module")
def model(dataset: Dataset) -> ElEmbeddings:
    return ElEmbeddings(Sizes.of(dataset), ElSettings(dimension=3, activation="relu"), np.random.default_rng(0))


def slow_entailed(dataset: Dataset, entailments: Entailments) -> set[tuple[int, int]]:
    """All entailed (head, tail), asked one by one."""
    heads, tails = dataset.kinds.members("protein"), dataset.candidates
    every = np.array([(h, dataset.target_role, t) for h in heads for t in tails])
    return {(int(h), int(t)) for h, _, t in every[entailments.closure.contains("existential", every)]}


@pytest.mark.parametrize("which", ["none", "train", "train+valid", "closure"])
@pytest.mark.parametrize("side", ["tail", "head"])
def test_filters_against_a_loop(
    dataset: Dataset, entailments: Entailments, model: ElEmbeddings, which: Any, side: Side
) -> None:
    settings = EvaluationSettings(filter=which, side=side, semantic=False, faithfulness=False, resamples=0)
    report = evaluate(model, dataset, settings, entailments)
    true = {
        "none": set(),
        "train": {(int(r[0]), int(r[2])) for r in dataset.train},
        "train+valid": {(int(r[0]), int(r[2])) for r in np.concatenate([dataset.train, dataset.valid])},
        "closure": slow_entailed(dataset, entailments),
    }[which]
    scorer, role = model.scorer(), dataset.target_role

    def score(head: int, tail: int) -> float:
        return scorer.pairs(np.array([head]), role, np.array([tail]))[0]

    ranks = report.rankings["test"].filtered
    for i, (head, _, tail) in enumerate(dataset.test.tolist()):
        if side == "tail":
            known = {t for h, t in true if h == head}
            expected = slow_rank(score, head, tail, dataset.candidates, known, False)
        else:
            known = {h for h, t in true if t == tail}
            expected = slow_rank(lambda t, h: score(h, t), tail, head, dataset.kinds.members("protein"), known, False)
        assert (ranks.optimistic[i], ranks.pessimistic[i], ranks.candidates[i]) == expected


def test_novel_entailed_and_both(dataset: Dataset, entailments: Entailments, model: ElEmbeddings) -> None:
    settings = EvaluationSettings(positives="both", filter="closure")
    report = evaluate(model, dataset, settings, entailments)
    entailed = slow_entailed(dataset, entailments)
    novel, follow = report.rankings["novel"].raw, report.rankings["entailed"].raw
    test = [(int(r[0]), int(r[2])) for r in dataset.test]
    assert list(zip(novel.heads.tolist(), novel.answers.tolist(), strict=True)) == [
        p for p in test if p not in entailed
    ]
    assert 0 < len(novel) < len(test), "the small dataset should have test axioms of both sorts"
    found = list(zip(follow.heads.tolist(), follow.answers.tolist(), strict=True))
    assert len(found) == len(set(found))
    assert set(found) == entailed
    assert len(report.rankings["both"].raw) == len(novel) + len(follow)
    assert len(set(found) - {(int(r[0]), int(r[2])) for r in dataset.train}) > 0, "entailed is more than asserted"

    # the best candidate of every head, entailed or not; ties are rare with random balls and leave these shares alone
    scorer = model.scorer()
    heads = np.unique(dataset.test[:, 0])
    scores = scorer.tails(heads, dataset.target_role, dataset.candidates)
    in_top_10 = []
    for i, head in enumerate(heads):
        order = np.argsort(-scores[i], kind="stable")[:10]
        in_top_10.append(np.mean([(int(head), int(dataset.candidates[j])) in entailed for j in order]))
    if all(len(np.unique(row)) == len(row) for row in scores):
        assert report.top_entailed["top_10"] == pytest.approx(np.mean(in_top_10))
    assert 0 <= report.top_entailed["top_100"] <= 1


def test_document_has_the_promised_shape(dataset: Dataset, entailments: Entailments, model: ElEmbeddings) -> None:
    report = evaluate(model, dataset, EvaluationSettings(positives="entailed", resamples=50), entailments)
    document = json.loads(json.dumps(report.to_dict(), allow_nan=False))
    assert {
        "split",
        "filter",
        "axioms",
        "candidates",
        "raw",
        "filtered",
        "entailed",
        "semantic",
        "faithfulness",
    } <= set(document)
    promised = {*(f"hits@{k}" for k in (1, 3, 10, 100)), "mean_rank", "median_rank", "mrr", "amri", "auc", "auc_exact"}
    for name in ("raw", "filtered", "entailed"):
        assert promised | {"tie_width"} == set(document[name]["per_axiom"])
        assert {"mean_rank", "mrr", "auc"} <= set(document[name]["per_class"])
    assert document["axioms"] == len(dataset.test)
    assert document["candidates"] == len(dataset.candidates)
    assert {"lin_hits@10", "fmax", "wfmax", "smin"} <= set(document["semantic"])
    assert {"GCI0", "GCI2"} <= set(document["faithfulness"])
    assert set(document["beside"]) == {"naive", "common-neighbours"}
    assert len(document["verdicts"]) == 2
    exact = 1 - (document["filtered"]["per_axiom"]["mean_rank"] - 1) / (document["candidates"] - 1)
    assert document["filtered"]["per_axiom"]["auc_exact"] == pytest.approx(exact)


def test_table_shows_the_baselines_and_says_who_wins(
    dataset: Dataset, entailments: Entailments, model: ElEmbeddings
) -> None:
    text = Report(evaluate(model, dataset, EvaluationSettings(positives="both"), entailments)).table()
    for words in ("per axiom [paper: macro]", "per class [paper: micro]", "naive", "common-neighbours", "GCI2", "fmax"):
        assert words in text
    assert "does not beat naive" in text or "beats naive" in text


def test_a_model_without_merit_is_called_so(dataset: Dataset, entailments: Entailments) -> None:
    """Against itself a predictor never wins; against chance a good one does."""

    class Chance(Naive):
        name = "chance-for-a-test"

        def scorer(self) -> TableScorer:
            scorer = super().scorer()
            shuffled = {r: np.random.default_rng(1).permutation(t) for r, t in scorer._tables.items()}
            return type(scorer)(shuffled, dataset.vocabulary.n_classes)

    report = evaluate(Chance.fit(dataset), dataset, EvaluationSettings(), entailments)
    assert any("chance-for-a-test does not beat naive" in verdict.words for verdict in report.verdicts())
    same = evaluate(Naive.fit(dataset), dataset, EvaluationSettings(), entailments, {"again": Naive.fit(dataset)})
    assert any("naive does not beat again" in verdict.words for verdict in same.verdicts())
    assert "naive" not in same.beside


def test_candidates_of_the_target_role(dataset: Dataset) -> None:
    rows = np.concatenate([dataset.train, dataset.valid, dataset.test])
    assert candidates_of(dataset, "target").tolist() == sorted(set(rows[:, 2].tolist()))
    assert candidates_of(dataset, "target", "head").tolist() == sorted(set(rows[:, 0].tolist()))
    assert candidates_of(dataset, "kind").tolist() == dataset.candidates.tolist()
    assert len(candidates_of(dataset, "target")) < len(dataset.candidates)


def test_faithfulness_of_a_model_where_everything_is_true(dataset: Dataset, entailments: Entailments) -> None:
    """One ball for all: every axiom is true, asserted, entailed or random, and every class contains everything."""
    collapsed = ElEmbeddings(Sizes.of(dataset), ElSettings(dimension=2), np.random.default_rng(0))
    for tensor in collapsed.parameters.values():
        tensor.zero_()
    report = evaluate(collapsed, dataset, EvaluationSettings(), entailments)
    for shares in report.faithfulness.values():
        assert shares["GCI0"] == shares["GCI2"] == 1
    assert report.collapse["containing_everything"] == 1
    assert report.collapse["tied_share"] == pytest.approx(1 - 1 / len(dataset.candidates))
    assert report.rankings["test"].raw.average.tolist() == [(len(dataset.candidates) + 1) / 2] * len(dataset.test)


def test_same_seed_same_report(dataset: Dataset, entailments: Entailments, model: ElEmbeddings) -> None:
    one, other = (
        json.dumps(evaluate(model, dataset, EvaluationSettings(positives="both", seed=4), entailments).to_dict())
        for _ in range(2)
    )
    assert one == other


@pytest.mark.parametrize("without_head", [False, True])
def test_subclasses_can_be_the_target(without_head: bool) -> None:
    dataset = hierarchy_completion()
    model = ElEmbeddings(Sizes.of(dataset), ElSettings(dimension=3), np.random.default_rng(2))
    entailments = Entailments(dataset)
    settings = EvaluationSettings(filter="closure", positives="both", without_head=without_head)
    report = evaluate(model, dataset, settings, entailments)
    heads, tails = (
        part.ravel() for part in np.meshgrid(dataset.kinds.members("term"), dataset.candidates, indexing="ij")
    )
    follows = entailments.closure.contains("subclass", np.stack([heads, tails], axis=1))
    entailed = {(int(h), int(t)) for h, t in zip(heads[follows], tails[follows], strict=True)}
    scorer = model.scorer()

    def score(head: int, tail: int) -> float:
        return scorer.pairs(np.array([head]), None, np.array([tail]))[0]

    ranks = report.rankings["test"].filtered
    assert any((int(h), int(h)) in entailed for h in ranks.heads)
    for i, (head, tail) in enumerate(dataset.test.tolist()):
        known = {t for h, t in entailed if h == head}
        expected = slow_rank(score, head, tail, dataset.candidates, known, without_head)
        assert (ranks.optimistic[i], ranks.pessimistic[i], ranks.candidates[i]) == expected
    positives = report.rankings["entailed"].raw
    found = set(zip(positives.heads.tolist(), positives.answers.tolist(), strict=True))
    assert found == {(h, t) for h, t in entailed if h != t}
    assert report.to_dict()["semantic"]["fmax"] is None
    assert set(report.beside) == {"naive", "naive-symmetric", "common-neighbours"}


def test_the_papers_closure_entails_less(dataset: Dataset, model: ElEmbeddings) -> None:
    whole, paper = (
        evaluate(model, dataset, EvaluationSettings(positives="both", closure=mode, resamples=0))
        for mode in ("complete", "paper")
    )
    assert 0 < len(paper.rankings["entailed"].raw) <= len(whole.rankings["entailed"].raw)


@pytest.mark.slow
def test_plot_has_a_curve_for_each(dataset: Dataset, entailments: Entailments, model: ElEmbeddings) -> None:
    pytest.importorskip("matplotlib").use("agg")
    axes = Report(evaluate(model, dataset, EvaluationSettings(positives="both"), entailments)).plot()
    labels = {text.get_text() for text in axes.get_legend().get_texts()}
    assert {"elem, raw", "elem, filtered", "elem, novel", "elem, entailed", "naive"} <= labels


def test_bad_settings_are_refused(dataset: Dataset, model: ElEmbeddings) -> None:
    with pytest.raises(SettingError, match="filter has to be one of none, train"):
        EvaluationSettings(filter="test")  # type: ignore[arg-type]
    from dataclasses import replace

    with pytest.raises(SettingError, match=r"valid split .* has no axioms"):
        evaluate(model, replace(dataset, valid=dataset.valid[:0]), EvaluationSettings(split="valid"))
