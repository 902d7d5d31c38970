"""`project`: the axioms of an ontology as edges between its named classes, as OWL2Vec* and DL2Vec draw them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np

from elgeo.arrays import Flags, Table
from elgeo.keys import contained
from elgeo.ontology.normal_forms import NormalForms
from elgeo.ontology.vocabulary import TOP, TOP_ROLE, Kind

Style = Literal["owl2vec", "dl2vec"]
PREDICATES = ("subclassof", "superclassof", "equivalentto", "type", "typeof", "sameas")
"""What joins classes beside the roles; they are numbered after them, in this order."""
SUBCLASS, SUPERCLASS, EQUIVALENT, TYPE, TYPE_OF, SAME = range(len(PREDICATES))

Ways = dict[int, list[tuple[int, int]]]
"""From a class, (role, class) pairs; role −1 for ⊑."""
BELOW = -1


class Projection(NamedTuple):
    """Edges (head, predicate, tail), each once, sorted; predicates are role ids and, after them, `PREDICATES`."""

    edges: Table
    classes: int
    roles: int


def project(forms: NormalForms, style: Style) -> Projection:
    """The edges of an ontology. Conjunctions are taken apart; ⊤, ⊥ and fresh names are no vertices.

    `owl2vec`: subClassOf both ways; ∃R.B ⊑ A is an edge from A as A ⊑ ∃R.B is; domains are joined with ranges; what is
    nested in a restriction is lost; every edge also with roles that are equal, and backwards with inverse ones.
    `dl2vec`: one way; A ⊑ ∃R.∃S.B gives R and S from A to B; nothing for the rest. In both A ⊑ ∃R⁻.B is B R A.
    """
    names = forms.vocabulary
    is_vertex = (names.class_kinds == Kind.NAMED) | (names.class_kinds == Kind.INDIVIDUAL)
    found = [*_asserted(forms, is_vertex, style == "dl2vec")]
    if style == "owl2vec":
        found += _from_the_right(forms, is_vertex)
    edges = np.array(found, np.int32).reshape(-1, 3)
    edges = _with_predicates(edges, names.class_kinds == Kind.INDIVIDUAL, names.n_roles, style)
    edges = np.unique(_in_other_roles(edges, forms, style), axis=0)
    return Projection(edges, names.n_classes, names.n_roles)


def _told(forms: NormalForms) -> Ways:
    told: Ways = {}
    ranges = _range_classes(forms)
    for c, d in _between_classes(forms.subclass):
        if d not in ranges:  # what is in a range because a role leads there
            told.setdefault(c, []).append((BELOW, d))
    for c, r, d in forms.existential.tolist():
        if r != TOP_ROLE:
            told.setdefault(c, []).append((r, d))
    return told


def _range_classes(forms: NormalForms) -> set[int]:
    """The fresh classes that stand for what roles lead to; ranges are worked into the axioms by them."""
    return set(forms["range"][:, 1].tolist())


def _between_classes(subclass: Table) -> list[list[int]]:
    """Rows without ⊤: it has no expression that it stands for, whatever is above it."""
    found: list[list[int]] = subclass[subclass[:, 0] != TOP].tolist()
    return found


def _asserted(forms: NormalForms, is_vertex: Flags, nested: bool) -> Iterator[tuple[int, int, int]]:
    """The edges of A ⊑ …, with predicate `BELOW` for a class above; fresh names give what they stand for."""
    told, parts = _told(forms), Conjuncts(forms, is_vertex)
    for head in np.flatnonzero(is_vertex).tolist():
        waiting, seen = list(told.get(head, ())), set()
        while waiting:
            way = role, tail = waiting.pop()
            if way in seen:
                continue
            seen.add(way)
            if is_vertex[tail]:
                yield head, role, tail
            elif role == BELOW:
                waiting += told.get(tail, ())
            else:
                for part in parts.of(tail):
                    yield head, role, part
                if nested:
                    inner = _restrictions(tail, told, is_vertex)
                    waiting += [*inner, *((role, last) for _, last in inner)]


def _restrictions(fresh: int, told: Ways, is_vertex: Flags) -> list[tuple[int, int]]:
    """What a fresh name leads to, through other fresh names that it is below too, as where a role has a range."""
    waiting, seen, found = [fresh], {fresh}, []
    while waiting:
        for role, tail in told.get(waiting.pop(), ()):
            if role != BELOW:
                found.append((role, tail))
            elif not is_vertex[tail] and tail not in seen:
                seen.add(tail)
                waiting.append(tail)
    return found


class Conjuncts:
    """The named classes that fresh names are conjunctions of, on either side of an axiom; ranges are no parts."""

    def __init__(self, forms: NormalForms, is_vertex: Flags) -> None:
        self._is_vertex = is_vertex
        self._made_of: dict[int, list[int]] = {}
        ranges = _range_classes(forms)
        for c, d in _between_classes(forms.subclass):
            if not is_vertex[c] and d not in ranges:
                self._made_of.setdefault(c, []).append(d)
        for c, d, e in forms.conjunction.tolist():
            if not is_vertex[e]:
                self._made_of.setdefault(e, []).extend((c, d))

    def of(self, expression: int) -> list[int]:
        """A named class itself; of a fresh name what it is made of, through other fresh names too."""
        waiting, found, seen = [expression], [], {expression}
        while waiting:
            one = waiting.pop()
            if self._is_vertex[one]:
                found.append(one)
                continue
            for above in self._made_of.get(one, ()):
                if above not in seen:
                    seen.add(above)
                    waiting.append(above)
        return found


def _from_the_right(forms: NormalForms, is_vertex: Flags) -> Iterator[tuple[int, int, int]]:
    """∃R.B ⊑ A is drawn from A to B; a domain is joined with each range of the role."""
    parts = Conjuncts(forms, is_vertex)
    told = {tuple(row) for row in forms["range"].tolist()}
    hierarchy = {tuple(row) for row in forms.subrole.tolist()}
    inherited = {
        (r, fresh)
        for r, fresh in told
        for one, s in hierarchy
        if one == r and (s, fresh) in told and (s, r) not in hierarchy
    }
    ranges: dict[int, list[int]] = {}
    for role, fresh in sorted(told - inherited):
        ranges.setdefault(role, []).extend(parts.of(fresh))
    for role, c, d in forms.left_existential.tolist():
        if is_vertex[d] and role != TOP_ROLE:
            for tail in ranges.get(role, ()) if c == TOP else parts.of(c):
                yield d, role, tail


def _with_predicates(edges: Table, is_individual: Flags, roles: int, style: Style) -> Table:
    """The predicates of ⊑ between classes, of individuals and of equal ones; in `owl2vec` also the way back."""
    above, rest = edges[edges[:, 1] == BELOW], edges[edges[:, 1] != BELOW]
    both = contained(above[:, [2, 0]], above[:, [0, 2]])
    one, other = is_individual[above[:, 0]], is_individual[above[:, 2]]
    predicate = np.where(one, np.where(other, SAME, TYPE), SUBCLASS)
    back = np.where(one, np.where(other, SAME, TYPE_OF), SUPERCLASS)
    if style == "dl2vec":
        predicate[both & (predicate == SUBCLASS)] = EQUIVALENT
    made = [rest, np.stack([above[:, 0], roles + predicate, above[:, 2]], axis=1)[predicate != SAME]]
    if style == "owl2vec":
        made.append(np.stack([above[:, 2], roles + back, above[:, 0]], axis=1))
    return np.concatenate(made).astype(np.int32)


def _in_other_roles(edges: Table, forms: NormalForms, style: Style) -> Table:
    """Every edge also with what is equal or inverse to its role, and not with what only stands for an inverse."""
    is_fresh = np.append(forms.vocabulary.role_kinds == Kind.FRESH, np.zeros(len(PREDICATES), np.bool_))
    beside: dict[int, list[tuple[int, bool]]] = {}
    equal = forms.subrole[contained(forms.subrole[:, ::-1], forms.subrole)]
    for pairs, backwards in ((equal, False), (forms.inverses, True)):
        for r, s in pairs.tolist():
            if style == "owl2vec" or (is_fresh[r] and backwards):
                beside.setdefault(r, []).append((s, backwards))
    made = [edges[:0]]
    for r in np.unique(edges[:, 1]).tolist():
        mine = edges[edges[:, 1] == r]
        named = [(s, backwards) for s, backwards in _reached(r, beside) if not is_fresh[s]]
        for s, backwards in named or [(r, False)]:  # datasets of before know of no inverses
            made.append(np.insert(mine[:, [2, 0]] if backwards else mine[:, [0, 2]], 1, s, axis=1))
    return np.concatenate(made).astype(np.int32)


def _reached(role: int, beside: Mapping[int, Sequence[tuple[int, bool]]]) -> set[tuple[int, bool]]:
    """The roles that are equal to a role, and (True) those that are inverse to it, through others too."""
    found, waiting = {(role, False)}, [(role, False)]
    while waiting:
        r, turned = waiting.pop()
        for s, backwards in beside.get(r, ()):
            if (s, turned != backwards) not in found:
                found.add((s, turned != backwards))
                waiting.append((s, turned != backwards))
    return found
