"""What became of the names of a release: kept, gone, gone and followed by another, new."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from elgeo.ontology.expressions import NOTHING, THING, Op
from elgeo.ontology.model import Ontology


def living(ontology: Ontology) -> set[str]:
    """The classes that are in use: neither deprecated nor another id of some other class."""
    nodes = np.flatnonzero(ontology.op == Op.Class).tolist()
    found = {ontology.string(node) for node in nodes} - {THING, NOTHING}
    return found.difference(ontology.deprecated, ontology.alternatives)


@dataclass(frozen=True, eq=False)
class Succession:
    """The classes of two releases, by IRI."""

    old: set[str]
    new: set[str]
    followed: Mapping[str, str]
    """Old classes that are gone to the new class that is used instead."""

    @classmethod
    def of(cls, old: Ontology, new: Ontology) -> Succession:
        """Merged classes are followed through alternative ids, obsolete ones through what replaces them."""
        before, after = living(old), living(new)
        followed = {}
        for name in sorted(before - after):
            seen, instead = {name}, _instead(name, new)
            while instead is not None and instead not in after and instead not in seen:
                seen.add(instead)
                instead = _instead(instead, new)
            if instead in after:
                followed[name] = str(instead)
        return cls(before, after, followed)

    @cached_property
    def kept(self) -> set[str]:
        return self.old & self.new

    @cached_property
    def renamed(self) -> dict[str, str]:
        """New ids to the old class they took the place of, the first by name where there are several."""
        return {new: old for old, new in sorted(self.followed.items(), reverse=True) if new not in self.old}

    def backwards(self, old: Ontology, new: Ontology) -> bool:
        """Whether the old release rather looks like the newer one: it knows as gone what the other one uses."""
        gone_in_old = self.new & {*old.deprecated, *old.alternatives}
        gone_in_new = self.old & {*new.deprecated, *new.alternatives}
        return len(gone_in_old - self.old) > len(gone_in_new - self.new)


def _instead(name: str, new: Ontology) -> str | None:
    return new.alternatives.get(name) or new.replaced.get(name)
