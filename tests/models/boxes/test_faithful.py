"""The model: everything asserted or entailed is true, by a plain loop; what is not entailed becomes false."""

from __future__ import annotations

import itertools
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import elgeo
from elgeo import datasets
from elgeo.datasets.model import Dataset
from elgeo.errors import SettingError
from elgeo.models.boxes.faithful import Faithful, FaithfulSettings
from elgeo.models.boxes.halves import Halves
from elgeo.models.boxes.numbers import LAST, NOTHING, POINTS
from elgeo.models.boxes.tables import RoleRules
from elgeo.ontology.normal_forms import FORMS
from elgeo.reasoning.closure.modes import closure_of
from elgeo.reasoning.questions.expressions import And, Atom, Some
from elgeo.reasoning.saturation.saturate import saturate
from elgeo.training.run import Run
from tests.models.boxes.plain_boxes import PlainBoxes
from tests.models.boxes.small_forms import dataset_of, random_axioms, random_pinned_axioms


def fit(dataset: Dataset, seed: int = 0, **settings: int) -> Faithful:
    quick = {"dimension": 8, "proposals": 16, "rounds": 2, "pool": 200} | settings
    return Faithful.fit(dataset, FaithfulSettings(**quick), np.random.default_rng(seed), lambda message: None)


@cache
def fitted(name: str) -> tuple[Faithful, Dataset]:
    dataset = datasets.load(name)
    return fit(dataset), dataset


@pytest.mark.parametrize("name", ["family", "cell-tiny"])
def test_every_asserted_axiom_is_true_and_only_what_cannot_be_is_empty(name: str) -> None:
    model, dataset = fitted(name)
    plain = PlainBoxes(model.halves)
    for form, rows in dataset.forms.tables.items():
        assert [plain.holds(form, row) for row in rows[:100].tolist()] == [True] * min(len(rows), 100)
        assert model.holds(form, rows).all()
    assert model.findings()["false"] == []
    assert model.findings()["asserted"] == sum(len(rows) for rows in dataset.forms.tables.values())
    unsatisfiable = saturate(dataset.forms).unsatisfiable.copy()
    unsatisfiable[1] = True
    assert (model.halves.empty == unsatisfiable).all()


@pytest.mark.parametrize("name", ["family", "cell-tiny"])
def test_every_entailed_axiom_between_names_is_true(name: str) -> None:
    model, dataset = fitted(name)
    closure = closure_of(saturate(dataset.forms), "complete")
    for form in ("subclass", "existential", "conjunction", "left_existential", "disjoint", "subrole", "chain"):
        if name == "cell-tiny" and form in ("conjunction", "left_existential", "disjoint"):
            continue  # too many to list
        for rows in closure.tables(form):
            assert model.holds(form, rows).all()


def test_among_the_family_all_and_only_what_follows_is_true() -> None:
    dataset = datasets.load("family")
    model = fit(dataset, dimension=24)
    closure = closure_of(saturate(dataset.forms), "complete")
    classes, roles = range(2, dataset.vocabulary.n_classes), range(1, dataset.vocabulary.n_roles)
    pairs = np.array(list(itertools.product(classes, classes)), np.int32)
    follows = closure.contains("subclass", pairs)
    assert (model.holds("subclass", pairs) >= follows).all()
    assert (model.holds("subclass", pairs) & ~follows).mean() < 0.01
    for r in roles:
        rows = np.insert(pairs, 1, r, axis=1)
        assert (model.holds("existential", rows) >= closure.contains("existential", rows)).all()
    points = dataset.vocabulary.class_kinds == 2
    numbers = model.halves.classes[points].astype(int)
    assert (numbers[:, ::2] + numbers[:, 1::2] == 0).all()


def test_more_dimensions_make_more_false() -> None:
    model, dataset = fitted("cell-tiny")
    rows = np.random.default_rng(0).integers(2, dataset.vocabulary.n_classes, (4000, 2)).astype(np.int32)
    shares = [model.halves.narrowed(k).holds("subclass", rows).mean() for k in (1, 3, 5, 8)]
    assert shares == sorted(shares, reverse=True)
    assert shares[0] > 2 * shares[-1]


@pytest.mark.slow
def test_the_same_seed_gives_the_same_bits_and_another_seed_others() -> None:
    dataset = datasets.load("family")
    one, two, other = fit(dataset), fit(dataset), fit(dataset, seed=1)
    for name, array in one.arrays().items():
        assert array.dtype == np.int8
        np.testing.assert_array_equal(array, two.arrays()[name])
    assert not np.array_equal(one.arrays()["classes"], other.arrays()["classes"])


def test_weights_of_another_dimension_or_dataset_are_refused() -> None:
    model, dataset = fitted("family")
    settings = FaithfulSettings(dimension=8)
    arrays = model.arrays()
    restored = Faithful.restore(dataset, settings, arrays)
    assert (restored.halves.classes == model.halves.classes).all()
    for wrong in (FaithfulSettings(dimension=7), FaithfulSettings(dimension=16)):
        with pytest.raises(SettingError, match="another dataset or dimension"):
            Faithful.restore(dataset, wrong, arrays)
    with pytest.raises(SettingError, match="another dataset or dimension"):
        Faithful.restore(dataset, settings, {**arrays, "classes": arrays["classes"].astype(np.int16)})
    for name, number in (("classes", LAST + 1), ("roles", -LAST - 1), ("roles", 127)):
        wrong_number = arrays[name].copy()
        wrong_number.flat[-1] = number
        with pytest.raises(SettingError, match=f"lie between -16 and 16, some {name} do not"):
            Faithful.restore(dataset, settings, {**arrays, name: wrong_number})


def test_a_run_of_the_time_when_roles_were_translations_is_refused() -> None:
    model, dataset = fitted("family")
    arrays = {**model.arrays(), "limits": np.zeros(16, np.int8)}
    with pytest.raises(SettingError, match="boxes of translations, which are not read any more: train again"):
        Faithful.restore(dataset, FaithfulSettings(dimension=8), arrays)


def test_too_few_dimensions_for_disjoint_classes_are_refused() -> None:
    with pytest.raises(SettingError, match="dimension has to be at least 2, not 1"):
        fit(datasets.load("family"), dimension=1)
    assert fit(datasets.load("family"), dimension=2).findings()["dimensions_of_disjointness"] == 2
    with pytest.raises(SettingError, match="dimension"):
        FaithfulSettings(dimension=0)


def test_a_contradiction_is_said_to_have_no_model() -> None:
    dataset = dataset_of(individuals="a", subclass="a A, a B", disjoint="A B", existential="a r a")
    with pytest.raises(SettingError, match="contradict"):
        fit(dataset)


@pytest.mark.parametrize(
    "axioms",
    [
        {"existential": "A r B"} | {"subclass": "⊤ a"},
        {"subclass": "⊤ A, A B, B a"},
    ],
)
def test_where_everything_is_one_individual_there_is_no_geometry(axioms: dict[str, str]) -> None:
    dataset = dataset_of(individuals="a b", **axioms)
    with pytest.raises(SettingError, match=r"everything is a \(owl:Thing SubClassOf \{a\} follows\)"):
        fit(dataset)


def test_left_sides_are_expressions_like_others() -> None:
    model, dataset = fitted("cell-tiny")
    generator = np.random.default_rng(4)
    classes, roles = dataset.vocabulary.n_classes, dataset.vocabulary.n_roles
    pairs = generator.integers(2, classes, (9, 2)).astype(np.int32)
    ways = np.stack([generator.integers(0, roles, 9), generator.integers(2, classes, 9)], axis=1).astype(np.int32)
    tails = generator.choice(classes, 7, replace=False).astype(np.int32)
    heads = np.arange(classes, classes + 9, dtype=np.int32)
    for form, lefts, said in (
        ("conjunction", pairs, lambda c, d: And((Atom(c), Atom(d)))),
        ("left_existential", ways, lambda r, c: Some(r, Atom(c))),
    ):
        scores = model.with_lefts(form, lefts).tails(heads, None, tails)
        for row, left in zip(scores, lefts.tolist(), strict=True):
            assert row.tolist() == [model.includes(said(*left), Atom(d)).score for d in tails.tolist()]


def test_a_dataset_without_roles_is_as_good_as_any() -> None:
    dataset = dataset_of(subclass="A B, B C, D C", conjunction="A D E")
    model = fit(dataset)
    told = np.unique(dataset.forms.subclass[:, 0])
    pairs = np.array(list(itertools.product(told, range(2, 7))), np.int32)
    closure = closure_of(saturate(dataset.forms), "complete")
    assert (model.holds("subclass", pairs) == closure.contains("subclass", pairs)).all()


def test_roles_of_every_kind_are_true() -> None:
    dataset = dataset_of(
        subclass="A B, C D",
        existential="A r B, B s C, C r D",
        left_existential="s C E, r ⊤ F",
        subrole="r s",
        chain="r r r, s r t",
        reflexive="q",
        self="D p",
        left_self="p G",
        range="s H",
    )
    model = fit(dataset)
    for form in FORMS:
        assert model.holds(form, dataset.forms[form]).all(), form


@pytest.mark.parametrize(("empty", "at_home"), [("", "stuwx"), ("C", "suwx"), ("A C", "uwx"), ("A C D", "wx")])
def test_points_have_a_role_to_themselves_if_a_class_that_has_points_says_so(empty: str, at_home: str) -> None:
    forms = dataset_of(existential="A r B, B s A, C t A, D u A", self="A s, C t, D u, A u", reflexive="w, x").forms
    names = forms.vocabulary
    found = RoleRules.of(forms, np.isin(names.classes, empty.split())).at_home
    assert "".join(sorted(names.roles[r] for r in found.tolist())) == at_home


@pytest.mark.slow
def test_irregular_axioms_of_every_form_are_true_by_the_points_of_the_sets() -> None:
    """Chains, domains, ranges, individuals and disjointness, by chance: only axioms about nothing may have no place."""
    generator = np.random.default_rng(4)
    models = missed = about_nothing = 0
    for _ in range(80):
        dataset = dataset_of(individuals="a b c d", **random_axioms(generator))
        saturation = saturate(dataset.forms)
        if not saturation.consistent:
            continue
        model = fit(dataset, dimension=6, proposals=6)
        plain = PlainBoxes(model.halves)
        false = []
        for form, rows in dataset.forms.tables.items():
            true = [plain.holds(form, row) for row in rows.tolist()]
            assert model.holds(form, rows).tolist() == true
            assert form in ("disjoint", "empty_existential") or all(true), form
            false += [row for row, is_true in zip(rows.tolist(), true, strict=True) if not is_true]
        assert len(model.findings()["false"]) == len(false)
        unsatisfiable = saturation.unsatisfiable.copy()
        unsatisfiable[1] = True
        assert (model.halves.empty == unsatisfiable).all()
        models, missed = models + 1, missed + len(false)
        about_nothing += len(dataset.forms.disjoint) + len(dataset.forms["empty_existential"])
    assert models > 12
    assert missed < 0.2 * about_nothing, (models, missed, about_nothing)


def test_what_can_have_no_instance_where_individuals_are_is_empty() -> None:
    """Alone lies in {a}, which b has; so nothing is Alone, and nothing is said to be false for it."""
    dataset = dataset_of(
        individuals="a b", subclass="Alone a, Other Alone", empty_existential="r Alone", existential="b r a"
    )
    model = fit(dataset)
    assert model.findings()["false"] == []
    empty = {name for name, none in zip(dataset.vocabulary.classes, model.halves.empty, strict=True) if none}
    assert empty == {"⊥", "Alone", "Other"}


@pytest.mark.slow
def test_what_is_empty_by_an_instance_is_so_in_random_ontologies() -> None:
    """Every class that no model has an instance of, and no other; what follows is true, by the points themselves."""
    generator = np.random.default_rng(0)
    models = 0
    while models < 5:
        dataset = dataset_of(individuals="a b c", **random_pinned_axioms(generator))
        saturation = saturate(dataset.forms)
        n = dataset.vocabulary.n_classes
        unsatisfiable = saturation.unsatisfiable[:n].copy()
        before = (saturation.unconditional or saturation).unsatisfiable[:n]
        if not saturation.consistent or not (unsatisfiable & ~before).any():
            continue
        models += 1
        model = fit(dataset, dimension=6, proposals=4, rounds=1, pool=30)
        plain = PlainBoxes(model.halves)
        unsatisfiable[1] = True
        assert [not all(sets) for sets in plain.classes] == unsatisfiable.tolist()
        assert model.findings()["false"] == []
        tables = closure_of(saturation, "complete").tables
        for form, rows in [
            *dataset.forms.tables.items(),
            *((f, t) for f in ("subclass", "existential") for t in tables(f)),
        ]:
            assert all(plain.holds(form, row) for row in rows.tolist() if max(row) < n), form


@pytest.mark.parametrize("everything", ["⊤ C", "⊤ C, C D", "⊤ D, D C"])
def test_a_role_leads_nowhere_if_it_must_not_lead_to_what_is_everything(everything: str) -> None:
    dataset = dataset_of(subclass=f"{everything}, A C", empty_existential="r C", existential="A s A", subrole="r s")
    model = fit(dataset)
    assert model.findings()["false"] == []
    assert PlainBoxes(model.halves).holds("empty_existential", dataset.forms["empty_existential"][0].tolist())


def test_what_is_false_is_named_with_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    dataset = dataset_of(subclass="A C, B D", existential="A r B", disjoint="C D")
    monkeypatch.setattr("elgeo.models.boxes.faithful.Separator.dimensions", lambda self: [])
    said: list[str] = []
    settings = FaithfulSettings(dimension=4, proposals=8, rounds=1, pool=50)
    model = Faithful.fit(dataset, settings, np.random.default_rng(0), said.append)
    (false,) = model.findings()["false"]
    assert false == "C ⊓ D ⊑ ⊥ (no place was found in which it is true)"
    assert f"false: {false}" in said
    for form, rows in dataset.forms.tables.items():
        assert form == "disjoint" or model.holds(form, rows).all()


@pytest.mark.parametrize(
    ("given", "axioms", "wanted"),
    [
        ({}, 1, (64, 20)),
        ({}, 11_000, (64, 20)),
        ({}, 11_001, (64, 20)),
        ({}, 176_000, (32, 5)),
        ({}, 1_100_000, (20, 2)),
        ({"proposals": 7}, 176_000, (7, 5)),
        ({"rounds": 3}, 176_000, (32, 3)),
    ],
)
def test_more_axioms_are_looked_at_less_hard(given: dict[str, int], axioms: int, wanted: tuple[int, int]) -> None:
    assert FaithfulSettings(**given).effort(axioms) == wanted


@pytest.mark.slow
def test_it_is_trained_kept_and_evaluated_by_its_preset(tmp_path: Path) -> None:
    run = elgeo.train("family", preset="faithful", dimension=6, proposals=8, folder=tmp_path / "run", quiet=True)
    assert run.settings.model == "faithful"
    again = Run.load(tmp_path / "run")
    assert again.record.result is not None
    assert again.record.result["false"] == []
    assert (again.record.result["proposals"], again.record.result["rounds"]) == (8, 20)
    shares = elgeo.evaluate(again).to_dict()["faithfulness"]
    entailed, drawn = shares.pop("entailed"), shares.pop("random")
    assert set(shares.values()) == set(entailed.values()) == {1.0}
    assert set(shares) >= {"GCI0", "GCI1-BOT", "RI1"}
    assert min(drawn.values()) < 1


def test_boxes_are_drawn_where_they_are_and_cut_off_where_they_have_no_end() -> None:
    classes = np.array([[LAST] * 4, [NOTHING] * 4, [3, 1, 10, -10], [LAST, -2, 4, LAST]], np.int8)
    model = Faithful(Halves(classes, np.zeros((1, 4, POINTS), np.int8)))
    small, open_ended = model.picture(np.array([2, 3], np.int32))
    assert small == pytest.approx((1, 10, 2, 0, False))
    assert open_ended == pytest.approx((2.65, -3.5, 0.65, 7.5, False))
    assert model.picture(np.array([1], np.int32)) == [(0, 0, 0, 0, False)]
    # where no corner is beyond 1 they are cut off there
    classes = np.array([[LAST] * 4, [NOTHING] * 4, [1, LAST, 0, 0], [0, 0, LAST, 1]], np.int8)
    narrow = Faithful(Halves(classes, np.zeros((1, 4, POINTS), np.int8)))
    assert narrow.picture(np.array([2, 3], np.int32)) == [
        pytest.approx((-0.05, 0, 1.05, 0, False)),
        pytest.approx((0, 0.05, 0, 1.05, False)),
    ]


def test_scores_count_how_far_an_axiom_is_from_true_and_then_how_near_the_boxes_are() -> None:
    model, _ = fitted("family")
    heads = np.arange(2, 20, dtype=np.int32)
    tails = np.arange(19, 1, -1, dtype=np.int32)
    for role in (None, 1, 5):
        scores = model.scorer().pairs(heads, role, tails)
        for head, tail, score in zip(heads, tails, scores, strict=True):
            beyond = apart = 0
            for k in range(16):
                left, right = int(model.halves.classes[head, k]), int(model.halves.classes[tail, k])
                if role is not None:
                    upper, lower = model.halves.classes[tail, k - k % 2 : k - k % 2 + 2].tolist()
                    points = [y + LAST for y in range(-lower, upper + 1)]
                    right = max((int(model.halves.roles[role, k, y]) for y in points), default=NOTHING)
                beyond += min(max(left - right, 0), 8)
                apart += min(abs(left - right), 20)
            assert score == -beyond - apart / (20 * 16 + 1)
    rows = np.stack([heads, tails], axis=1)
    true = model.holds("subclass", rows) & ~model.halves.empty[heads] & ~model.halves.empty[tails]
    assert (model.scorer().pairs(heads, None, tails)[true] > -1).all()
