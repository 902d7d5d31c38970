"""What holds only where a class has an instance: beside an ontology in which it has one, and known cases by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import elgeo
from elgeo.ontology import normalise
from elgeo.ontology.expressions import TOP_OBJECT_PROPERTY, Op
from elgeo.ontology.extension import extended
from elgeo.ontology.vocabulary import TOP, Kind
from elgeo.reasoning.closure.complete import CompleteClosure
from elgeo.reasoning.saturation.completion import Completion
from elgeo.reasoning.saturation.queries import saturate_queries
from elgeo.reasoning.saturation.saturate import read_out, saturate
from tests.reasoning.proof_checker import check
from tests.reasoning.random_ontology import axioms, written

SOME, AND, ONE, SUB = Op.ObjectSomeValuesFrom, Op.ObjectIntersectionOf, Op.ObjectOneOf, Op.SubClassOf
A, U = (ONE, "a"), "U"


def with_instance(forms: Any, *told: int) -> set[int]:
    """All that a fresh individual in some classes is in: where it exists, everything is unconditional."""
    n = forms.vocabulary.n_classes
    more = extended(forms, ["http://example.org/x"], {"subclass": [((n, c), ()) for c in told]}, [Kind.INDIVIDUAL])
    found = read_out(more, Completion(more))
    return {1} if not found.consistent else set(found.subsumers_of(n).tolist()) - {n}


@pytest.mark.slow
@given(st.lists(axioms(), max_size=9))
@settings(max_examples=60, deadline=None)
def test_as_if_there_were_an_instance(told: list[Any]) -> None:
    forms = normalise(written(told))
    saturation = saturate(forms)
    n = forms.vocabulary.n_classes
    for c in np.flatnonzero(forms.vocabulary.class_kinds == Kind.NAMED).tolist():
        expected = with_instance(forms, c)
        assert saturation.unsatisfiable[c] == (1 in expected)
        if 1 not in expected:
            assert {d for d in saturation.subsumers_of(c).tolist() if d < n} == expected


@pytest.mark.slow
@given(st.lists(axioms(), max_size=8))
@settings(max_examples=25, deadline=None)
def test_conjunctions_as_if_there_were_an_instance(told: list[Any]) -> None:
    forms = normalise(written(told))
    saturation = saturate(forms)
    classes = np.flatnonzero(forms.vocabulary.class_kinds < Kind.FRESH)[2:].tolist()
    pairs = [(c, d) for c in classes for d in classes if c < d]
    asked = [(i, c) for i, pair in enumerate(pairs) for c in pair]
    rows = saturate_queries(saturation, len(pairs), subsumers=asked)
    for i, pair in enumerate(pairs):
        expected = with_instance(forms, *pair)
        assert rows.unsatisfiable[i] == (1 in expected)
        if 1 not in expected:
            mine = rows.subsumers[rows.subsumer_start[i] : rows.subsumer_start[i + 1]]
            assert {d for d in mine.tolist() if d < forms.vocabulary.n_classes} == expected


ENTAILED: dict[str, tuple[list[Any], str]] = {
    "a class inside an individual that it links to": (
        [(SUB, "A", A), (SUB, "A", (SOME, "r", A)), (SUB, (SOME, "r", "A"), "D")],
        "A SubClassOf D",
    ),
    "two classes inside one individual": (
        [
            (SUB, "A", (AND, (SOME, "r", "B"), (SOME, "s", "C"))),
            (SUB, "B", A),
            (SUB, "C", A),
            (SUB, (SOME, "r", "C"), "D"),
        ],
        "A SubClassOf D",
    ),
    "an intersection without a name": (
        [(Op.ObjectPropertyAssertion, "r", "a", "a"), (SUB, (AND, "C", (SOME, "r", "C")), "⊥")],
        "SubClassOf(ObjectIntersectionOf(ObjectOneOf(<http://example.org/a>) C) owl:Nothing)",
    ),
    "a filler inside the individual of its class": (
        [(SUB, "C", A), (SUB, "B", A), (SUB, (AND, "C", "D"), (SOME, "r", "B"))],
        "C and D SubClassOf B",
    ),
    "a link to where the universal role leads": (
        [(SUB, "A", (AND, "C", (SOME, "r", "B"))), (SUB, (SOME, U, "C"), "D"), (SUB, (SOME, "r", "D"), "E")],
        "A SubClassOf E",
    ),
    "an individual that cannot bear it": (
        [
            (Op.ObjectPropertyAssertion, "r", "b", "a"),
            (SUB, "A", (SOME, "s", (AND, A, "C"))),
            (SUB, (SOME, "r", "C"), "⊥"),
        ],
        "A SubClassOf owl:Nothing",
    ),
    "what a role leads to from where something is": (
        [(Op.ObjectPropertyRange, "r", A), (SUB, "A", (SOME, "s", "B")), (SUB, "B", A), (SUB, "B", "D")],
        "A SubClassOf r only D",
    ),
    "a range of one element": ([(Op.ObjectPropertyRange, "r", A)], "TransitiveObjectProperty(r)"),
    "a universal role inside an existential": (
        [(SUB, "A", (SOME, "r", "B"))],
        "A SubClassOf r some (owl:topObjectProperty some A)",
    ),
    "a class that nobody has heard of": (
        [(Op.ObjectPropertyAssertion, "r", "a", "a")],
        "SubClassOf(ObjectIntersectionOf(ObjectOneOf(<http://example.org/a>) <urn:n>) ObjectSomeValuesFrom(r <urn:n>))",
    ),
}


@pytest.mark.parametrize("case", ENTAILED)
def test_by_hand(case: str) -> None:
    told, question = ENTAILED[case]
    reasoner = elgeo.Reasoner(written(told))
    assert reasoner.verdict(question) == "entailed"
    # without any one of the axioms it does not follow, and a proof says why
    for left_out in range(len(told)):
        assert not elgeo.Reasoner(written(told[:left_out] + told[left_out + 1 :])).entails(question), left_out
    check(reasoner.explain(question))
    assert [len(each) for each in reasoner.justifications(question)] == [len(told)]


def test_nothing_is_named_where_nothing_depends_on_it() -> None:
    told = [(SUB, "A", (SOME, "r", A)), (Op.ClassAssertion, "B", "a"), (SUB, "C", (SOME, "r", "A"))]
    saturation = saturate(normalise(written(told)))
    assert saturation.unconditional is None
    assert not saturation.given


def test_conditions_are_no_facts() -> None:
    told, _ = ENTAILED["two classes inside one individual"]
    reasoner = elgeo.Reasoner(written(told))
    assert not reasoner.entails("ClassAssertion(B a)")
    assert not reasoner.entails("ClassAssertion(C a)")
    assert not reasoner.entails("B SubClassOf C")


@pytest.mark.slow
@given(st.lists(axioms(), min_size=2, max_size=8), st.integers(0, 5), st.integers(0, 5))
@settings(max_examples=25, deadline=None)
def test_proofs(told: list[Any], c: int, d: int) -> None:
    reasoner = elgeo.Reasoner(written(told))
    question = f"{'ABCDEF'[c]} SubClassOf {'ABCDEF'[d]}"
    if c != d and reasoner.entails(question):
        check(reasoner.explain(question))


@pytest.mark.slow
@given(st.lists(axioms(), max_size=8))
@settings(max_examples=20, deadline=None)
def test_the_closure_speaks_of_known_classes_only(told: list[Any]) -> None:
    forms = normalise(written([*ENTAILED["two classes inside one individual"][0], *told]))
    saturation = saturate(forms)
    n = forms.vocabulary.n_classes
    for memory in (1 << 20, -1):
        closure = CompleteClosure(saturation, memory=memory)
        assert closure.n_classes == n
        listed = {
            form: np.concatenate(list(closure.tables(form))) for form in ("subclass", "existential", "conjunction")
        }
        for form, table in listed.items():
            assert closure.contains(form, table).all()
            assert closure.count(form) == len(table)
            assert (table < max(n, forms.vocabulary.n_roles)).all()
        for c in np.flatnonzero(forms.vocabulary.class_kinds == Kind.NAMED).tolist():
            _, tails, everything = closure.entailed_tails("subclass", [[c]])
            assert (tails < n).all()
            assert everything[0] or set(tails.tolist()) == with_instance(forms, c)


def test_names_say_what_they_stand_for() -> None:
    saturation = saturate(normalise(written(ENTAILED["an individual that cannot bear it"][0])))
    words, here = saturation.forms.vocabulary, f"ObjectSomeValuesFrom(<{TOP_OBJECT_PROPERTY}> <http://example.org/A>)"
    fresh = "ObjectIntersectionOf(ObjectOneOf(<http://example.org/a>) <http://example.org/C>)"
    inner = {
        "http://example.org/A": "<http://example.org/A>",
        "http://example.org/a": "ObjectOneOf(<http://example.org/a>)",
        "http://example.org/b": "ObjectOneOf(<http://example.org/b>)",
        fresh: fresh,
    }
    assert {words.classes[x]: words.classes[name] for (x, _), name in saturation.given.items() if x != TOP} == {
        name: f"ObjectIntersectionOf({text} {here})" for name, text in inner.items()
    }
    assert words.classes[saturation.given[TOP, words.class_id("http://example.org/A")]] == here


def test_only_what_may_learn_more_is_named() -> None:
    told = [
        *ENTAILED["two classes inside one individual"][0],
        (SUB, "A", (SOME, "t", "E")),
        (SUB, "E", (SOME, "t", "F")),
        (SUB, "F", (SOME, "r", "A")),
    ]
    saturation = saturate(normalise(written(told[:-1])))
    names = list(saturation.forms.vocabulary.classes[0 : saturation.n_known])
    a, e, f = (names.index(f"http://example.org/{name}") for name in "AEF")
    # E and F lead to nothing that an instance of A would change
    assert (a, a) in saturation.given
    assert not {(x, g) for x, g in saturation.given if e in (x, g) or f in (x, g)}
    # now they lead back to A
    saturation = saturate(normalise(written(told)))
    assert {(a, a), (e, a), (f, a), (a, e), (f, f)} <= set(saturation.given)
