"""Widths of roles in one half dimension: the least above a start that make every role axiom true."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from elgeo.arrays import Ints, Table
from elgeo.models.boxes.numbers import INFINITE, LARGEST
from elgeo.ontology.normal_forms import NormalForms
from elgeo.ontology.vocabulary import TOP_ROLE


@dataclass(frozen=True, eq=False)
class WidthRules:
    """R ⊑ S: h_R ≤ h_S. R ∘ S ⊑ T: h_R + h_S ≤ h_T. R reflexive: 0 ≤ h_R. The universal role is as wide as can be.

    So a transitive role has a width of at most 0, or an infinite one.
    """

    subrole: Table
    chain: Table
    at_home: Ints
    """Roles that some point has to itself: reflexive ones, and those of C ⊑ ∃R.Self."""

    @classmethod
    def of(cls, forms: NormalForms) -> WidthRules:
        at_home = np.unique(np.concatenate([forms["reflexive"][:, 0], forms["self"][:, 1]]))
        return cls(forms.subrole, forms.chain, at_home.astype(np.int32))

    def closed(self, widths: Ints) -> Ints:
        """The least widths above the given ones that satisfy all role axioms."""
        found = widths.copy()
        found[TOP_ROLE] = INFINITE
        found[self.at_home] = np.maximum(found[self.at_home], 0)
        while True:
            before = found.copy()
            for r, s in self.subrole:
                found[s] = max(found[s], found[r])
            for r, s, t in self.chain:
                found[t] = max(found[t], _sum(int(found[r]), int(found[s])))
            if (found == before).all():
                return found


def _sum(a: int, b: int) -> int:
    total = a + b
    return INFINITE if INFINITE in (a, b) or total > LARGEST else total
