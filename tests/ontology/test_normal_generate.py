"""Random ontologies: repeatable, of the size asked for, well-formed, with every constructor."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter

import numpy as np
import pytest

from elgeo.errors import SettingError
from elgeo.ontology.expressions import ENTITIES, Op
from elgeo.ontology.generation.generate import PROFILES, generate
from elgeo.ontology.generation.irregular import BEYOND_AXIOMS, BEYOND_EXPRESSIONS, EL_AXIOMS, EL_EXPRESSIONS, Mix
from elgeo.ontology.generation.planted import Planted
from elgeo.ontology.model import Ontology
from elgeo.ontology.normalisation.normalise import normalise


def assert_well_formed(ontology: Ontology) -> None:
    entity = np.isin(ontology.op, list(ENTITIES))
    sizes = np.diff(ontology.start)
    assert (sizes[entity] == 1).all()
    owner = np.repeat(np.arange(len(ontology.op)), sizes)
    of_nodes = ~entity[owner]
    assert (ontology.args[of_nodes] < owner[of_nodes]).all(), "arguments come before what is made of them"
    assert (ontology.args[~of_nodes] < len(ontology.strings)).all()
    keys = {
        (int(o), *ontology.args[a:b].tolist())
        for o, a, b in zip(ontology.op, ontology.start[:-1], ontology.start[1:], strict=True)
    }
    assert len(keys) == len(ontology.op), "equal nodes are one node"


@pytest.mark.slow
@pytest.mark.parametrize("profile", PROFILES)
def test_profiles(profile: str) -> None:
    for classes, seed in ((1, 0), (2, 1), (40, 2), (700, 3)):
        ontology = generate(profile, classes, seed)
        assert_well_formed(ontology)
        assert ((ontology.op == Op.Class).sum() - classes) in (0, 1, 2)
        again, other = generate(profile, classes, seed), generate(profile, classes, seed + 1)
        assert [str(a) for a in again.axioms] == [str(a) for a in ontology.axioms]
        if classes > 2:
            assert [str(a) for a in other.axioms] != [str(a) for a in ontology.axioms]


def test_every_constructor_comes_up() -> None:
    wanted = {
        *EL_AXIOMS,
        *BEYOND_AXIOMS,
        *EL_EXPRESSIONS,
        *BEYOND_EXPRESSIONS,
        "ObjectInverseOf",
        "ObjectPropertyChain",
    }
    found = {Op(o).name for seed in range(5) for o in np.unique(generate("owl", 60, seed).op).tolist()}
    assert wanted <= found


def test_el_stays_in_el() -> None:
    for seed in range(5):
        assert normalise(generate("el", 40, seed), strict=True)


def test_weights_choose_constructors() -> None:
    only = Mix(beyond=0, expression_weights=dict.fromkeys(EL_EXPRESSIONS, 0) | {"ObjectSomeValuesFrom": 1},
               axiom_weights=dict.fromkeys(EL_AXIOMS, 0) | {"SubClassOf": 1})  # fmt: skip
    ops = {Op(o).name for o in np.unique(generate(only, 30, 1).op).tolist()}
    assert ops - {e.name for e in map(Op, ENTITIES)} == {"SubClassOf", "ObjectSomeValuesFrom"}


def test_planted_structure() -> None:
    ontology = generate(
        Planted(defined=1, attributes=9, ranges=3, transitive=2, chains=3, individuals=1, assertions=2), 500, 4
    )
    ops = ontology.op[ontology.axiom_nodes]
    assert (ops == Op.EquivalentClasses).sum() == 499
    for op, count in (
        (Op.ObjectPropertyRange, 3),
        (Op.TransitiveObjectProperty, 2),
        (Op.ObjectPropertyAssertion, 1000),
    ):
        assert (ops == op).sum() == count
    assert_well_formed(ontology)


def test_of_one_class_alone_nothing_is_said() -> None:
    made = generate(Planted(defined=1, attributes=9, disjoint=3, roles=2, ranges=1, individuals=2), 1, 4)
    ops = [Op(op) for op in made.op[made.axiom_nodes].tolist()]
    assert ops.count(Op.ClassAssertion) == 2
    assert ops.count(Op.ObjectPropertyRange) == 1
    assert not {Op.SubClassOf, Op.EquivalentClasses, Op.DisjointClasses} & {*ops}


def test_no_class_of_a_terminology_is_defined_through_itself() -> None:
    forms = normalise(generate("snomed", 3000, 1))
    assert forms.unsupported == ()
    edges: dict[int, set[int]] = {}
    for c, d in np.concatenate([forms.subclass, forms.existential[:, [0, 2]]]).tolist():
        edges.setdefault(c, set()).add(d)
    assert len(list(TopologicalSorter(edges).static_order())) > 3000  # a cycle would be an error
    tangled = normalise(generate("tangled", 3000, 1))
    edges = {}
    for c, d in np.concatenate([tangled.subclass, tangled.existential[:, [0, 2]]]).tolist():
        edges.setdefault(c, set()).add(d)
    with pytest.raises(CycleError):
        list(TopologicalSorter(edges).static_order())


def test_parents_are_of_the_same_branch() -> None:
    branches = 4
    ontology = generate(Planted(defined=0, attributes=0, extra_parents=1, branches=branches), 300, 2)
    number = {int(node): i for i, node in enumerate(np.flatnonzero(ontology.op == Op.Class))}
    pairs = []
    for axiom in ontology.axiom_nodes[ontology.op[ontology.axiom_nodes] == Op.SubClassOf].tolist():
        child, parent = (number[int(node)] for node in ontology.args[ontology.start[axiom] : ontology.start[axiom + 1]])
        pairs.append((child, parent))
    assert {child for child, _ in pairs} == set(range(1, 300))
    for child, parent in pairs:
        assert parent < child
        assert parent == 0 if child <= branches else (parent - child) % branches == 0


def test_values_have_few_attributes() -> None:
    """One in five of those that would have some has one; of the other classes each has its own number of them."""
    n, mean = 3000, 0.7
    profile = Planted(defined=0, attributes=mean, branches=3, value_branches=1, roles=40, disjoint=0)
    ontology = generate(profile, n, 3)
    number = {int(node): i for i, node in enumerate(np.flatnonzero(ontology.op == Op.Class))}
    has = np.zeros(n, np.int64)
    for axiom in ontology.axiom_nodes[ontology.op[ontology.axiom_nodes] == Op.SubClassOf].tolist():
        child, above = ontology.arguments(axiom)
        if ontology.op[above] == Op.ObjectSomeValuesFrom:
            has[number[child]] += 1
    value = (np.arange(n) - 1) % 3 == 0
    value[0] = False
    some = 1 - np.exp(-mean)
    assert has[value].max() == 1
    assert abs(has[value].mean() - 0.2 * some) < 0.04
    assert abs((has[~value] > 0).mean() - some) < 0.04
    assert abs(has[~value].mean() - mean) < 0.1


def test_bad_requests_are_told() -> None:
    for bad in (
        lambda: generate("galen"),
        lambda: generate("go", 0),
        lambda: generate(Planted(roles=0)),
        lambda: Planted(value_branches=2),
    ):
        with pytest.raises(SettingError):
            bad()
