"""`Vocabulary`: the names behind the integers of the normal forms, and the ways users write them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from elgeo.errors import UnknownNameError

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

    @property
    def n_classes(self) -> int:
        return len(self.class_kinds)

    @property
    def n_roles(self) -> int:
        return len(self.role_kinds)

    def class_id(self, name: str) -> int:
        """The id of a class or individual given as IRI, CURIE, fragment or label."""
        return self._find(name, self._class_ids, self._class_short, "class")

    def role_id(self, name: str) -> int:
        """The id of a role given as IRI, CURIE, fragment or label."""
        return self._find(name, self._role_ids, self._role_short, "role")

    def class_label(self, class_id: int) -> str:
        """What to show a person: the label, or else the short form of the IRI, or the fresh expression."""
        name = self.classes[class_id]
        return self.labels.get(name) or short_form(name)

    def role_label(self, role_id: int) -> str:
        name = self.roles[role_id]
        return self.labels.get(name) or short_form(name)

    @cached_property
    def _class_ids(self) -> dict[str, int]:
        return _real_ids(self.classes, self.class_kinds)

    @cached_property
    def _role_ids(self) -> dict[str, int]:
        return _real_ids(self.roles, self.role_kinds)

    @cached_property
    def _class_short(self) -> dict[str, list[int]]:
        return self._short_names(self._class_ids)

    @cached_property
    def _role_short(self) -> dict[str, list[int]]:
        return self._short_names(self._role_ids)

    def _short_names(self, ids: dict[str, int]) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for iri, i in ids.items():
            label = self.labels.get(iri, iri)
            # people write the label "part of" as part_of, too
            for name in {short_form(iri), fragment(iri), label, label.replace(" ", "_")}:
                found.setdefault(name, []).append(i)
        names_in_use = set(found)
        for alternative, iri in self.alternatives.items():
            if iri in ids:
                # a name in use wins over one that only points to another
                for name in {short_form(alternative), fragment(alternative)} - names_in_use:
                    found.setdefault(name, []).append(ids[iri])
        return found

    def _find(self, name: str, ids: dict[str, int], short: dict[str, list[int]], what: str) -> int:
        bare = name.strip()
        if bare.startswith("<") and bare.endswith(">"):
            bare = bare[1:-1]
        iri = self.alternatives.get(bare, bare)
        if iri in ids:
            return ids[iri]
        prefix, colon, local = bare.partition(":")
        if colon and prefix in self.prefixes:
            iri = self.prefixes[prefix] + local
            iri = self.alternatives.get(iri, iri)
            if iri in ids:
                return ids[iri]
        unquoted = bare.strip("\"'")
        candidates = sorted(set(short.get(bare, []) or short.get(unquoted, [])))
        if len(candidates) == 1:
            return candidates[0]
        if candidates:
            names = self.classes if what == "class" else self.roles
            options = ", ".join(f"<{names[i]}>" for i in candidates[:5])
            raise UnknownNameError(f"{name!r} could be any of {options}: give the whole IRI")
        raise UnknownNameError(f"no {what} is called {name!r}: give an IRI, a CURIE, a fragment or a label")


def fragment(iri: str) -> str:
    """What follows the last `#` or `/` of an IRI."""
    return iri[max(iri.rfind("#"), iri.rfind("/")) + 1 :] or iri


def short_form(iri: str) -> str:
    """The CURIE people write for an OBO IRI (`GO:0008150`), else the fragment; fresh expressions stay whole."""
    if "<" in iri:
        return iri
    local = fragment(iri)
    prefix, underscore, number = local.rpartition("_")
    return f"{prefix}:{number}" if underscore and prefix.isalpha() and number.isdigit() else local


def _real_ids(names: Sequence[str], kinds: NDArray[np.uint8]) -> dict[str, int]:
    # a punned IRI is a class first: individuals come later and do not overwrite it
    ids: dict[str, int] = {}
    for i in np.flatnonzero(kinds != Kind.FRESH):
        ids.setdefault(names[int(i)], int(i))
    return ids
