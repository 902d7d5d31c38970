"""The figures that only the whole evaluation puts together, each worked out again beside it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal

import numpy as np
import pytest

from elgeo.datasets.model import Dataset
from elgeo.evaluation import entailments as entailments_module
from elgeo.evaluation import evaluate as evaluate_module
from elgeo.evaluation.entailments import Entailments
from elgeo.evaluation.evaluate import evaluate
from elgeo.evaluation.measures import semantic
from elgeo.evaluation.measures.hierarchy import information_content
from elgeo.evaluation.measures.metrics import roc
from elgeo.evaluation.ranking.scoring import Contest
from elgeo.evaluation.settings import EvaluationSettings
from elgeo.models.ball_models.elem import ElEmbeddings, ElSettings
from elgeo.models.baselines import Naive
from elgeo.models.contract import Sizes
from elgeo.ontology.normal_forms import NormalForms
from elgeo.ontology.vocabulary import TOP
from tests.evaluation.small_functions import functions, hierarchy_completion


@pytest.fixture(scope="module")
def dataset() -> Dataset:
    return functions(3)


@pytest.fixture(scope="module")
def entailments(dataset: Dataset) -> Entailments:
    return Entailments(dataset)


@pytest.fixture(scope="module")
def model(dataset: Dataset) -> ElEmbeddings:
    return ElEmbeddings(Sizes.of(dataset), ElSettings(dimension=3), np.random.default_rng(0))


@pytest.mark.parametrize("make", [functions, hierarchy_completion])
@pytest.mark.parametrize("at_once", [1, 7, 1 << 20])
def test_a_closure_too_large_to_store_is_asked_pair_by_pair(
    make: Callable[[], Dataset], at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    dataset = make()
    heads, tails = dataset.kinds.members(dataset.head_kind), dataset.candidates
    empty = heads[[1, 4]]  # of which everything follows
    tables = {**dataset.forms.tables, "empty": np.concatenate([dataset.forms["empty"], empty[:, None]])}
    entailments = Entailments(replace(dataset, forms=NormalForms(dataset.vocabulary, tables)))
    stored = entailments.axioms(heads, tails)
    assert all((stored[:, 0] == c).sum() >= len(tails) - 1 for c in empty)
    assert len(stored) > 5 + 2 * len(tails)
    monkeypatch.setattr(entailments_module, "ROWS_AT_ONCE", at_once)
    monkeypatch.setattr(type(entailments.closure), "tail_rows", lambda self, form: None)
    asked = entailments.axioms(heads, tails)
    assert asked.tolist() == sorted(stored.tolist())
    assert entailments.axioms(heads[:0], tails).shape == (0, dataset.train.shape[1])


def test_what_empties_everything_is_a_contradiction_too() -> None:
    """⊤ below a class that is empty: the class that the axiom empties is the first of all."""
    dataset = hierarchy_completion()
    child, parent = dataset.train[0].tolist()
    tables = {**dataset.forms.tables, "empty": np.array([[child]], np.int32)}
    entailments = Entailments(replace(dataset, forms=NormalForms(dataset.vocabulary, tables)))
    rows = np.array([[TOP, child], [TOP, parent], [parent, child], [child, parent]], np.int32)
    assert entailments.emptied(rows).tolist() == [TOP, -1, parent, -1]
    assert entailments.contradicts(rows).tolist() == [True, False, True, False]


def test_entailed_axioms_are_those_of_the_asked_heads_then_of_others(
    dataset: Dataset, entailments: Entailments, model: ElEmbeddings, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = set(dataset.test[:, 0].tolist())
    everyone = {int(h) for h in entailments.axioms(dataset.kinds.members(dataset.head_kind), dataset.candidates)[:, 0]}
    assert asked < everyone
    for most in (1, len(asked), len(asked) + 1):
        monkeypatch.setattr(evaluate_module, "ENTAILED_HEADS", most)
        settings = EvaluationSettings(positives="entailed", semantic=False, faithfulness=False, resamples=0)
        found = set(evaluate(model, dataset, settings, entailments).rankings["entailed"].raw.heads.tolist())
        assert found <= everyone
        assert len(found - asked) <= max(0, most - len(asked))
        assert found & asked == asked & everyone
    assert len(found - asked) == 1, "the last of them had room for one more"


def test_semantic_figures_are_those_of_the_measures(
    dataset: Dataset, entailments: Entailments, model: ElEmbeddings
) -> None:
    settings = EvaluationSettings(filter="train", resamples=0, faithfulness=False, seed=3)
    report = evaluate(model, dataset, settings, entailments)
    hierarchy, ranks = entailments.hierarchy, report.rankings["test"].filtered
    contest = Contest(model.scorer(), dataset.target_role, dataset.candidates, "tail", dataset.vocabulary.class_label)
    known = evaluate_module._Evaluator(model, dataset, settings, entailments, print).known
    credited = semantic.superclass_ranks(contest, ranks, hierarchy, known, False)
    assert report.semantic["superclass_mean_rank"] == pytest.approx(sum(credited) / len(credited))
    assert report.semantic["superclass_mrr"] == pytest.approx(sum(1 / r for r in credited) / len(credited))
    content = information_content(
        hierarchy.propagated(dataset.train[:, 0], dataset.train[:, -1]), dataset.vocabulary.n_classes
    )
    hits = {
        k: semantic.lin_hits(contest, ranks, hierarchy, content, k, known, False, np.random.default_rng(3))
        for k in (9, 10, 11)
    }
    assert report.semantic["lin_hits@10"] == pytest.approx(hits[10])
    assert len(set(hits.values())) == 3
    counted = evaluate(Naive.fit(dataset), dataset, settings, entailments).semantic
    for name in ("fmax", "wfmax", "smin"):
        assert report.semantic[f"{name} of naive"] == counted[name] != report.semantic[name]
    assert "fmax of naive" not in counted, "it does not stand beside itself"


@pytest.mark.slow
def test_known_functions_count_unless_nothing_is_filtered(
    dataset: Dataset, entailments: Entailments, model: ElEmbeddings
) -> None:
    hierarchy = entailments.hierarchy
    contest = Contest(model.scorer(), dataset.target_role, dataset.candidates)
    trained = hierarchy.propagated(dataset.train[:, 0], dataset.train[:, -1])
    found = []
    for chosen in ("none", "train", "closure"):
        settings = EvaluationSettings(filter=chosen, resamples=0, faithfulness=False)
        figures = evaluate(model, dataset, settings, entailments).semantic
        heads, tails = dataset.test[:, 0].copy(), dataset.test[:, -1].copy()
        expected = semantic.function_measures(contest, heads, tails, hierarchy, trained, chosen != "none")._asdict()
        found.append({name: figures[name] for name in expected})
        assert found[-1] == pytest.approx(expected)
    assert found[0] != found[1] == found[2]


@pytest.mark.parametrize("side", ["tail", "head"])
@pytest.mark.parametrize("without_head", [False, True])
def test_the_share_of_entailed_axioms_among_the_best(side: Literal["tail", "head"], without_head: bool) -> None:
    dataset = hierarchy_completion()
    entailments = Entailments(dataset)
    model = ElEmbeddings(Sizes.of(dataset), ElSettings(dimension=3), np.random.default_rng(8))
    settings = EvaluationSettings(positives="both", side=side, without_head=without_head, faithfulness=False)
    report = evaluate(model, dataset, settings, entailments)
    scorer, candidates = model.scorer(), dataset.candidates
    asked = np.unique(dataset.test[:, 0 if side == "tail" else -1])
    shares: dict[int, list[float]] = {1: [], 10: [], 100: []}
    for one in asked:
        answers = np.array([c for c in candidates if not (without_head and c == one)])
        pairs = np.array([(one, c) if side == "tail" else (c, one) for c in answers])
        scores = scorer.pairs(pairs[:, 0], None, pairs[:, 1])
        assert len(np.unique(scores)) == len(scores), "no ties, or chance decides"
        follows = entailments.closure.contains("subclass", pairs)[np.argsort(-scores)]
        for k, found in shares.items():
            found.append(follows[:k].sum() / min(k, len(answers)))
    assert len(candidates) < 100
    for k, found in shares.items():
        assert report.top_entailed[f"top_{k}"] == pytest.approx(np.mean(found))


@pytest.mark.parametrize("points", [3, 4, 1000])
def test_a_long_curve_keeps_its_ends(
    dataset: Dataset, entailments: Entailments, model: ElEmbeddings, points: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evaluate_module, "CURVE_POINTS", points)
    settings = EvaluationSettings(filter="none", semantic=False, faithfulness=False, resamples=0)
    report = evaluate(model, dataset, settings, entailments)
    x, y = roc(report.rankings["test"].raw)
    curve = report.curves["elem, raw"]
    whole = list(zip(x.tolist(), y.tolist(), strict=True))
    kept = list(zip(list(curve.x), list(curve.y), strict=True))
    assert len(whole) > 10
    assert len(kept) == min(points, len(whole))
    assert (kept[0], kept[-1]) == (whole[0], whole[-1])
    assert set(kept) <= set(whole)


def test_a_split_without_axioms_is_refused_and_the_valid_one_is_ranked(
    dataset: Dataset, entailments: Entailments, model: ElEmbeddings
) -> None:
    settings = EvaluationSettings(split="valid", semantic=False, faithfulness=False, resamples=0)
    report = evaluate(model, replace(dataset, test=dataset.test[:0]), settings, entailments)
    assert report.rankings["test"].raw.heads.tolist() == dataset.valid[:, 0].tolist()
