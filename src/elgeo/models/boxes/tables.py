"""Tables of roles in one half dimension: the least above a start that make every role axiom true.

A table f has a level for each level, and never falls: ∃r.C reaches to f(v) where C reaches to v.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from elgeo.arrays import Flags, Ints, Table
from elgeo.compilation import kernel
from elgeo.models.boxes.numbers import LAST
from elgeo.ontology.normal_forms import NormalForms
from elgeo.ontology.vocabulary import TOP_ROLE

LEVELS = np.arange(LAST + 1, dtype=np.int32)


class RoleRules(NamedTuple):
    """R ⊑ S: f_R ≤ f_S. R ∘ S ⊑ T: f_R(f_S(y)) ≤ f_T(y). R reflexive: y ≤ f_R(y). The universal role is LAST."""

    subrole: Table
    chain: Table
    at_home: Ints
    """Roles that some point has to itself: reflexive ones, and those of C ⊑ ∃R.Self where C is not empty."""

    @classmethod
    def of(cls, forms: NormalForms, empty: Flags) -> RoleRules:
        loops = forms["self"]
        at_home = np.unique(np.concatenate([forms["reflexive"][:, 0], loops[~empty[loops[:, 0]], 1]]))
        subrole, chain = (np.ascontiguousarray(forms[name], np.int32) for name in ("subrole", "chain"))
        return cls(subrole, chain, at_home.astype(np.int32))


@kernel
def close(tables: Table, rules: RoleRules) -> None:
    """Raise tables until every role axiom is true."""
    tables[TOP_ROLE] = LAST
    for k in range(len(rules.at_home)):
        role = rules.at_home[k]
        for y in range(LAST + 1):
            tables[role, y] = max(tables[role, y], y)
    for r in range(len(tables)):
        for y in range(LAST):
            tables[r, y + 1] = max(tables[r, y + 1], tables[r, y])
    changed = True
    while changed:
        changed = False
        for k in range(len(rules.subrole)):
            r, s = rules.subrole[k]
            for y in range(LAST + 1):
                if tables[s, y] < tables[r, y]:
                    tables[s, y] = tables[r, y]
                    changed = True
        for k in range(len(rules.chain)):
            r, s, t = rules.chain[k]
            for y in range(LAST + 1):
                reached = tables[r, tables[s, y]]
                if tables[t, y] < reached:
                    tables[t, y] = reached
                    changed = True


@kernel
def tighten(tables: Table, tight: Flags, values: Ints, existential: Table, rules: RoleRules) -> None:
    """Lower the tables of the `tight` roles as far as the axioms C ⊑ ∃r.D allow with these numbers of classes."""
    for r in range(len(tables)):
        if tight[r]:
            tables[r] = 0
    for k in range(len(existential)):
        c, r, d = existential[k]
        if tight[r]:
            tables[r, values[d]] = max(tables[r, values[d]], values[c])
    close(tables, rules)
