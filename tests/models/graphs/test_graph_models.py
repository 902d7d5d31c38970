"""Models of edges against their formulas, one edge at a time, with numpy's complex numbers for `complex`."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import elgeo
from elgeo.errors import SettingError
from elgeo.models import find
from elgeo.models.graphs.models import GraphModel
from elgeo.models.graphs.scores import InnerScorer
from tests.models.model_contract import SIZES, random_rows

NAMES = ["transe", "distmult", "complex"]


def model_named(name: str) -> GraphModel:
    cls = find(name)
    assert issubclass(cls, GraphModel)
    extra = {"margin": 0.7, "radius_weight": 0.5} if name == "transe" else {"weight": 0.3}
    return cls(SIZES, cls.Settings(dimension=3, **extra), np.random.default_rng(1)).to(torch.float64)


def plain(model: GraphModel, h: int, r: int, t: int) -> tuple[float, float]:
    """Score and cost of an edge."""
    entities, relations = model.arrays()["entities"], model.arrays()["relations"]
    head, relation, tail = entities[h], relations[r], entities[t]
    if model.name == "transe":
        longer = sum(max(float(np.linalg.norm(v)) - 1, 0.0) for v in (head, tail))
        return 0.7 - float(np.linalg.norm(head + relation - tail)), 0.5 * longer
    if model.name == "complex":
        head, relation, tail = (v[:3] + 1j * v[3:] for v in (head, relation, tail))
    score = float(np.real(np.sum(head * relation * np.conj(tail))))
    return score, 0.1 * float(sum((np.abs(v) ** 3).sum() for v in (head, relation, tail)))


def edges(form: str, rows: np.ndarray) -> list[tuple[int, int, int]]:
    if form == "subclass":
        return [(c, SIZES.roles, d) for c, d in rows.tolist()]
    return [(c, r, d) for c, r, d in rows.tolist()]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("form", ["subclass", "existential"])
@pytest.mark.parametrize("negative", [False, True])
def test_losses_are_logistic_in_the_score(name: str, form: str, negative: bool) -> None:
    model = model_named(name)
    rows = random_rows(form, 30, np.random.default_rng(2))
    found = [plain(model, *edge) for edge in edges(form, rows)]
    expected = [np.log(1 + np.exp(score if negative else -score)) + cost for score, cost in found]
    np.testing.assert_allclose(model.loss(form, torch.from_numpy(rows), negative).numpy(), expected, rtol=1e-6)
    with pytest.raises(SettingError, match="no loss for 'conjunction'"):
        model.loss("conjunction", torch.zeros((1, 3), dtype=torch.int32))


@pytest.mark.parametrize("name", NAMES)
def test_vectors_begin_anywhere_within_six_over_the_root_of_the_dimension(name: str) -> None:
    cls = find(name)
    assert issubclass(cls, GraphModel)
    made = cls(SIZES, cls.Settings(dimension=50), np.random.default_rng(1)).initial(np.random.default_rng(4))
    width = 100 if name == "complex" else 50
    assert {key: array.shape for key, array in made.items()} == {
        "entities": (SIZES.classes, width),
        "relations": (SIZES.roles + 1, width),
    }
    for array in made.values():
        assert array.max() == pytest.approx(6 / 50**0.5, rel=0.04)
        assert array.min() == pytest.approx(-6 / 50**0.5, rel=0.04)
        assert np.abs(array).max() <= np.float32(6 / 50**0.5)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("role", [None, 2])
def test_scores_are_those_of_the_formula(name: str, role: int | None) -> None:
    model = model_named(name)
    every = np.arange(SIZES.classes, dtype=np.int32)
    found = model.scorer().tails(every, role, every)
    shift = 0.7 if name == "transe" else 0.0
    for c in every.tolist():
        for d in every.tolist():
            score, _ = plain(model, c, SIZES.roles if role is None else role, d)
            assert found[c, d] == pytest.approx(score - shift, rel=1e-9, abs=1e-12)
    assert np.allclose(found, found.T) == (name == "distmult")


@pytest.mark.parametrize("name", NAMES)
def test_a_graph_has_no_truth_but_is_trained_and_ranked_like_any_model(name: str) -> None:
    model = model_named(name)
    assert model.judged_forms == ()
    with pytest.raises(SettingError, match="no geometry"):
        model.holds("subclass", np.zeros((1, 2), np.int32))
    run = elgeo.train("family", model=name, dimension=4, epochs=2, threads=1)
    assert elgeo.evaluate(run).to_dict()["filtered"]["per_axiom"]["mrr"] > 0
    assert len(run.predict(top=3)) > 0


@pytest.mark.parametrize("name", ["distmult", "complex"])
@pytest.mark.parametrize("form", ["subclass", "existential"])
def test_with_softmax_a_tail_is_told_from_all_classes(name: str, form: str) -> None:
    cls = find(name)
    assert issubclass(cls, GraphModel)
    settings = cls.Settings(dimension=3, weight=0.3, objective="softmax")
    model = cls(SIZES, settings, np.random.default_rng(1)).to(torch.float64)
    rows = random_rows(form, 20, np.random.default_rng(2))
    found = model.loss(form, torch.from_numpy(rows)).numpy()
    for (h, r, t), loss in zip(edges(form, rows), found.tolist(), strict=True):
        score, cost = plain(model, h, r, t)
        every = [plain(model, h, r, other)[0] for other in range(SIZES.classes)]
        assert loss == pytest.approx(np.log(np.sum(np.exp(every))) - score + cost, rel=1e-6)
    costs = [plain(model, *edge)[1] for edge in edges(form, rows)]
    np.testing.assert_allclose(model.loss(form, torch.from_numpy(rows), True).numpy(), costs, rtol=1e-6)


@pytest.mark.parametrize("scale", [1e-3, 1.0, 50.0])
def test_what_counts_as_equal_is_rounding_and_no_more(scale: float) -> None:
    """The same scores summed in two orders differ by less; scores a millionth apart are not equal."""
    generator = np.random.default_rng(3)
    tails = scale * generator.standard_normal((40, 33))
    scorer = InnerScorer(lambda heads, role: tails[heads] * 1.7, tails)
    ids = np.arange(40, dtype=np.int32)
    bulk = scorer.tails(ids, None, ids)
    plain = np.array([[sum(1.7 * a * b for a, b in zip(h, t, strict=True)) for t in tails] for h in tails])
    assert np.abs(bulk - plain).max() <= scorer.tolerance <= 1e-9 * max(np.abs(plain).max(), scale)
