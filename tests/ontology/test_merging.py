"""Ontologies put together: every axiom of each, equal ones shared, words of the first before those of the others."""

from __future__ import annotations

import pytest

from elgeo.ontology.expressions import Op
from elgeo.ontology.model import Builder, Ontology
from elgeo.ontology.reading.merging import merged, union
from tests.ontology.random_owl import RandomOwl


def nodes(ontology: Ontology) -> list[tuple[int, ...]]:
    return [(int(op), *ontology.arguments(i)) for i, op in enumerate(ontology.op)]


@pytest.mark.parametrize("sizes", [(60, 70), (1, 90, 5), (0, 0), (40,)])
def test_all_axioms_of_all_in_their_order(sizes: tuple[int, ...]) -> None:
    made = [RandomOwl(seed).ontology(size) for seed, size in enumerate(sizes)]
    whole = merged(made)
    assert [str(axiom) for axiom in whole.axioms] == [str(axiom) for each in made for axiom in each.axioms]
    assert len(set(nodes(whole))) == len(nodes(whole))
    assert sorted(set(whole.strings)) == sorted({string for each in made for string in each.strings})
    declared = [(int(each.op[n]), each.string(n)) for each in made for n in each.declared.tolist()]
    assert [(int(whole.op[n]), whole.string(n)) for n in whole.declared.tolist()] == list(dict.fromkeys(declared))
    assert whole.ignored["declarations"] == sum(each.ignored["declarations"] for each in made)
    # what is used comes before what uses it
    for node, (op, *arguments) in enumerate(nodes(whole)):
        assert op <= Op.Literal or all(a < node for a in arguments)


def test_nobody_of_one_file_is_nobody_of_another() -> None:
    made = []
    for _ in range(3):
        b = Builder()
        b.axiom(Op.ClassAssertion, b.entity(Op.Class, "http://ex.org/A"), b.entity(Op.NamedIndividual, "_:x"))
        made.append(b.finish())
    assert [str(axiom) for axiom in merged(made).axioms] == [
        f"ClassAssertion(<http://ex.org/A> {name})" for name in ("_:x", "_:import1-x", "_:import2-x")
    ]


def test_a_union_says_everything_once_and_forgets_no_label() -> None:
    made = []
    for label, synonym in (("first", "same"), ("second", "first"), ("first", "third"), ("same", "same")):
        b = Builder()
        a, c = (b.entity(Op.Class, f"http://ex.org/{name}") for name in "AC")
        b.axiom(Op.SubClassOf, a, c)
        if label == "second":
            b.axiom(Op.SubClassOf, c, a)
        b.labels["http://ex.org/A"] = label
        b.synonyms["http://ex.org/A"] = [synonym]
        made.append(b.finish())
    whole = union(made)
    said = ["SubClassOf(<http://ex.org/A> <http://ex.org/C>)", "SubClassOf(<http://ex.org/C> <http://ex.org/A>)"]
    assert [str(axiom) for axiom in whole.axioms] == said
    assert whole.labels == {"http://ex.org/A": "first"}
    assert whole.synonyms == {"http://ex.org/A": ("same", "first", "third", "second")}
    assert len(merged(made).axioms) == 5
