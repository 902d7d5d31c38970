"""Ranges leave the tables: for every role with a range a class of the things it can lead to.

With `range(R)` for the class of all things that have an incoming R edge, `R ⊑ S` gives `range(R) ⊑ range(S)`, a range
axiom `range(R) ⊑ C`, a reflexive R `⊤ ⊑ range(R)`, and every ∃R.D on the right becomes ∃R.(D ⊓ range(R)), unless D is
told to lie in all the ranges of R as it is.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Ints
from elgeo.keys import distinct
from elgeo.ontology.normalisation.fresh_names import RANGE_OF, ClassNames
from elgeo.ontology.normalisation.roles import RoleFacts
from elgeo.ontology.normalisation.rows import BY_DEFINITION, RangedRows, Rows
from elgeo.ontology.normalisation.shapes import ATOM
from elgeo.ontology.vocabulary import TOP, TOP_ROLE


class Ranges:
    """The class `range(R)` of each role that has one, by itself or through a more general role."""

    def __init__(self, axioms: RoleFacts, names: ClassNames) -> None:
        self._n_roles = axioms.n_roles
        self._nodes: dict[int, list[int]] = {}
        for role, node, _ in axioms.ranges:
            self._nodes.setdefault(role, []).append(node)
        subroles = [(chain[0], role, axiom) for chain, role, axiom in axioms.subroles if len(chain) == 1]
        ranged = {role for role, _, _ in axioms.ranges if role != TOP_ROLE}
        below: dict[int, list[int]] = {}
        self._superroles: dict[int, set[int]] = {}
        for role, superrole, _ in subroles:
            below.setdefault(superrole, []).append(role)
            self._superroles.setdefault(role, set()).add(superrole)
        waiting = list(ranged)
        while waiting:
            new = [role for role in below.get(waiting.pop(), []) if role not in ranged and role != TOP_ROLE]
            ranged.update(new)
            waiting += new
        numbered = sorted(ranged)
        ids = names.add(len(numbered), lambda i: RANGE_OF.format(axioms.roles.text(numbered[i])))
        self.class_of = dict(zip(numbered, ids.tolist(), strict=True))
        self.inclusions: list[tuple[int, int, int]] = []
        """(class, class, axiom) between these classes and ⊤."""
        for role, superrole, axiom in subroles:
            if superrole in self.class_of:
                self.inclusions.append((self.class_of.get(role, TOP), self.class_of[superrole], axiom))
        for role, axiom in axioms.reflexive:
            if role in self.class_of:
                self.inclusions.append((TOP, self.class_of[role], axiom))

    @cached_property
    def table(self) -> Ints:
        """`range(R)` by role, ⊤ where there is none."""
        table = np.full(self._n_roles, TOP, np.int32)
        for role, class_id in self.class_of.items():
            table[role] = class_id
        return table

    def applied(self, rows: Rows, same: Ints, names: ClassNames) -> RangedRows:
        """The rows with ∃R.(D ⊓ range(R)) for every ∃R.D on the right of an axiom; `same` as in `Expressions`."""
        if not self.class_of:
            return RangedRows(rows)
        found = rows.taken("existential")
        range_of = self.table[found[:, 1]]
        found[:, 2] = np.where((found[:, 2] == TOP) | (found[:, 2] == range_of), range_of, found[:, 2])
        meets = (range_of != TOP) & (found[:, 2] != range_of)
        meets[meets] = ~self._told(found[meets, 2], found[meets, 1], rows.so_far("subclass"), same, len(names))
        pairs, which = np.unique(np.stack([found[meets, 2], range_of[meets]], axis=1), axis=0, return_inverse=True)
        ids = names.add_pairs(pairs[:, 0], pairs[:, 1])
        found[meets, 2] = ids[which.ravel()]
        rows.add("existential", *found.T)
        rows.add("subclass", ids, pairs[:, 0], BY_DEFINITION)
        rows.add("subclass", ids, pairs[:, 1], BY_DEFINITION)
        rows.add("range", list(self.class_of), list(self.class_of.values()), BY_DEFINITION)
        return RangedRows(rows)

    def _told(self, fillers: Ints, roles: Ints, subclass: Ints, same: Ints, n_classes: int) -> NDArray[np.bool_]:
        """Whether each filler is told to lie in every range of the role beside it."""
        hierarchy = _Downwards(subclass, n_classes)
        told = np.zeros(len(fillers), np.bool_)
        for role in distinct(roles).tolist():
            wanted = same[[node for above in self._above(role) for node in self._nodes.get(above, [])]]
            if (wanted >= ATOM).all():
                of_role = roles == role
                told[of_role] = np.all([hierarchy.below(c)[fillers[of_role]] for c in (wanted - ATOM).tolist()], axis=0)
        return told

    def _above(self, role: int) -> set[int]:
        """A role and all more general ones."""
        found, waiting = {role}, [role]
        while waiting:
            new = self._superroles.get(waiting.pop(), set()) - found
            found |= new
            waiting += new
        return found


class _Downwards:
    """Rows C ⊑ D, followed from D to C."""

    def __init__(self, subclass: Ints, n_classes: int) -> None:
        order = np.argsort(subclass[:, 1], kind="stable")
        self._children = subclass[order, 0]
        self._start = np.searchsorted(subclass[order, 1], np.arange(n_classes + 1))
        self._n_classes = n_classes
        self._known: dict[int, NDArray[np.bool_]] = {}

    def below(self, start: int) -> NDArray[np.bool_]:
        """A class and everything that rows put below it, as flags."""
        if start not in self._known:
            marks = np.full(self._n_classes, start == TOP)
            marks[start] = True
            frontier = np.array([start])
            while len(frontier):
                sizes = self._start[frontier + 1] - self._start[frontier]
                offset = np.arange(int(sizes.sum())) - np.repeat(np.cumsum(sizes) - sizes, sizes)
                found = self._children[np.repeat(self._start[frontier], sizes) + offset]
                frontier = distinct(found[~marks[found]]).astype(np.int64)
                marks[frontier] = True
            self._known[start] = marks
        return self._known[start]
