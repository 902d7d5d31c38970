"""Ranges leave the tables: for every role with a range a class of the things it can lead to.

With `range(R)` for the class of all things that have an incoming R edge, `R ⊑ S` gives `range(R) ⊑ range(S)`, a range
axiom `range(R) ⊑ C`, a reflexive R `⊤ ⊑ range(R)`, and every ∃R.D on the right becomes ∃R.(D ⊓ range(R)).
"""

from __future__ import annotations

import numpy as np

from elgeo.ontology.model import Ints
from elgeo.ontology.normalise_names import RANGE_OF, ClassNames, FreshClasses
from elgeo.ontology.normalise_roles import RoleAxioms, Roles
from elgeo.ontology.normalise_rows import BY_DEFINITION, Rows
from elgeo.ontology.vocabulary import TOP, TOP_ROLE


class Ranges:
    """The class `range(R)` of each role that has one, by itself or through a more general role."""

    def __init__(self, axioms: RoleAxioms, roles: Roles, fresh: FreshClasses) -> None:
        subroles = [(chain[0], role, axiom) for chain, role, axiom in axioms.subroles if len(chain) == 1]
        ranged = {role for role, _, _ in axioms.ranges if role != TOP_ROLE}
        below: dict[int, list[int]] = {}
        for role, superrole, _ in subroles:
            below.setdefault(superrole, []).append(role)
        waiting = list(ranged)
        while waiting:
            new = [role for role in below.get(waiting.pop(), []) if role not in ranged and role != TOP_ROLE]
            ranged.update(new)
            waiting += new
        numbered = sorted(ranged)
        ids = fresh.add(len(numbered), lambda i: RANGE_OF.format(roles.text(numbered[i])))
        self.class_of = dict(zip(numbered, ids.tolist(), strict=True))
        self.inclusions: list[tuple[int, int, int]] = []
        """(class, class, axiom) between these classes and ⊤."""
        for role, superrole, axiom in subroles:
            if superrole in self.class_of:
                self.inclusions.append((self.class_of.get(role, TOP), self.class_of[superrole], axiom))
        for role, axiom in axioms.reflexive:
            if role in self.class_of:
                self.inclusions.append((TOP, self.class_of[role], axiom))

    def table(self, n_roles: int) -> Ints:
        """`range(R)` by role, ⊤ where there is none."""
        table = np.full(n_roles, TOP, np.int32)
        for role, class_id in self.class_of.items():
            table[role] = class_id
        return table

    def apply(self, rows: Rows, n_roles: int, names: ClassNames, fresh: FreshClasses) -> None:
        """Put ∃R.(D ⊓ range(R)) for every ∃R.D that an axiom has on its right."""
        if not self.class_of:
            return
        found = rows.existentials()
        range_of = self.table(n_roles)[found[:, 1]]
        found[:, 2] = np.where((found[:, 2] == TOP) | (found[:, 2] == range_of), range_of, found[:, 2])
        meets = (range_of != TOP) & (found[:, 2] != range_of)
        pairs, which = np.unique(np.stack([found[meets, 2], range_of[meets]], axis=1), axis=0, return_inverse=True)
        ids = fresh.add_pairs(pairs[:, 0], pairs[:, 1], names)
        found[meets, 2] = ids[which.reshape(-1)]
        rows.add("existential", *found.T)
        rows.add("subclass", ids, pairs[:, 0], BY_DEFINITION)
        rows.add("subclass", ids, pairs[:, 1], BY_DEFINITION)
        rows.add("range", list(self.class_of), list(self.class_of.values()), BY_DEFINITION)
