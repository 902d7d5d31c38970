"""Which axioms the shares of true axioms are about: all of them, entailed ones, random ones of the same kind."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from elgeo.arrays import Table
from elgeo.datasets.model import Dataset
from elgeo.evaluation.entailments import Entailments
from elgeo.evaluation.measures import faithfulness
from elgeo.evaluation.ranking.ranks import Ranks
from tests.evaluation.odd_geometry import JUDGED, Odd
from tests.small_dataset import small_dataset


@pytest.fixture(scope="module")
def dataset() -> Dataset:
    return small_dataset(4)


def test_every_asserted_axiom_is_looked_at_once(dataset: Dataset) -> None:
    model = Odd()
    shares = faithfulness.true_shares(model, dataset, np.random.default_rng(0))
    assert {form: sorted(rows) for form, rows in model.asked.items()} == {
        form: sorted(dataset.forms[form].tolist()) for form in JUDGED
    }
    assert shares == pytest.approx(model.shares())


def test_large_tables_are_sampled_without_repetition(dataset: Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    model = Odd()
    monkeypatch.setattr(faithfulness._some, "__defaults__", (len(dataset.forms["subclass"]) - 2,))
    faithfulness.true_shares(model, dataset, np.random.default_rng(0))
    for form in JUDGED:
        rows, table = model.asked[form], dataset.forms[form].tolist()
        assert len(rows) == min(len(table), len(dataset.forms["subclass"]) - 2)
        assert len(set(map(tuple, rows))) == len(rows)
        assert all(row in table for row in rows)
    assert len(model.asked["subclass"]) < len(dataset.forms["subclass"])


def test_entailed_axioms_are_entailed_and_differ_in_their_last_class_alone(dataset: Dataset) -> None:
    model, closure = Odd(), Entailments(dataset).closure
    shares = faithfulness.entailed_shares(model, dataset, closure, np.random.default_rng(1))
    assert set(model.asked) == {"subclass", "conjunction", "existential", "left_existential"}
    for form, rows in model.asked.items():
        assert closure.contains(form, np.array(rows, np.int32)).all()
        table = [row[:-1] for row in dataset.forms[form].tolist()]
        assert all(row[:-1] in table for row in rows)
        assert rows not in ([], dataset.forms[form].tolist())
    # what has no entailed class but one that normalisation made up is left out
    assert len(model.asked["left_existential"]) < len(dataset.forms["left_existential"])
    assert shares == pytest.approx(model.shares())


def test_random_axioms_keep_all_but_the_last_class_and_that_ones_kind(dataset: Dataset) -> None:
    model, kinds = Odd(), dataset.kinds
    shares = faithfulness.random_shares(model, dataset, np.random.default_rng(2))
    assert set(model.asked) == {"subclass", "conjunction", "existential", "left_existential"}
    for form, rows in model.asked.items():
        before, after = dataset.forms[form], np.array(rows)
        assert after[:, :-1].tolist() == before[:, :-1].tolist()
        kind_of = kinds.of_class[before[:, -1]]
        assert kinds.of_class[after[:, -1]].tolist() == kind_of.tolist()
        for kind in np.unique(kind_of):  # none is left as it was for want of a head of that kind
            members = len(kinds.members(int(kind)))
            changed = after[kind_of == kind, -1] != before[kind_of == kind, -1]
            assert members == 1 or len(changed) < 5 or changed.any()
    # every kind is drawn from as a whole: of 200 and more draws some are new to the table
    last = {row[-1] for row in model.asked["existential"]}
    assert last - set(dataset.forms["existential"][:, -1].tolist())
    assert last & set(kinds.members("person").tolist())
    assert last & set(kinds.members("thing").tolist())
    assert shares == pytest.approx(model.shares())


def test_one_class_that_contains_itself_contains_everything() -> None:
    class Full(Odd):
        def holds(self, form: str, rows: Table, tolerance: float = 1e-4) -> NDArray[np.bool_]:
            assert set(rows.ravel().tolist()) <= set(range(2, n_classes))
            return np.ones(len(rows), np.bool_)

    for n_classes in (2, 3, 4):
        dataset: Any = SimpleNamespace(vocabulary=SimpleNamespace(n_classes=n_classes))
        share = faithfulness.containing_everything(Full(), dataset, np.random.default_rng(0))
        assert np.isnan(share) if n_classes == 2 else share == 1


def test_classes_that_contain_everything_are_counted_among_the_real_ones(dataset: Dataset) -> None:
    """⊤ and ⊥ are neither asked nor probed; a class counts only where every probe is in it."""

    class Large(Odd):
        def holds(self, form: str, rows: Table, tolerance: float = 1e-4) -> NDArray[np.bool_]:
            super().holds(form, rows)
            return (rows[:, 1] < 10) | ((rows[:, 1] < 20) & (rows[:, 0] != 7))

    model, n = Large(), dataset.vocabulary.n_classes
    share = faithfulness.containing_everything(model, dataset, np.random.default_rng(0))
    assert {tuple(row) for row in model.asked["subclass"]} == {(a, b) for a in range(2, n) for b in range(2, n)}
    assert share == pytest.approx(8 / (n - 2))


def test_signs_of_collapse_by_hand(dataset: Dataset) -> None:
    ids = np.arange(4, dtype=np.int32)
    ranks = Ranks(ids, ids, np.array([1, 2, 3, 1]), np.array([1, 6, 4, 9]), np.array([10, 8, 10, 9]), 10)
    radii = np.random.default_rng(0).normal(size=41)
    generator = np.random.default_rng(0)
    signs = faithfulness.signs_of_collapse(Odd(radii.tolist()), dataset, ranks, generator)
    assert signs["tie_width_median"] == 2.5  # of 0, 4, 1, 8
    assert signs["tie_width_max"] == 8
    assert signs["tied_share"] == pytest.approx((0 / 10 + 4 / 8 + 1 / 10 + 8 / 9) / 4)
    low, middle, high = (np.sort(radii)[i] for i in (2, 20, 38))
    assert (signs["radius_5%"], signs["radius_median"], signs["radius_95%"]) == pytest.approx((low, middle, high))
    assert signs["containing_everything"] == 0
    assert set(faithfulness.signs_of_collapse(None, dataset, ranks, generator)) == {
        "tie_width_median",
        "tie_width_max",
        "tied_share",
    }
    assert faithfulness.signs_of_collapse(None, dataset, ranks.take(ids[:0]), generator) == {}
