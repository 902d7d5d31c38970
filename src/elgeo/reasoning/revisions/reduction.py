"""`reduced`: an ontology without the SubClassOf axioms that its other axioms entail."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from elgeo.arrays import Flags, Ints
from elgeo.ontology import normalise
from elgeo.ontology.expressions import Op
from elgeo.ontology.model import Ontology
from elgeo.reasoning.reasoner import Reasoner
from elgeo.reasoning.revisions.other_ways import OtherWays


class Reduction(NamedTuple):
    """The ontology that is left, and the axioms that were taken out of it, in the order of the file."""

    ontology: Ontology
    removed: list[str]
    reasoner: Reasoner
    """Of what is left: it entails all that was removed."""


class _Candidate(NamedTuple):
    """An axiom A ⊑ D, or A ⊑ ∃R.D, between names."""

    place: int
    """Among the axioms of the file."""
    form: str
    names: tuple[str, ...]


def reduced(ontology: Ontology) -> Reduction:
    """Take out axioms A ⊑ D and A ⊑ ∃R.D between names that follow from what stays.

    Of the axioms of a class the most special ones stay: A ⊑ B and not A ⊑ C, where B ⊑ C. None of those that are left
    follows from the others. Definitions and all other axioms stay, and so do those about unsatisfiable classes.
    """
    ontology = replace(ontology, axiom_nodes=_once(ontology.axiom_nodes))
    whole = Reasoner(ontology)
    # everything follows of a class that can have no instance, and much of it is missed once that is mended
    impossible = set(whole.unsatisfiable())
    candidates = [candidate for candidate in _candidates(ontology) if candidate.names[0] not in impossible]
    # what has no other way to follow stays, whatever else goes
    candidates = _may_follow(whole, candidates, np.ones(len(ontology.axiom_nodes), np.bool_))
    special = _specialities(whole, candidates)
    candidates = [candidates[i] for i in sorted(range(len(candidates)), key=lambda i: (-special[i], i))]
    kept, reasoner = _without(ontology, np.ones(len(ontology.axiom_nodes), np.bool_), candidates)
    # an axiom was kept if it did not follow from those kept before it; it may follow from later ones
    open_ = [candidate for candidate in candidates if kept[candidate.place]]
    while True:
        open_ = _may_follow(reasoner, [each for each in open_ if kept[each.place]], kept)
        open_ = [each for each in open_ if _is_redundant(ontology, reasoner, each)]
        if not open_:
            break
        before = int(kept.sum())
        kept, reasoner = _without(ontology, kept, open_)
        if int(kept.sum()) == before:  # each follows from the others: the last one goes
            kept, reasoner = _without(ontology, kept, open_[-1:])
    gone = ontology.axiom_nodes[~kept]
    left = replace(ontology, axiom_nodes=ontology.axiom_nodes[kept])
    return Reduction(left, [ontology.text(int(node)) for node in gone], reasoner)


def _without(ontology: Ontology, kept: Flags, candidates: Sequence[_Candidate]) -> tuple[Flags, Reasoner]:
    """Take out candidates all at once, and put back, one of each class at a time, those that do not follow then."""
    kept = kept.copy()
    kept[[candidate.place for candidate in candidates]] = False
    while True:
        rest = Reasoner(normalise(replace(ontology, axiom_nodes=ontology.axiom_nodes[kept])))
        out = [candidate for candidate in candidates if not kept[candidate.place]]
        missing: dict[str, int] = {}
        for candidate, follows in zip(out, _entailed(rest, out).tolist(), strict=True):
            if not follows:
                missing.setdefault(candidate.names[0], candidate.place)
        if not missing:
            return kept, rest
        kept[list(missing.values())] = True


def _may_follow(reasoner: Reasoner, candidates: Sequence[_Candidate], kept: Flags) -> list[_Candidate]:
    """The candidates that may follow from the other axioms that are kept."""
    ways, classes = OtherWays(reasoner), _class_ids(reasoner)
    roles = {name: i for i, name in enumerate(reasoner.forms.vocabulary.roles)}
    numbers = np.cumsum(kept) - 1  # of each axiom among those kept
    found = []
    for each in candidates:
        ids = (classes[each.names[0]], *(roles[role] for role in each.names[1:-1]), classes[each.names[-1]])
        if ways.may_follow(ids, int(numbers[each.place])):
            found.append(each)
    return found


def _is_redundant(ontology: Ontology, reasoner: Reasoner, candidate: _Candidate) -> bool:
    """Whether an axiom that is there follows from the others too: then it has more than one justification."""
    return len(reasoner.justifications(ontology.text(int(ontology.axiom_nodes[candidate.place])), 2)) > 1


def _once(nodes: Ints) -> Ints:
    _, first = np.unique(nodes, return_index=True)
    return nodes[np.sort(first)]


def _candidates(ontology: Ontology) -> list[_Candidate]:
    found = []
    for place, node in enumerate(ontology.axiom_nodes.tolist()):
        if ontology.op[node] != Op.SubClassOf:
            continue
        sub, sup = ontology.arguments(node)
        if ontology.op[sub] != Op.Class:
            continue
        if ontology.op[sup] == Op.Class:
            found.append(_Candidate(place, "subclass", (ontology.string(sub), ontology.string(sup))))
        elif ontology.op[sup] == Op.ObjectSomeValuesFrom:
            role, filler = ontology.arguments(sup)
            if ontology.op[role] == Op.ObjectProperty and ontology.op[filler] == Op.Class:
                names = (ontology.string(sub), ontology.string(role), ontology.string(filler))
                found.append(_Candidate(place, "existential", names))
    return found


def _specialities(whole: Reasoner, candidates: Sequence[_Candidate]) -> list[int]:
    """How special the class on the right of each axiom is: how many it is below, of A ⊑ D more than any ∃R.D."""
    ids = _class_ids(whole)
    above = np.diff(whole.saturation.subsumer_start)
    most = int(above.max(initial=0)) + 1
    return [
        int(above[ids[candidate.names[-1]]]) + (most if candidate.form == "subclass" else 0) for candidate in candidates
    ]


def _entailed(reasoner: Reasoner, candidates: Sequence[_Candidate]) -> Flags:
    """Whether each axiom follows; one with a name that nothing speaks of does not."""
    classes = _class_ids(reasoner)
    roles = {name: i for i, name in enumerate(reasoner.forms.vocabulary.roles)}
    found = np.zeros(len(candidates), np.bool_)
    for form in ("subclass", "existential"):
        at, rows = [], []
        for i, candidate in enumerate(candidates):
            names = candidate.names
            if candidate.form != form or names[0] not in classes or names[-1] not in classes:
                continue
            if form == "existential" and names[1] not in roles:
                continue
            at.append(i)
            rows.append((classes[names[0]], *(roles[r] for r in names[1:-1]), classes[names[-1]]))
        if rows:
            found[at] = reasoner.closure().contains(form, np.array(rows, np.int32))
    return found


def _class_ids(reasoner: Reasoner) -> dict[str, int]:
    names = reasoner.forms.vocabulary.classes
    # of a class and an individual of one name the class comes first
    return {name: i for i, name in reversed(list(enumerate(names)))}
