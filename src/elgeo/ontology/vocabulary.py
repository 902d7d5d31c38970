"""`Vocabulary`: the names behind the integers of the normal forms, and the ways users write them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from elgeo.ontology.lookup import Lookup
from elgeo.ontology.short_names import short_form

TOP, BOTTOM = 0, 1
"""The class ids of owl:Thing and owl:Nothing in every vocabulary."""
TOP_ROLE = 0
"""The role id of owl:topObjectProperty in every vocabulary."""


class Kind(IntEnum):
    """What a class or role id stands for."""

    BUILT_IN = 0
    NAMED = 1
    INDIVIDUAL = 2  # a nominal {a}; classes only
    FRESH = 3  # introduced by normalisation; its name is the expression it stands for


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """Names and kinds of class and role ids.

    Ids go: built-in (⊤, ⊥; the universal role), named in the order of the ontology, individuals, fresh. A fresh name
    is an expression in functional syntax: it has a `<`, which no IRI can have, so it can never equal one.
    """

    classes: Sequence[str]
    class_kinds: NDArray[np.uint8]
    roles: Sequence[str]
    role_kinds: NDArray[np.uint8]
    labels: Mapping[str, str] = field(default_factory=dict)
    synonyms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    definitions: Mapping[str, str] = field(default_factory=dict)
    prefixes: Mapping[str, str] = field(default_factory=dict)
    alternatives: Mapping[str, str] = field(default_factory=dict)
    deprecated: Collection[str] = ()
    """The IRIs of what is not to be used any more."""
    other_labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """IRI to the labels that are not shown, in other languages for instance."""

    def __repr__(self) -> str:
        kinds = {"built-in": Kind.BUILT_IN, "named": Kind.NAMED, "individuals": Kind.INDIVIDUAL, "fresh": Kind.FRESH}
        counts = ", ".join(f"{int((self.class_kinds == kind).sum()):,} {name}" for name, kind in kinds.items())
        return f"<Vocabulary: {self.n_classes:,} classes ({counts}), {self.n_roles:,} roles>"

    @property
    def n_classes(self) -> int:
        return len(self.class_kinds)

    @property
    def n_roles(self) -> int:
        return len(self.role_kinds)

    def class_id(self, name: str) -> int:
        """The id of a class or individual given as IRI, CURIE, fragment, label (in any language) or synonym."""
        return self._classes.find(name)

    def role_id(self, name: str) -> int:
        """The id of a role given as IRI, CURIE, fragment, label or synonym."""
        return self._roles.find(name)

    def class_label(self, class_id: int) -> str:
        """What to show a person: the label, or else the short form of the IRI, or the fresh expression."""
        name = self.classes[class_id]
        return self.labels.get(name) or short_form(name)

    def role_label(self, role_id: int) -> str:
        name = self.roles[role_id]
        return self.labels.get(name) or short_form(name)

    @cached_property
    def deprecated_classes(self) -> NDArray[np.bool_]:
        """Which class ids are not to be used any more: they are no candidates for anything new."""
        flags = np.zeros(self.n_classes, np.bool_)
        ids = self._classes.ids
        flags[[ids[iri] for iri in self.deprecated if iri in ids]] = True
        return flags

    @cached_property
    def _classes(self) -> Lookup:
        return self._lookup("class", _real_ids(self.classes, self.class_kinds))

    @cached_property
    def _roles(self) -> Lookup:
        return self._lookup("role", _real_ids(self.roles, self.role_kinds))

    def _lookup(self, what: str, ids: dict[str, int]) -> Lookup:
        return Lookup(what, ids, self.labels, self.synonyms, self.prefixes, self.alternatives, self.other_labels)


def _real_ids(names: Sequence[str], kinds: NDArray[np.uint8]) -> dict[str, int]:
    # a punned IRI is a class first: individuals come later and do not overwrite it
    ids: dict[str, int] = {}
    for i in np.flatnonzero(kinds != Kind.FRESH):
        ids.setdefault(names[int(i)], int(i))
    return ids
