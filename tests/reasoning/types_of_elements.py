"""A slow, exact judge of small ontologies with ∀, ⊔ and functional roles: all types of elements, and which can exist.

A type is the set of names that an element is in. Types that break an axiom about one element go first; then, again and
again, those that need a neighbour which no type left can be. Without inverses, chains and individuals what is left is
what can exist.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import NamedTuple

Names = frozenset[str]


class Axiom(NamedTuple):
    """`left` and, where there is a role, having it, is in the union of `right`, by the role `only` if there is one."""

    left: Names
    right: Names
    some: str = ""
    """∃some.right instead of right, which has one name then."""
    only: str = ""
    """∀only.right instead of right."""
    has: str = ""
    """Besides `left`, ∃has.filler."""
    filler: str = ""

    def text(self) -> str:
        """In the functional syntax of `small`."""
        left = [*sorted(self.left)]
        left += [f"ObjectSomeValuesFrom({self.has} {self.filler or 'Thing'})"] if self.has else []
        right = _several("ObjectUnionOf", sorted(self.right), "Nothing")
        for role, word in ((self.some, "ObjectSomeValuesFrom"), (self.only, "ObjectAllValuesFrom")):
            right = f"{word}({role} {right})" if role else right
        return f"SubClassOf({_several('ObjectIntersectionOf', left, 'Thing')} {right})"


def _several(word: str, parts: list[str], none: str) -> str:
    return none if not parts else parts[0] if len(parts) == 1 else f"{word}({' '.join(parts)})"


class Ontology(NamedTuple):
    axioms: tuple[Axiom, ...]
    above: dict[str, frozenset[str]]
    """Each role with itself and all roles above it."""
    functional: frozenset[str]

    def text(self) -> str:
        """In the functional syntax of `small`."""
        roles = [f"SubObjectPropertyOf({r} {s})" for r, up in sorted(self.above.items()) for s in sorted(up) if r != s]
        roles += [f"FunctionalObjectProperty({r})" for r in sorted(self.functional)]
        return "\n".join([*(axiom.text() for axiom in self.axioms), *roles])

    def plus(self, axiom: Axiom) -> Ontology:
        return self._replace(axioms=(*self.axioms, axiom))

    def possible(self, names: Iterable[str]) -> set[Names]:
        """The types that can exist, of these names."""
        every = sorted(names)
        types = {frozenset(some) for k in range(len(every) + 1) for some in combinations(every, k)}
        types = {t for t in types if all(self._alone(t, axiom) for axiom in self.axioms)}
        while True:
            left = {t for t in types if self._has_neighbours(t, types)}
            if left == types:
                return types
            types = left

    @staticmethod
    def _alone(kind: Names, axiom: Axiom) -> bool:
        """What an axiom without roles says of one element."""
        return bool(axiom.some or axiom.only or axiom.has or not axiom.left <= kind or axiom.right & kind)

    def _may_lead(self, kind: Names, roles: frozenset[str], other: Names) -> bool:
        """Whether an element may have a neighbour of some type by some roles at once."""
        up = frozenset(s for role in roles for s in self.above[role])
        for axiom in self.axioms:
            if not axiom.left <= kind:
                continue
            if axiom.only in up and not axiom.right & other:
                return False
            leads = axiom.has in up and (not axiom.filler or axiom.filler in other)
            if leads and not axiom.right & kind:
                return False
        return True

    def _has_neighbours(self, kind: Names, types: set[Names]) -> bool:
        """What a functional role leads to is one element, whatever brings it there."""
        needs = [(axiom.some, axiom.right) for axiom in self.axioms if axiom.some and axiom.left <= kind]
        groups = [[need] for need in needs if not self.above[need[0]] & self.functional]
        groups += [[need for need in needs if f in self.above[need[0]]] for f in sorted(self.functional)]
        for group in groups:
            roles, wanted = (
                frozenset(role for role, _ in group),
                frozenset(name for _, right in group for name in right),
            )
            if group and not any(wanted <= t and self._may_lead(kind, roles, t) for t in types):
                return False
        return True
