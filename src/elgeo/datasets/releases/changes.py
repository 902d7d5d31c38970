"""What became of the axioms of one shape: which came, which of them followed already, which went."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from elgeo.arrays import Flags
from elgeo.datasets.named_pairs import NamePair
from elgeo.datasets.releases.succession import Succession
from elgeo.datasets.splits.patterns import Pattern, matches
from elgeo.ontology import normalise
from elgeo.ontology.expressions import Op
from elgeo.ontology.model import Builder, Ontology
from elgeo.reasoning.closure.complete import CompleteClosure
from elgeo.reasoning.saturation.saturate import saturate


def told(ontology: Ontology, pattern: Pattern) -> set[NamePair]:
    """Heads and tails of the axioms of a shape."""
    _, pairs = matches(ontology, pattern)
    return {(ontology.string(head), ontology.string(tail)) for head, tail in pairs.tolist()}


class Release:
    """An ontology that is asked what follows from it."""

    def __init__(self, ontology: Ontology) -> None:
        self.ontology = ontology

    @cached_property
    def _closure(self) -> CompleteClosure:
        return CompleteClosure(saturate(normalise(self.ontology)))

    @cached_property
    def _ids(self) -> tuple[Mapping[str, int], Mapping[str, int]]:
        names = self._closure.saturation.forms.vocabulary
        # of a class and an individual of one name the class comes first
        classes = {name: i for i, name in reversed(list(enumerate(names.classes)))}
        return classes, {name: i for i, name in enumerate(names.roles)}

    def entails(self, pattern: Pattern, pairs: list[NamePair]) -> Flags:
        """Whether each axiom of the shape follows; one with a name that the ontology does not have does not."""
        classes, roles = self._ids
        flags = np.zeros(len(pairs), np.bool_)
        known = [i for i, pair in enumerate(pairs) if pair[0] in classes and pair[1] in classes]
        if not known or (pattern.role is not None and pattern.role not in roles):
            return flags
        rows = np.array([[classes[name] for name in pairs[i]] for i in known], np.int32)
        if pattern.role is not None:
            rows = np.insert(rows, 1, roles[pattern.role], axis=1)
        flags[known] = self._closure.contains(pattern.form, rows)
        return flags


def with_successors(old: Ontology, succession: Succession) -> Ontology:
    """The old release, in which what is gone equals the old class that is used instead."""
    builder = Builder.resume(old)
    for gone, instead in succession.followed.items():
        if instead in succession.old:
            builder.axiom(Op.EquivalentClasses, builder.entity(Op.Class, gone), builder.entity(Op.Class, instead))
    return builder.finish()


@dataclass(frozen=True)
class Changes:
    """Axioms of one shape as pairs of IRIs, sorted. All ends are classes of both releases, unless said."""

    pattern: Pattern
    trained: list[NamePair]
    """What the old release says, between classes it uses."""
    held_out: list[NamePair]
    """What the new one says and the old one does not entail."""
    entailed: list[NamePair] = field(default_factory=list)
    """What the new one says, the old one does not say, but entails."""
    moved: list[NamePair] = field(default_factory=list)
    """Those held out that the old release entails of a class which one of them took the place of."""
    followed: list[NamePair] = field(default_factory=list)
    """What the new release says of classes with new ids, told of the old ids, and the old one does not entail."""
    removed: list[NamePair] = field(default_factory=list)
    """What the old one says and the new one does not entail."""
    rephrased: int = 0
    """How many axioms the old one says and the new one does not say, but entails."""
    of_new: list[NamePair] = field(default_factory=list)
    """What the new one says of a class that only it has, about one of both."""

    def counts(self) -> dict[str, int]:
        return {
            "trained": len(self.trained),
            "came": len(self.held_out) + len(self.entailed),
            "entailed": len(self.entailed),
            "held_out": len(self.held_out),
            "moved": len(self.moved),
            "followed": len(self.followed),
            "removed": len(self.removed),
            "rephrased": self.rephrased,
            "of_new_terms": len(self.of_new),
            "new_terms": len({head for head, _ in self.of_new}),
        }


def changes(pattern: Pattern, old: Release, merged: Release, new: Release, names: Succession) -> Changes:
    """Compare the axioms of a shape; `merged` is the old release with successors."""
    before, after = told(old.ontology, pattern), told(new.ontology, pattern)
    came = sorted(pair for pair in after - before if names.kept.issuperset(pair))
    novel = ~old.entails(pattern, came)
    held_out = [pair for pair, is_novel in zip(came, novel.tolist(), strict=True) if is_novel]
    went = sorted(pair for pair in before - after if names.kept.issuperset(pair))
    lost = ~new.entails(pattern, went)
    back = names.renamed
    renamed = sorted(
        {
            ends
            for head, tail in after
            if head in back or tail in back
            if names.old.issuperset(ends := (back.get(head, head), back.get(tail, tail))) and ends[0] != ends[1]
        }
    )
    return Changes(
        pattern,
        trained=sorted(pair for pair in before if names.old.issuperset(pair)),
        held_out=held_out,
        entailed=_chosen(came, ~novel),
        moved=_chosen(held_out, merged.entails(pattern, held_out)),
        followed=_chosen(renamed, ~merged.entails(pattern, renamed)),
        removed=_chosen(went, lost),
        rephrased=int((~lost).sum()),
        of_new=sorted(
            pair for pair in after if pair[0] not in names.old and pair[0] in names.new and pair[1] in names.kept
        ),
    )


def _chosen(pairs: Iterable[NamePair], flags: Flags) -> list[NamePair]:
    return [pair for pair, flag in zip(pairs, flags.tolist(), strict=True) if flag]
