"""`reduced`: an ontology without the SubClassOf axioms that its other axioms entail."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from elgeo.arrays import Flags, Ints, Places, Table
from elgeo.ontology import normalise
from elgeo.ontology.expressions import Op
from elgeo.ontology.model import Ontology
from elgeo.ontology.normal_forms import NormalForms
from elgeo.reasoning.reasoner import Reasoner
from elgeo.reasoning.revisions.other_ways import OtherWays


class Reduction(NamedTuple):
    """The ontology that is left, and the axioms that were taken out of it, in the order of the file."""

    ontology: Ontology
    removed: list[str]
    reasoner: Reasoner
    """Of what is left: it entails all that was removed."""


def reduced(ontology: Ontology) -> Reduction:
    """Take out axioms A ⊑ D and A ⊑ ∃R.D between names that follow from what stays.

    Of the axioms of a class the most special ones stay: A ⊑ B and not A ⊑ C, where B ⊑ C. None of those that are left
    follows from the others. Definitions and all other axioms stay, and so do those about unsatisfiable classes.
    """
    ontology = replace(ontology, axiom_nodes=_once(ontology.axiom_nodes))
    forms = normalise(ontology)
    whole = Reasoner(forms)
    candidates = _candidates(forms)
    # everything follows of a class that can have no instance, and much of it is missed once that is mended
    candidates = candidates.where(~whole.saturation.unsatisfiable[candidates.rows[:, 0]])
    # what has no other way to follow stays, whatever else goes
    candidates = candidates.where(OtherWays(whole.saturation).may_follow(candidates.rows, candidates.places))
    candidates = candidates.where(np.argsort(-_specialities(whole, candidates), kind="stable"))
    kept, doubtful = _without(forms, np.ones(len(ontology.axiom_nodes), np.bool_), candidates)
    # what was put back by choice did not follow from what was kept before; it may follow from what came later
    while True:
        doubtful = doubtful.where(_follow_from_others(forms, kept, doubtful))
        if not len(doubtful.places):
            break
        before = int(kept.sum())
        kept, _ = _without(forms, kept, doubtful)
        if int(kept.sum()) == before:  # each follows from the others: the last one goes
            kept, _ = _without(forms, kept, doubtful.where(np.arange(len(doubtful.places))[-1:]))
        doubtful = doubtful.where(kept[doubtful.places])
    gone = ontology.axiom_nodes[~kept]
    left = replace(ontology, axiom_nodes=ontology.axiom_nodes[kept])
    return Reduction(left, [ontology.text(int(node)) for node in gone], Reasoner(left))


@dataclass(frozen=True, eq=False)
class _Candidates:
    """Axioms A ⊑ D or A ⊑ ∃R.D between names."""

    places: Ints
    """Of each among the axioms of the file."""
    rows: Table
    """A, R, D; without a role R is -1."""

    def where(self, chosen: Flags | Places) -> _Candidates:
        return _Candidates(self.places[chosen], self.rows[chosen])


def _candidates(forms: NormalForms) -> _Candidates:
    ontology, words = forms.source, forms.vocabulary
    assert ontology is not None
    # of a class and an individual of one name the class comes first
    classes = {name: i for i, name in reversed(list(enumerate(words.classes)))}
    roles = {name: i for i, name in enumerate(words.roles)}
    op, start, args = ontology.op.tolist(), ontology.start.tolist(), ontology.args.tolist()
    name, some, named_role = int(Op.Class), int(Op.ObjectSomeValuesFrom), int(Op.ObjectProperty)
    places, rows = [], []
    among = np.flatnonzero(ontology.op[ontology.axiom_nodes] == Op.SubClassOf)
    for place, node in zip(among.tolist(), ontology.axiom_nodes[among].tolist(), strict=True):
        sub, sup = args[start[node] : start[node + 1]]
        if op[sub] != name:
            continue
        role = -1
        if op[sup] == some:
            property_, sup = args[start[sup] : start[sup + 1]]
            if op[property_] != named_role:
                continue
            role = roles[ontology.string(property_)]
        if op[sup] == name:
            places.append(place)
            rows.append((classes[ontology.string(sub)], role, classes[ontology.string(sup)]))
    return _Candidates(np.array(places, np.int32), np.array(rows, np.int32).reshape(-1, 3))


def _without(forms: NormalForms, kept: Flags, candidates: _Candidates) -> tuple[Flags, _Candidates]:
    """Take out candidates all at once, and put back those that do not follow then.

    First those that follow in no way from all that may still be put back; where there are none, the first of each
    class. Those of the second sort are given too: there was a choice.
    """
    kept = kept.copy()
    kept[candidates.places] = False
    out, chosen = candidates, np.zeros(len(kept), np.bool_)
    while True:
        out = out.where(~_entailed(Reasoner(_of(forms, kept)), out))
        if not len(out.places):
            return kept, candidates.where(chosen[candidates.places])
        all_back = kept.copy()
        all_back[out.places] = True
        needed = ~OtherWays(Reasoner(_of(forms, all_back)).saturation).may_follow(out.rows, out.places)
        if needed.any():
            kept[out.places[needed]] = True
            continue
        _, first = np.unique(out.rows[:, 0], return_index=True)
        kept[out.places[first]] = chosen[out.places[first]] = True


def _follow_from_others(forms: NormalForms, kept: Flags, candidates: _Candidates) -> Flags:
    """Whether axioms that are kept follow from the others that are."""
    found = np.zeros(len(candidates.places), np.bool_)
    if not len(found):
        return found
    maybe = OtherWays(Reasoner(_of(forms, kept)).saturation).may_follow(candidates.rows, candidates.places)
    for i in np.flatnonzero(maybe):
        others = kept.copy()
        others[candidates.places[i]] = False
        found[i] = _entailed(Reasoner(_of(forms, others)), candidates.where(np.array([i])))[0]
    return found


def _of(forms: NormalForms, kept: Flags) -> NormalForms:
    """The rows that some of the axioms give, and the definitions of fresh names; axioms keep their numbers."""
    tables, origins = dict(forms.tables), dict(forms.origins)
    for name, pairs in forms.origins.items():
        here = pairs[kept[pairs[:, 1]]]
        stays = np.ones(len(tables[name]), np.bool_)
        stays[pairs[:, 0]] = False
        stays[here[:, 0]] = True
        tables[name] = np.ascontiguousarray(tables[name][stays])
        origins[name] = np.stack([(np.cumsum(stays) - 1)[here[:, 0]], here[:, 1]], axis=1).astype(np.int32)
    return replace(forms, tables=tables, origins=origins)


def _once(nodes: Ints) -> Ints:
    _, first = np.unique(nodes, return_index=True)
    return nodes[np.sort(first)]


def _specialities(whole: Reasoner, candidates: _Candidates) -> Ints:
    """How special the class on the right of each axiom is: how many it is below, of A ⊑ D more than any ∃R.D."""
    above = np.diff(whole.saturation.subsumer_start)
    most = int(above.max(initial=0)) + 1
    return np.asarray(above[candidates.rows[:, 2]] + most * (candidates.rows[:, 1] < 0))


def _entailed(reasoner: Reasoner, candidates: _Candidates) -> Flags:
    """Whether each axiom follows."""
    found = np.zeros(len(candidates.places), np.bool_)
    plain = candidates.rows[:, 1] < 0
    for form, which, columns in (("subclass", plain, [0, 2]), ("existential", ~plain, [0, 1, 2])):
        if which.any():
            found[which] = reasoner.closure().contains(form, candidates.rows[which][:, columns])
    return found
