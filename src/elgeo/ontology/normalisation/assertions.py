"""Property assertions become rows: r(a, b) is {a} ⊑ ∃r.{b}."""

from __future__ import annotations

import numpy as np

from elgeo.keys import distinct
from elgeo.ontology.expressions import Op
from elgeo.ontology.model import Ontology
from elgeo.ontology.normalisation.entities import Entities
from elgeo.ontology.normalisation.ranges import Ranges
from elgeo.ontology.normalisation.roles import RoleAxioms, RoleIds
from elgeo.ontology.normalisation.rows import RangedRows


class PropertyAssertions:
    """All r(a, b) of an ontology: roles, subjects, objects (class ids), axiom numbers."""

    def __init__(self, ontology: Ontology, entities: Entities, roles: RoleIds) -> None:
        self.axioms = np.flatnonzero(ontology.op[ontology.axiom_nodes] == Op.ObjectPropertyAssertion)
        starts = ontology.start[ontology.axiom_nodes[self.axioms]]
        properties = ontology.args[starts]
        subjects, objects = entities.class_of[ontology.args[starts + 1]], entities.class_of[ontology.args[starts + 2]]
        self.roles = entities.role_of[properties]
        inverted = np.zeros(len(self.roles), np.bool_)
        for place in np.flatnonzero(self.roles < 0):
            # R⁻(a, b) is R(b, a)
            self.roles[place], inverted[place] = roles.split(int(properties[place]))
        self.subjects = np.where(inverted, objects, subjects)
        self.objects = np.where(inverted, subjects, objects)

    def ask_for_inverses(self, roles: RoleIds, axioms: RoleAxioms) -> None:
        """Give inverses to the asserted roles that lie below one with a declared inverse, and to what is between."""
        above: dict[int, set[int]] = {}
        for chain, role, _ in axioms.subroles:
            if len(chain) == 1:
                above.setdefault(chain[0], set()).add(role)
        mirrored = {role for p, q, _ in axioms.mirrored for role in (p, q)}
        if not mirrored:
            return
        for asserted in distinct(self.roles).tolist():
            for role in _between(asserted, mirrored, above):
                roles.inverse(role)

    def add_rows(self, rows: RangedRows, roles: RoleIds, ranges: Ranges) -> None:
        """Both individuals exist, so the range holds of the object itself."""
        rows.add("existential", self.subjects, self.roles, self.objects, self.axioms)
        range_of = ranges.table[self.roles]
        rows.add("subclass", self.objects, range_of, self.axioms)
        inverse_of = np.full(len(roles.names), -1, np.int32)
        for role, inverse in roles.inverses.items():
            inverse_of[role] = inverse
        backwards = inverse_of[self.roles]
        known = backwards >= 0
        rows.add("existential", self.objects[known], backwards[known], self.subjects[known], self.axioms[known])
        range_back = ranges.table[backwards[known]]
        rows.add("subclass", self.subjects[known], range_back, self.axioms[known])


def _between(start: int, goals: set[int], above: dict[int, set[int]]) -> set[int]:
    """The roles on a way up from `start` to one of `goals`."""
    reached, waiting = {start}, [start]
    while waiting:
        new = above.get(waiting.pop(), set()) - reached
        reached |= new
        waiting += new
    below = {role for role in reached if role in goals}
    while True:
        more = {role for role in reached - below if above.get(role, set()) & below}
        if not more:
            return below
        below |= more
