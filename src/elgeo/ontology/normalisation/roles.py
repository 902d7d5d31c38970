"""Ids for role expressions; role axioms become rows: hierarchies, chains, reflexivity, inverses as far as EL++ goes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Ints
from elgeo.errors import ReadError
from elgeo.ontology.expressions import Op
from elgeo.ontology.model import Ontology
from elgeo.ontology.normalisation.entities import Entities
from elgeo.ontology.normalisation.rows import BY_DEFINITION, Rows
from elgeo.ontology.vocabulary import BOTTOM, TOP, TOP_ROLE, Kind


class RoleIds:
    """Role ids by node; inverses and the beginnings of long chains get fresh ones when they are needed."""

    def __init__(self, ontology: Ontology, entities: Entities) -> None:
        self.ontology, self.role_of = ontology, entities.role_of
        self.names, self.bottom = list(entities.roles), entities.bottom_role
        self.n_real = len(self.names)
        self.inverses: dict[int, int] = {}
        """Each named role that has a fresh role for its inverse, with that."""
        self._beginnings: dict[tuple[int, int], int] = {}

    @property
    def kinds(self) -> NDArray[np.uint8]:
        """What each role is."""
        kinds = np.full(len(self.names), Kind.FRESH, np.uint8)
        kinds[: self.n_real] = Kind.NAMED
        kinds[[TOP_ROLE, max(TOP_ROLE, self.bottom)]] = Kind.BUILT_IN
        return kinds

    def ids(self, nodes: Ints) -> Ints:
        """The role of each property expression."""
        found = self.role_of[nodes]
        for place in np.flatnonzero(found < 0):
            role, inverted = self.split(int(nodes[place]))
            found[place] = self.inverse(role) if inverted else role
        return found

    def ids_of(self, nodes: Sequence[int]) -> list[int]:
        """The same for a list."""
        return [int(role) for role in self.ids(np.array(nodes, np.int32))]

    def split(self, node: int) -> tuple[int, bool]:
        """A property expression as a named role and whether its inverse is meant."""
        inverted = False
        while self.ontology.op[node] == Op.ObjectInverseOf:
            node, inverted = self.ontology.arguments(node)[0], not inverted
        role = int(self.role_of[node])
        if role < 0:
            raise ReadError(f"{self.ontology.text(node)} stands where only an object property can")
        return role, inverted and role not in (TOP_ROLE, self.bottom)

    def inverse(self, role: int) -> int:
        """The fresh role that stands for the inverse of a named one."""
        if role not in self.inverses:
            self.inverses[role] = self._fresh(f"ObjectInverseOf({self.text(role)})")
        return self.inverses[role]

    def beginning(self, first: int, second: int) -> int:
        """The fresh role that stands for a chain of two, where the chain goes on."""
        pair = (first, second)
        if pair not in self._beginnings:
            start = self.text(first).removeprefix("ObjectPropertyChain(")
            start = start if start == self.text(first) else start[:-1]
            self._beginnings[pair] = self._fresh(f"ObjectPropertyChain({start} {self.text(second)})")
        return self._beginnings[pair]

    def text(self, role: int) -> str:
        """A role in functional syntax."""
        return self.names[role] if role >= self.n_real else f"<{self.names[role]}>"

    def _fresh(self, name: str) -> int:
        self.names.append(name)
        return len(self.names) - 1


@dataclass(frozen=True)
class RoleFacts:
    """What role axioms say once every inverse that is needed is known; no role is added after this.

    `subroles` are (chain of roles, role, axiom), `domains` and `ranges` (role, node, axiom), `reflexive` and
    `functional` (role, axiom), `inverses` pairs of roles, both ways; `unsupported` has the kind for each axiom EL++
    cannot say in full.
    """

    subroles: tuple[tuple[tuple[int, ...], int, int], ...]
    domains: tuple[tuple[int, int, int], ...]
    ranges: tuple[tuple[int, int, int], ...]
    reflexive: tuple[tuple[int, int], ...]
    functional: tuple[tuple[int, int], ...]
    inverses: tuple[tuple[int, int], ...]
    unsupported: dict[int, str]
    roles: RoleIds

    @property
    def n_roles(self) -> int:
        return len(self.roles.names)


class RoleAxioms:
    """The role axioms of an ontology as read, sorted by what they become; `completed` says it of inverses too."""

    def __init__(self, roles: RoleIds, axioms: NDArray[np.int64]) -> None:
        self._roles, self._ontology = roles, roles.ontology
        self.subroles: list[tuple[tuple[int, ...], int, int]] = []
        self._domains: list[tuple[int, int, int]] = []
        self._ranges: list[tuple[int, int, int]] = []
        self._reflexive: list[tuple[int, int]] = []
        self._irreflexive: list[tuple[int, int]] = []
        self._functional: list[tuple[int, bool, int]] = []
        self.mirrored: list[tuple[int, int, int]] = []
        """(p, q, axiom): p⁻ = q."""
        self._unsupported: dict[int, str] = {}
        for axiom in axioms.tolist():
            node = int(self._ontology.axiom_nodes[axiom])
            self._read(Op(int(self._ontology.op[node])), self._ontology.arguments(node), axiom)

    def _read(self, op: Op, args: list[int], axiom: int) -> None:
        role, inverted = self._roles.split(args[0]) if op != Op.SubObjectPropertyOf else (-1, False)
        match op:
            case Op.SubObjectPropertyOf:
                chain = self._ontology.op[args[0]] == Op.ObjectPropertyChain
                self._subrole(self._ontology.arguments(args[0]) if chain else args[:1], args[1], axiom)
            case Op.EquivalentObjectProperties:
                for other in args[1:]:
                    self._subrole([args[0]], other, axiom)
                    self._subrole([other], args[0], axiom)
            case Op.InverseObjectProperties:
                self._inverse((role, inverted), self._roles.split(args[1]), axiom)
            case Op.SymmetricObjectProperty:
                self._inverse((role, False), (role, False), axiom)
            case Op.TransitiveObjectProperty:
                self.subroles.append(((role, role), role, axiom))
            case Op.ReflexiveObjectProperty:
                self._reflexive.append((role, axiom))
            case Op.IrreflexiveObjectProperty | Op.AsymmetricObjectProperty:
                self._irreflexive.append((role, axiom))
                if op == Op.AsymmetricObjectProperty:
                    self._unsupported[axiom] = op.name
            case Op.ObjectPropertyDomain | Op.ObjectPropertyRange:
                # the domain of R⁻ is the range of R
                is_range = (op == Op.ObjectPropertyRange) != inverted
                (self._ranges if is_range else self._domains).append((role, args[1], axiom))
            case _:
                self._unsupported[axiom] = op.name
                if op in (Op.FunctionalObjectProperty, Op.InverseFunctionalObjectProperty):
                    of_inverse = (op == Op.InverseFunctionalObjectProperty) != inverted
                    self._functional.append((role, of_inverse, axiom))

    def _subrole(self, chain: Sequence[int], superrole: int, axiom: int) -> None:
        parts = [self._roles.split(part) for part in chain]
        role, inverted = self._roles.split(superrole)
        if all(i == inverted or r == TOP_ROLE for r, i in parts):
            # R⁻ ∘ S⁻ ⊑ T⁻ is S ∘ R ⊑ T
            ids = [r for r, _ in (reversed(parts) if inverted else parts)]
            self.subroles.append((tuple(ids), role, axiom))
        else:
            self._unsupported[axiom] = Op.ObjectInverseOf.name
            ids = [self._roles.inverse(r) if i else r for r, i in parts]
            self.subroles.append((tuple(ids), self._roles.inverse(role) if inverted else role, axiom))

    def _inverse(self, left: tuple[int, bool], right: tuple[int, bool], axiom: int) -> None:
        # the universal and the empty role are their own inverses
        if left[1] != right[1] or {left[0], right[0]} & {TOP_ROLE, self._roles.bottom}:
            self.subroles += [((left[0],), right[0], axiom), ((right[0],), left[0], axiom)]
            return
        name = Op(int(self._ontology.op[self._ontology.axiom_nodes[axiom]])).name
        self._unsupported[axiom] = name
        self.mirrored.append((left[0], right[0], axiom))

    def completed(self, rows: Rows) -> RoleFacts:
        """All they say, once more for each inverse that has been asked for; what is of roles alone goes into rows."""
        inverses = self._roles.inverses
        mirrored = [(p, q) for p, q, _ in self.mirrored]
        for p, q, axiom in self.mirrored:
            for role, other in {(p, q), (q, p)}:
                if role in inverses:
                    self.subroles += [((inverses[role],), other, axiom), ((other,), inverses[role], axiom)]
        for chain, role, axiom in list(self.subroles):
            if role in inverses and all(part in inverses for part in chain):
                self.subroles.append((tuple(inverses[p] for p in reversed(chain)), inverses[role], axiom))
        self._ranges += [(inverses[role], node, axiom) for role, node, axiom in self._domains if role in inverses]
        self._domains += [(inverses[role], node, axiom) for role, node, axiom in self._ranges if role in inverses]
        self._reflexive += [(inverses[role], axiom) for role, axiom in self._reflexive if role in inverses]
        for chain, role, axiom in self.subroles:
            self._add_chain(chain, role, axiom, rows)
        for role, axiom in self._reflexive:
            rows.add("reflexive", role, axiom)
        for role, axiom in self._irreflexive:
            rows.add("left_self", role, BOTTOM, axiom)
        if self._roles.bottom >= 0:
            rows.add("left_existential", self._roles.bottom, TOP, BOTTOM, BY_DEFINITION)
        return RoleFacts(
            tuple(self.subroles),
            tuple(self._domains),
            tuple(self._ranges),
            tuple(self._reflexive),
            tuple(
                (inverses[role] if of_inverse else role, axiom)
                for role, of_inverse, axiom in self._functional
                if not of_inverse or role in inverses
            ),
            tuple(sorted({pair for p, q in [*inverses.items(), *mirrored] for pair in ((p, q), (q, p))})),
            self._unsupported,
            self._roles,
        )

    def _add_chain(self, chain: tuple[int, ...], role: int, axiom: int, rows: Rows) -> None:
        if self._roles.bottom in chain or role == TOP_ROLE:
            return
        if len(chain) == 1:
            rows.add("subrole", chain[0], role, axiom)
            return
        start = chain[0]
        for part in chain[1:-1]:
            longer = self._roles.beginning(start, part)
            rows.add("chain", start, part, longer, BY_DEFINITION)
            start = longer
        rows.add("chain", start, chain[-1], role, axiom)
