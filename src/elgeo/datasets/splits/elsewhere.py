"""What other axioms say too: a row held out must not come back through a definition."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from elgeo.arrays import Ints
from elgeo.ontology.expressions import Op
from elgeo.ontology.model import Builder, Ontology
from elgeo.ontology.normal_forms import NormalForms


def also_said(forms: NormalForms, form: str, matches: Ints) -> dict[int, list[int]]:
    """For each match (an axiom's node) whose row of that form comes from other axioms as well: those axioms."""
    assert forms.source is not None
    rows, axioms = forms.origins[form].T
    pairs = np.unique(np.column_stack([rows, forms.source.axiom_nodes[axioms]]), axis=0)
    _, first, counts = np.unique(pairs[:, 0], return_index=True, return_counts=True)
    shared = np.flatnonzero(counts > 1)
    is_match = np.zeros(len(forms.source.op), np.bool_)
    is_match[matches] = True
    found: dict[int, set[int]] = {}
    for begin, count in zip(first[shared].tolist(), counts[shared].tolist(), strict=True):
        sayers = pairs[begin : begin + count, 1].tolist()
        for sayer in sayers:
            if is_match[sayer]:
                found.setdefault(sayer, set()).update(other for other in sayers if other != sayer)
    return {match: sorted(others) for match, others in found.items()}


def taken_apart(ontology: Ontology, away: Mapping[int, Iterable[tuple[int, int]]]) -> tuple[Ontology, Ints]:
    """The ontology with more axioms, and the axioms that these stand for, which are to be left out.

    `away` has for an axiom C ≡ E or C ⊑ E the pairs (C, conjunct of E) that it must not say any more. What else it
    says stays: C ⊑ the other conjuncts, and E ⊑ C with all of them. Axioms that say it in another way stay as they are.
    """
    builder = Builder.resume(ontology)
    replaced = []
    for axiom, pairs in away.items():
        op, arguments = ontology.op[axiom], ontology.arguments(axiom)
        inclusions = []
        if op == Op.SubClassOf:
            inclusions = [(arguments[0], arguments[1])]
        elif op == Op.EquivalentClasses:
            inclusions = [(a, b) for a in arguments for b in arguments if a != b]
        unsaid = set(pairs)
        said = [(left, right, _conjuncts(ontology, right)) for left, right in inclusions]
        if not any((left, conjunct) in unsaid for left, _, conjuncts in said for conjunct in conjuncts):
            continue
        replaced.append(axiom)
        for left, right, conjuncts in said:
            kept = [conjunct for conjunct in conjuncts if (left, conjunct) not in unsaid]
            if len(kept) == len(conjuncts):
                builder.axiom(Op.SubClassOf, left, right)
            elif kept:
                whole = builder.node(Op.ObjectIntersectionOf, *kept) if len(kept) > 1 else kept[0]
                builder.axiom(Op.SubClassOf, left, whole)
    added = builder.finish()
    extended = replace(
        ontology,
        strings=added.strings,
        op=added.op,
        start=added.start,
        args=added.args,
        axiom_nodes=added.axiom_nodes,
    )
    return extended, np.array(replaced, np.int32)


def _conjuncts(ontology: Ontology, node: int) -> list[int]:
    """The parts of an intersection, of intersections in it too; any other expression is its only part."""
    if ontology.op[node] != Op.ObjectIntersectionOf:
        return [node]
    return [part for argument in ontology.arguments(node) for part in _conjuncts(ontology, argument)]
