"""Random ontologies of axioms with nested expressions, and random axioms to ask for, over a handful of names."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from elgeo.ontology.expressions import NOTHING, THING, TOP_OBJECT_PROPERTY, Op
from elgeo.ontology.model import Builder, Ontology

BASE = "http://example.org/"
CLASSES = "ABCDEF"
ROLES = "rst"
INDIVIDUALS = "ab"


class Writer:
    """Builds axioms from nested tuples (operator, arguments) whose leaves are names."""

    def __init__(self) -> None:
        self.builder = Builder()
        for name in CLASSES:
            self.node(name)
        for name in ROLES:
            self.node(name)

    def node(self, tree: Any) -> int:
        if isinstance(tree, str):
            iri = {"⊤": THING, "⊥": NOTHING, "U": TOP_OBJECT_PROPERTY}.get(tree, BASE + tree)
            kind = (
                Op.ObjectProperty
                if tree in ROLES or tree == "U"
                else Op.NamedIndividual
                if tree in INDIVIDUALS
                else Op.Class
            )
            return self.builder.entity(kind, iri)
        op, *arguments = tree
        return self.builder.node(op, *map(self.node, arguments))

    def axiom(self, tree: Any) -> int:
        op, *arguments = tree
        return self.builder.axiom(op, *map(self.node, arguments))


def written(axioms: list[Any]) -> Ontology:
    """An ontology of the given trees."""
    writer = Writer()
    for tree in axioms:
        writer.axiom(tree)
    return writer.builder.finish()


names = st.sampled_from(CLASSES)
roles = st.sampled_from(ROLES)
individuals = st.sampled_from(INDIVIDUALS)


def expressions(nominals: bool = True) -> st.SearchStrategy[Any]:
    """EL++ expressions."""
    leaves: list[st.SearchStrategy[Any]] = [names, names, names, st.just("⊤")]
    if nominals:
        leaves.append(individuals.map(lambda a: (Op.ObjectOneOf, a)))
    return st.recursive(
        st.one_of(leaves),
        lambda inner: st.one_of(
            st.tuples(st.just(Op.ObjectIntersectionOf), inner, inner),
            st.tuples(st.just(Op.ObjectSomeValuesFrom), roles, inner),
            st.tuples(st.just(Op.ObjectSomeValuesFrom), roles, inner),
            st.tuples(st.just(Op.ObjectHasSelf), roles),
        ),
        max_leaves=3,
    )


def axioms(nominals: bool = True) -> st.SearchStrategy[Any]:
    """EL++ axioms of every kind."""
    some = expressions(nominals)
    choices = [
        *[st.tuples(st.just(Op.SubClassOf), some, some)] * 4,
        st.tuples(st.just(Op.EquivalentClasses), names, some),
        st.tuples(st.just(Op.DisjointClasses), some, some),
        st.tuples(st.just(Op.SubClassOf), some, st.tuples(st.just(Op.ObjectComplementOf), some)),
        st.tuples(st.just(Op.SubObjectPropertyOf), roles, roles),
        st.tuples(st.just(Op.SubObjectPropertyOf), st.tuples(st.just(Op.ObjectPropertyChain), roles, roles), roles),
        st.tuples(st.just(Op.ObjectPropertyDomain), roles, some),
        st.tuples(st.just(Op.ObjectPropertyRange), roles, some),
        st.tuples(st.just(Op.ReflexiveObjectProperty), roles),
    ]
    if nominals:
        choices += [
            st.tuples(st.just(Op.ClassAssertion), some, individuals),
            st.tuples(st.just(Op.ObjectPropertyAssertion), roles, individuals, individuals),
        ]
    return st.one_of(choices)
