"""Pairs of names as numbers against plain sets of tuples; the axioms made of them against those said one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from elgeo.datasets.named_pairs import NamedPairs, sharing
from elgeo.datasets.sources.said import said
from elgeo.ontology.expressions import Op
from elgeo.ontology.model import Builder, Ontology
from elgeo.ontology.reading.merging import merged

NAMES = st.sampled_from([f"http://{name}" for name in ("a", "b", "B", "ä", "c/d", "a.1", "a1", "z")])
PAIRS = st.lists(st.tuples(NAMES, NAMES), max_size=25)


@pytest.mark.slow
@given(PAIRS)
def test_pairs_are_ascending_and_there_once(pairs: list[tuple[str, str]]) -> None:
    found, expected = NamedPairs.of(iter(pairs)), sorted(set(pairs))
    assert list(found) == expected
    assert [found[i] for i in range(len(found))] == expected
    assert list(found[1::2]) == expected[1::2]
    assert [found.column(end) for end in (0, -1)] == [sorted({pair[end] for pair in pairs}) for end in (0, -1)]
    assert [(found.names[a], found.names[b]) for a, b in found.rows.tolist()] == expected
    assert NamedPairs.of(found) is found
    ids = {name: 100 + i for i, name in enumerate({name for pair in pairs for name in pair})}
    for end in (0, -1):
        assert found.places_of(ids, end).tolist() == [ids[pair[end]] for pair in expected]


def test_a_name_without_an_id_is_named() -> None:
    with pytest.raises(KeyError, match="http://b"):
        NamedPairs.of([("http://a", "http://b")]).places_of({"http://a": 1}, -1)


def test_parts_share_their_names() -> None:
    rows = {"train": np.array([[2, 0], [1, 1], [2, 0]], np.int32), "test": np.empty((0, 2), np.int32)}
    found = sharing(["c", "b", "a"], rows)
    assert list(found["train"]) == [("a", "c"), ("b", "b")]
    assert list(found["test"]) == []
    assert found["train"].names is found["test"].names


def one_by_one(ontology: Ontology, classes: list[str], relations: dict[str, list[tuple[str, str]]]) -> Ontology:
    builder = Builder.resume(ontology)
    node = {name: builder.entity(Op.Class, name) for name in classes}
    for each in node.values():
        builder.declare(each)
    for iri, pairs in relations.items():
        role = builder.entity(Op.ObjectProperty, iri)
        builder.declare(role)
        for head, tail in pairs:
            some = builder.node(Op.ObjectSomeValuesFrom, role, builder.entity(Op.Class, tail))
            builder.axiom(Op.SubClassOf, builder.entity(Op.Class, head), some)
    return builder.finish(iri=ontology.iri, format=ontology.format)


@pytest.mark.slow
@given(PAIRS, PAIRS)
def test_axioms_of_pairs_are_those_said_one_by_one(first: list[tuple[str, str]], second: list[tuple[str, str]]) -> None:
    builder = Builder()
    # some of it is known already: a class, an expression, an axiom
    a, z = (builder.entity(Op.Class, f"http://{name}") for name in "az")
    role = builder.entity(Op.ObjectProperty, "http://r")
    builder.declare(z)
    builder.axiom(Op.SubClassOf, a, builder.node(Op.ObjectSomeValuesFrom, role, z))
    ontology = builder.finish(iri="http://whole", format="obo")
    classes = sorted({name for pair in first + second for name in pair})
    pairs = {"http://r": sorted(set(first)), "http://s": sorted(set(second))}
    expected = one_by_one(ontology, classes, pairs)
    added = said(classes, {iri: NamedPairs.of(some) for iri, some in pairs.items()})
    found = merged([ontology, added])
    assert list(found.strings) == list(expected.strings)
    for name in ("op", "start", "args", "axiom_nodes", "declared"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name), err_msg=name)
    assert found.ignored["declarations"] == expected.ignored["declarations"]
    assert (found.iri, found.format) == ("http://whole", "obo")


def test_names_of_pairs_that_nothing_declares_are_classes_too() -> None:
    pairs = NamedPairs.of([("http://a", "http://b"), ("http://c", "http://b")])
    made = said(["http://z"], {"http://r": pairs, "http://s": NamedPairs.of([("http://b", "http://d")])})
    assert [str(axiom).replace("http://", "") for axiom in made.axioms] == [
        "SubClassOf(<a> ObjectSomeValuesFrom(<r> <b>))",
        "SubClassOf(<c> ObjectSomeValuesFrom(<r> <b>))",
        "SubClassOf(<b> ObjectSomeValuesFrom(<s> <d>))",
    ]
    assert [made.text(node) for node in made.declared.tolist()] == ["<http://z>", "<http://r>", "<http://s>"]
