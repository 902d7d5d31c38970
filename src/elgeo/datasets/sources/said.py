"""P ⊑ ∃R.X for many pairs of names, as an ontology that is made of arrays and not axiom by axiom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Ints
from elgeo.datasets.named_pairs import NamedPairs
from elgeo.ontology.expressions import Op
from elgeo.ontology.model import Ontology


def said(classes: Sequence[str], relations: Mapping[str, NamedPairs]) -> Ontology:
    """Declarations of the classes and roles, and C ⊑ ∃R.D for each pair of a role's IRI, in their order."""
    numbers = {name: i for i, name in enumerate(classes)}
    for pairs in relations.values():
        for end in (0, -1):
            for name in pairs.column(end):
                numbers.setdefault(name, len(numbers))
    size = len(numbers)
    ops: list[NDArray[np.uint8]] = [np.full(size, Op.Class, np.uint8)]
    args: list[Ints] = [np.arange(size, dtype=np.int32)]
    axioms: list[Ints] = []
    declared = [np.arange(len(classes), dtype=np.int32)]
    node = size
    for role, pairs in enumerate(relations.values()):
        heads, tails = (pairs.places_of(numbers, end) for end in (0, -1))
        declared.append(np.array([node], np.int32))
        some, axiom = _places(tails, node + 1)
        both = np.empty((len(axiom) + len(np.unique(tails)), 2), np.int32)
        kinds = np.full(len(both), Op.SubClassOf, np.uint8)
        kinds[some - node - 1] = Op.ObjectSomeValuesFrom
        both[some - node - 1] = np.column_stack([np.full(len(tails), node), tails])
        both[axiom - node - 1] = np.column_stack([heads, some])
        ops += [np.array([Op.ObjectProperty], np.uint8), kinds]
        args += [np.array([size + role], np.int32), both.ravel()]
        axioms.append(axiom)
        node += 1 + len(both)
    every = np.concatenate(ops)
    lengths = np.where((every == Op.Class) | (every == Op.ObjectProperty), 1, 2)
    return Ontology(
        strings=[*numbers, *relations],
        op=every,
        start=np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)]),
        args=np.concatenate(args),
        axiom_nodes=np.concatenate([np.empty(0, np.int32), *axioms]),
        declared=np.concatenate(declared),
        ignored={"declarations": len(classes) + len(relations)},
    )


def _places(tails: Ints, first: int) -> tuple[Ints, Ints]:
    """The nodes of ∃R.D and of the axiom of each pair: ∃R.D stands before the first axiom that has it."""
    _, begins, which = np.unique(tails, return_index=True, return_inverse=True)
    is_new = np.zeros(len(tails), np.int64)
    is_new[begins] = 1
    axiom = (first + np.arange(len(tails)) + np.cumsum(is_new)).astype(np.int32)
    return (axiom[begins] - 1)[which], axiom
