"""A dataset of complex axioms: definitions are held out whole, and asked for by the expression that they give."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from elgeo.datasets.assemble import assemble
from elgeo.datasets.drops import Drops
from elgeo.datasets.model import Dataset, HeldDefinition
from elgeo.datasets.named_pairs import NamePair
from elgeo.datasets.splits.whole_ontology import WholeSplit
from elgeo.errors import ElgeoError
from elgeo.keys import contained
from elgeo.ontology.expressions import Op
from elgeo.ontology.model import Ontology
from elgeo.ontology.vocabulary import Kind

EL = (Op.ObjectIntersectionOf, Op.ObjectSomeValuesFrom)
PARTS = ("train", "valid", "test")


@dataclass(frozen=True)
class WholeDefinitions(WholeSplit):
    """Which ontology, and which share of its definitions is held out."""


def split_definitions(recipe: WholeDefinitions, say: Callable[[str], None] = lambda _: None) -> tuple[Dataset, Drops]:
    """Training has the ontology without some definitions C ≡ X; X ⊑ ?C is asked for, and C ⊑ D for the names in X."""
    ontology, sources = recipe.read(say)
    found = _definitions(ontology)
    order = np.random.default_rng(recipe.seed).permutation(len(found))
    valid, test = (round(len(found) * share) for share in recipe.shares[1:])
    if not test:
        raise ElgeoError(
            f"{recipe.ontology}: of {len(found):,} definitions C ≡ X with an EL expression X none would be held out"
        )
    part_of = {int(i): "valid" if place < valid else "test" for place, i in enumerate(order[: valid + test])}
    away = [found[i][0] for i in part_of]
    names = [node for axiom in away for node in _names(ontology, axiom)]
    train = replace(
        ontology,
        axiom_nodes=ontology.axiom_nodes[~np.isin(ontology.axiom_nodes, away)],
        declared=np.union1d(ontology.declared, names).astype(np.int32),
    )
    pairs: dict[str, list[NamePair]] = {part: [] for part in PARTS}
    for i, part in part_of.items():
        _, head, expression = found[i]
        pairs[part] += [(ontology.string(head), ontology.string(tail)) for tail in _above(ontology, expression)]
    settings = {"definitions": "whole", "shares": [round(share, 9) for share in recipe.shares], "seed": recipe.seed}
    dataset = assemble(
        name=recipe.name,
        ontology=train,
        role=None,
        parts=pairs,
        kind_of=lambda iri, is_individual: "individual" if is_individual else "class",
        head_kind="class",
        tail_kind="class",
        record={"made_by": "split", "settings": settings, "sources": sources},
    )
    dataset, drops = _finished(dataset), Drops()
    ids = {iri: c for c, iri in reversed(list(enumerate(dataset.vocabulary.classes)))}
    known = np.zeros(dataset.vocabulary.n_classes, np.bool_)
    for table in (dataset.forms.subclass, dataset.forms.existential[:, [0, 2]]):
        known[table] = True
    held = [
        HeldDefinition(part, ids[ontology.string(found[i][1])], ontology.text(found[i][2]))
        for i, part in sorted(part_of.items())
    ]
    seen = tuple(each for each in held if known[each.class_id])
    drops.count("held-out definitions of a class that training does not mention", len(held) - len(seen))
    say(f"{len(found):,} definitions, {len(held):,} of them held out")
    if not len(dataset.test):
        raise ElgeoError(
            f"{recipe.ontology}: no held-out definition says C ⊑ D of named classes, which is asked for too"
        )
    return replace(dataset, definitions=seen), drops


def _finished(dataset: Dataset) -> Dataset:
    """With all C ⊑ D between named classes as training, and nothing held out that training says too."""
    rows = dataset.forms.subclass
    is_class = dataset.vocabulary.class_kinds == Kind.NAMED
    valid, test = (part[~contained(part, rows)] for part in (dataset.valid, dataset.test))
    return replace(dataset, train=rows[is_class[rows].all(axis=1)], valid=valid, test=test[~contained(test, valid)])


def _definitions(ontology: Ontology) -> list[tuple[int, int, int]]:
    """Axioms C ≡ X of a name and an EL expression, each with its class and its expression."""
    found = []
    for axiom in ontology.axiom_nodes.tolist():
        if ontology.op[axiom] != Op.EquivalentClasses:
            continue
        arguments = ontology.arguments(axiom)
        names = [node for node in arguments if ontology.op[node] == Op.Class]
        others = [node for node in arguments if _is_el(ontology, node) and node not in names]
        if len(arguments) == 2 and len(names) == len(others) == 1:
            found.append((axiom, names[0], others[0]))
    return found


def _is_el(ontology: Ontology, node: int) -> bool:
    op = ontology.op[node]
    if op in (Op.Class, Op.ObjectProperty):
        return True
    return op in EL and all(_is_el(ontology, argument) for argument in ontology.arguments(node))


def _names(ontology: Ontology, node: int) -> list[int]:
    """The classes and roles in an axiom or expression."""
    if ontology.op[node] in (Op.Class, Op.ObjectProperty):
        return [node]
    return [name for argument in ontology.arguments(node) for name in _names(ontology, argument)]


def _above(ontology: Ontology, expression: int) -> list[int]:
    """The named classes that an expression is an intersection of."""
    if ontology.op[expression] != Op.ObjectIntersectionOf:
        return []
    return [node for node in ontology.arguments(expression) if ontology.op[node] == Op.Class]
