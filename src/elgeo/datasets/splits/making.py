"""Makes the dataset for a division of the axioms of a pattern; called again when the division changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Ints
from elgeo.datasets.assemble import OBSOLETE, assemble
from elgeo.datasets.model import Dataset
from elgeo.datasets.named_pairs import NamePair
from elgeo.datasets.splits.coldness import unseen
from elgeo.datasets.splits.elsewhere import taken_apart
from elgeo.datasets.splits.patterns import Pattern
from elgeo.errors import SettingError
from elgeo.keys import contained
from elgeo.ontology.expressions import Op
from elgeo.ontology.model import Ontology

PARTS = ("train", "valid", "test")


@dataclass(frozen=True, eq=False)
class TargetAxioms:
    """The axioms among which some are held out."""

    text: str
    """How the user calls them."""
    pattern: Pattern
    nodes: Ints
    """The axioms, and in `pairs` their heads and tails."""
    pairs: Ints
    kind_of: Callable[[str, bool], str]
    """The kind of a class or individual by its IRI."""


@dataclass(frozen=True, eq=False)
class Maker:
    """Everything of a split but the division itself."""

    name: str
    ontology: Ontology
    target: TargetAxioms
    others: Mapping[int, Sequence[int]]
    """For an axiom of the target, others that say it too."""
    record: Mapping[str, Any]

    @cached_property
    def names(self) -> list[NamePair]:
        """The axioms as pairs of IRIs."""
        return [(self.ontology.string(head), self.ontology.string(tail)) for head, tail in self.target.pairs.tolist()]

    def __call__(self, part_of: NDArray[np.int8], removed: Ints) -> Dataset:
        """`part_of` each match: 0 train, 1 valid, 2 test; `removed`: further axiom nodes to leave out."""
        ontology, replaced = self.apart(part_of)
        away = np.concatenate([self.target.nodes[part_of != 0], removed, replaced])
        train = replace(
            ontology,
            axiom_nodes=ontology.axiom_nodes[~np.isin(ontology.axiom_nodes, away)],
            declared=np.union1d(ontology.declared, self.target.pairs.ravel()).astype(np.int32),
        )
        division = np.where((part_of == 0) & np.isin(self.target.nodes, removed), -1, part_of)
        parts = {
            part: [self.names[i] for i in np.flatnonzero(division == number).tolist()]
            for number, part in enumerate(PARTS)
        }
        head_kind, tail_kind = self._kinds([pair for some in parts.values() for pair in some])
        return assemble(
            name=self.name,
            ontology=train,
            role=self.target.pattern.role,
            parts=parts,
            kind_of=self._kind_of,
            head_kind=head_kind,
            tail_kind=tail_kind,
            record=self.record,
            individuals=self._are_individuals,
        )

    def settled(self, part_of: NDArray[np.int8], removed: Ints, warm: bool) -> tuple[Dataset, NDArray[np.int8]]:
        """The dataset, with held-out axioms back in training that it says in other words, or, if it is to be `warm`,
        of whose classes it has none; and the division that is left."""
        while True:
            dataset = self(part_of, removed)
            rows = np.concatenate([dataset.valid, dataset.test])
            wrong = contained(rows, dataset.forms[dataset.target_form])
            if warm:
                wrong |= unseen(dataset)
            if not wrong.any():
                return dataset, part_of
            classes = dataset.vocabulary.classes
            back = {(classes[row[0]], classes[row[-1]]) for row in rows[wrong].tolist()}
            part_of = np.where([pair in back for pair in self.names], 0, part_of).astype(np.int8)
            for number, part in enumerate(PARTS):
                if not (part_of == number).any() and len(getattr(dataset, part)):
                    raise SettingError(
                        f"training says every {part} axiom in other words, or not all of its classes: hold out more"
                    )

    def apart(self, part_of: NDArray[np.int8]) -> tuple[Ontology, Ints]:
        """The ontology with what definitions say besides held-out axioms, and the definitions this stands for."""
        away: dict[int, list[tuple[int, int]]] = {}
        if self.target.pattern.op == Op.SubClassOf:
            for axiom in self.target.nodes[part_of > 0].tolist():
                for other in self.others.get(axiom, ()):
                    head, conjunct = self.ontology.arguments(axiom)
                    away.setdefault(other, []).append((head, conjunct))
        return taken_apart(self.ontology, away) if away else (self.ontology, np.array([], np.int32))

    def _kind_of(self, iri: str, is_individual: bool) -> str:
        """What is not to be used any more is no candidate, unless an axiom of the target speaks of it."""
        return OBSOLETE if iri in self._gone and not is_individual else self.target.kind_of(iri, is_individual)

    @cached_property
    def _gone(self) -> set[str]:
        return {*self.ontology.deprecated} - {name for pair in self.names for name in pair}

    @cached_property
    def _are_individuals(self) -> tuple[bool, bool]:
        """Whether heads are individuals, and whether tails are; all of a pattern are alike."""
        head, tail = (bool(self.ontology.op[node] == Op.NamedIndividual) for node in self.target.pairs[0])
        return head, tail

    def _kinds(self, pairs: list[NamePair]) -> tuple[str, str]:
        """The kinds of heads and tails; a target has one of each, so a mixture is an error."""
        found = []
        for side, word in ((0, "left"), (1, "right")):
            counts = Counter(self.target.kind_of(pair[side], self._are_individuals[side]) for pair in pairs)
            if len(counts) > 1:
                mixture = ", ".join(f"{n:,} {kind}" for kind, n in counts.most_common())
                raise SettingError(
                    f"the {word} sides of {self.target.text!r} are of several kinds ({mixture}): change --kind"
                )
            found.append(next(iter(counts)))
        return found[0], found[1]
