"""Going on with further axioms gives what starting again gives."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import elgeo
from elgeo.ontology.normal_forms import FORMS, NormalForms
from elgeo.ontology.vocabulary import Kind, Vocabulary
from elgeo.reasoning import Reasoner
from elgeo.reasoning.saturation import incremental
from elgeo.reasoning.saturation.incremental import extend
from elgeo.reasoning.saturation.index import LINK
from elgeo.reasoning.saturation.queries import saturate_queries
from elgeo.reasoning.saturation.readout import subsumer_rows
from elgeo.reasoning.saturation.saturate import Saturation, saturate
from tests.reasoning.agreement import assert_agrees, links_of
from tests.reasoning.brute import Brute, make_forms, random_forms, random_tables, vocabulary


def widened(words: Vocabulary, named: int, individuals: int, roles: int) -> tuple[Vocabulary, list[int], list[int]]:
    """More classes of each kind, in the usual order of kinds; also the new ids of the old classes and roles."""
    order = sorted(range(words.n_classes), key=lambda c: words.class_kinds[c])
    kinds = [int(words.class_kinds[c]) for c in order]
    names = [words.classes[c] for c in order]
    for kind, count in ((Kind.NAMED, named), (Kind.INDIVIDUAL, individuals)):
        at = sum(k <= kind for k in kinds)
        kinds[at:at] = [int(kind)] * count
        names[at:at] = [f"http://example.org/new/{kind}/{i}" for i in range(count)]
    role_names = [words.roles[0], *(f"http://example.org/new/r{i}" for i in range(roles)), *words.roles[1:]]
    role_kinds = np.array([Kind.BUILT_IN] + [Kind.NAMED] * (len(role_names) - 1), np.uint8)
    wider = dataclasses.replace(
        words, classes=names, class_kinds=np.array(kinds, np.uint8), roles=role_names, role_kinds=role_kinds
    )
    return wider, [names.index(c) for c in words.classes], [role_names.index(r) for r in words.roles]


@pytest.mark.slow
@given(random_forms(), st.data())
@settings(max_examples=80)
def test_extending_agrees_with_brute_force(forms: NormalForms, data: st.DataObject) -> None:
    counts = data.draw(st.sampled_from([(0, 0, 0), (0, 0, 0), (2, 0, 0), (1, 1, 1), (0, 1, 0)]))
    words, classes, roles = widened(forms.vocabulary, *counts)
    added = data.draw(random_tables(words, role_axioms=data.draw(st.sampled_from([False, False, False, True])), most=4))
    tables = {}
    for name, form in FORMS.items():
        maps = [roles if column in "rst" else classes for column in form.columns]
        kept = [tuple(m[int(i)] for m, i in zip(maps, row, strict=True)) for row in forms[name]]
        tables[name] = kept + added.get(name, [])
    whole = make_forms(words, **tables)
    first = saturate(forms)
    saturate_queries(first, 2, [(0, 2)], [(1, 1, 2)])
    assert_agrees(extend(first, whole), Brute.of(whole))
    assert_agrees(first, Brute.of(forms))


def test_rows_are_told_apart_with_more_roles_than_classes() -> None:
    # with the number of classes as base, (2, 6, 3) and (3, 1, 3) were one row, and the second was lost
    words = vocabulary(3, 0, 0, 8)
    first = make_forms(words, existential=[(2, 6, 3)])
    whole = make_forms(words, existential=[(2, 6, 3), (3, 1, 3)])
    assert (np.array([2, 6, 3]) @ [25, 5, 1]) == (np.array([3, 1, 3]) @ [25, 5, 1])
    assert_agrees(extend(saturate(first), whole), Brute.of(whole))
    assert links_of(extend(saturate(first), whole)) == {(2, 6, 3), (3, 1, 3)}


def test_loop_of_an_individual_by_a_reflexive_role() -> None:
    words = vocabulary(3, 1, 0, 2)
    first = saturate(make_forms(words, existential=[(5, 1, 5)], left_self=[(1, 3)], reflexive=[(1,)]))
    state = first.completion.state
    # no class and no link: renumbering has no place for it
    assert subsumer_rows(state.arena, state.head, 0, words.n_classes, LINK)[1].max() < words.n_classes
    wider, _, _ = widened(words, 1, 0, 0)
    whole = make_forms(wider, existential=[(6, 1, 6)], left_self=[(1, 3)], reflexive=[(1,)], subclass=[(5, 2)])
    assert_agrees(extend(first, whole), Brute.of(whole))


def test_reasoner_takes_axioms_as_text(tmp_path: Path) -> None:
    e = "http://example.org/"
    path = tmp_path / "small.ofn"
    path.write_text(
        f"""Prefix(:=<{e}>) Ontology(
        SubClassOf(:A :B) EquivalentClasses(:D ObjectIntersectionOf(:B ObjectSomeValuesFrom(:r :C)))
        ObjectPropertyRange(:r :R) ClassAssertion(:A :a))"""
    )
    reasoner = Reasoner(elgeo.read(path))
    assert reasoner.superclasses("A") == [e + "B"]
    reasoner.add([f"A SubClassOf r some <{e}N>"])
    assert reasoner.superclasses("A") == [e + "B"]
    reasoner.add(["N SubClassOf C", f"SubClassOf(<{e}C> <{e}M>)"])
    assert sorted(reasoner.superclasses("A")) == [e + "B", e + "D"]
    assert sorted(reasoner.types("a")) == [e + "A", e + "B", e + "D"]
    reasoner.add([f"SubObjectPropertyOf(<{e}s> <{e}r>)", f"B SubClassOf <{e}s> some C"])
    assert sorted(reasoner.superclasses("B")) == [e + "D"]
    assert reasoner.entails("B SubClassOf r some (C and M and R)")
    reasoner.add(["DisjointClasses(C R)"])
    assert not reasoner.consistent


def test_long_chain_of_additions() -> None:
    words = vocabulary(60, 2, 0, 3)
    rows = [(c, c + 1) for c in range(2, 61)]
    forms = make_forms(words, existential=[(61, 1, 2)], chain=[(1, 2, 1)], subrole=[(2, 1)])
    saturation = saturate(forms)
    for k in range(0, len(rows), 7):
        forms = make_forms(
            words,
            subclass=rows[: k + 7],
            existential=[(61, 1, 2), (2, 2, 30), (30, 2, 40)],
            left_existential=[(1, 61, 10)] if k > 20 else [],
            chain=[(1, 2, 1)],
            subrole=[(2, 1)],
        )
        saturation = extend(saturation, forms)
        assert_agrees(saturation, Brute.of(forms))


class TestGoingOn:
    """Whether the finished state is used; the result is the same either way."""

    @pytest.fixture
    def begun_again(self, monkeypatch: pytest.MonkeyPatch) -> list[NormalForms]:
        """The forms that were saturated from the start."""
        found: list[NormalForms] = []

        def recorded(forms: NormalForms) -> Saturation:
            found.append(forms)
            return saturate(forms)

        monkeypatch.setattr(incremental, "saturate", recorded)
        return found

    @staticmethod
    def words(names: list[str], kinds: list[Kind], roles: tuple[str, ...] = ("r", "s")) -> Vocabulary:
        fixed = vocabulary(0, 0, 0, 1)
        return Vocabulary(
            [*fixed.classes, *names],
            np.array([Kind.BUILT_IN] * 2 + kinds, np.uint8),
            [*fixed.roles, *roles],
            np.array([Kind.BUILT_IN] + [Kind.NAMED] * len(roles), np.uint8),
        )

    def test_where_names_come_in_between(self, begun_again: list[NormalForms]) -> None:
        named, single, fresh = Kind.NAMED, Kind.INDIVIDUAL, Kind.FRESH
        # "p" is a class and an individual
        old = self.words(["b", "p", "p", "<f>"], [named, named, single, fresh])
        new = self.words(
            ["a", "b", "p", "p", "q", "<e>", "<f>"],
            [named, named, named, single, single, fresh, fresh],
            ("q", "r", "s"),
        )
        first = make_forms(old, subclass=[(2, 3), (4, 2), (5, 3)], existential=[(3, 1, 5)])
        # <f> was the first fresh class, and is the second now: in their order they would not fit
        whole = make_forms(
            new, subclass=[(3, 4), (5, 3), (8, 4), (6, 2)], existential=[(4, 2, 8)], left_existential=[(2, 8, 2)]
        )
        assert_agrees(extend(saturate(first), whole), Brute.of(whole))
        assert begun_again == []
        # and where the order alone fits
        renamed = self.words(["b", "p", "p", "<g>"], [named, named, single, fresh])
        whole = make_forms(renamed, subclass=[(2, 3), (4, 2), (5, 3), (3, 5)], existential=[(3, 1, 5)])
        assert_agrees(extend(saturate(first), whole), Brute.of(whole))
        assert begun_again == []

    def test_domains_reach_what_is_linked_already(self, begun_again: list[NormalForms]) -> None:
        words = vocabulary(6, 0, 0, 5)
        links = {"existential": [(2, 1, 3), (3, 2, 4), (4, 3, 2), (5, 4, 4)], "subrole": [(1, 2), (4, 3)]}
        whole = make_forms(words, **links, left_existential=[(2, 0, 6), (4, 0, 7)])
        found = extend(saturate(make_forms(words, **links)), whole)
        assert_agrees(found, Brute.of(whole))
        assert [c for c in range(2, 8) if 6 in found.subsumers_of(c)] == [2, 3, 6]
        assert [c for c in range(2, 8) if 7 in found.subsumers_of(c)] == [5, 7]
        assert begun_again == []

    def test_not_where_hidden_items_stand_for_something_else(self, begun_again: list[NormalForms]) -> None:
        words = vocabulary(6, 0, 0, 2)
        rows = {"existential": [(2, 1, 3), (4, 1, 5)]}
        # of ∃U.C one more comes before what there was
        first = make_forms(words, **rows, left_existential=[(0, 5, 6)])
        whole = make_forms(words, **rows, left_existential=[(0, 3, 7), (0, 5, 6)])
        assert_agrees(extend(saturate(first), whole), Brute.of(whole))
        assert begun_again == [whole]
        # with the first individual any role may have loops
        named, single = Kind.NAMED, Kind.INDIVIDUAL
        old, new = (self.words(["b", "c", "d", *more], [named] * 3 + [single] * len(more)) for more in ([], ["a"]))
        loops, everywhere = [(1, 3)], [(0, 4, 2)]
        before = make_forms(old, left_self=loops, left_existential=everywhere)
        whole = make_forms(new, left_self=loops, left_existential=everywhere, existential=[(5, 1, 5)])
        found = extend(saturate(before), whole)
        assert_agrees(found, Brute.of(whole))
        assert 3 in found.subsumers_of(5)
        assert begun_again[1:] == [whole]

    def test_not_where_something_is_missing(self, begun_again: list[NormalForms]) -> None:
        named, fresh = Kind.NAMED, Kind.FRESH
        known, rows = (
            self.words(["a", "b", "<f>"], [named, named, fresh]),
            {"subclass": [(2, 3)], "existential": [(2, 1, 3)]},
        )
        first = make_forms(known, **rows)
        others = [
            make_forms(self.words(["b", "c", "<f>"], [named, named, fresh]), **rows),
            make_forms(self.words(["a", "b", "c"], [named, named, named]), **rows),
            make_forms(self.words(["a", "b", "<f>"], [named, named, fresh], ("s", "q")), **rows),
            make_forms(known, **{**rows, "subclass": [(3, 2)]}),
            make_forms(known, subrole=[(1, 2)], **rows),
        ]
        for count, whole in enumerate(others, 1):
            assert_agrees(extend(saturate(first), whole), Brute.of(whole))
            assert len(begun_again) == count
        # a class is missing that no row speaks of
        more = make_forms(self.words(["a", "b", "x", "<f>"], [named, named, named, fresh]), **rows)
        fewer = make_forms(known, **rows)
        assert_agrees(extend(saturate(more), fewer), Brute.of(fewer))
        assert len(begun_again) == len(others) + 1
