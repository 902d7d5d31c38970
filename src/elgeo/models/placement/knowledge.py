"""What an ontology says of its classes that a new term can be compared with: their words and what is told of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from scipy import sparse

from elgeo.arrays import Flags, Ids, Places
from elgeo.datasets.model import Dataset
from elgeo.errors import ElgeoError
from elgeo.models.atlas.contexts.logic import Matrix, indicator
from elgeo.models.placement.hierarchy import ToldHierarchy, reduced, without
from elgeo.models.placement.patterns import Relation
from elgeo.models.placement.terms import Term
from elgeo.models.placement.texts import BLOCKS, WordBlock
from elgeo.models.placement.vectors import VectorBlock
from elgeo.ontology.short_names import fragment
from elgeo.ontology.vocabulary import Kind

VECTORS = "vectors"
FEWEST = 5
"""Axioms that a role has to have in training if it is to be suggested."""


@dataclass(frozen=True, eq=False)
class Knowledge:
    """The named classes that are in use, numbered anew, with their texts and told relations."""

    dataset: Dataset
    ids: Ids
    """Class ids."""
    terms: tuple[Term, ...]
    whole: tuple[Knowledge, Flags] | None = None
    """What this is a part of, and which of the classes there are here."""

    vectors: Path | None = None
    """A file of the user's own vectors."""

    @classmethod
    def of(cls, dataset: Dataset, vectors: Path | None = None) -> Knowledge:
        names, texts = dataset.vocabulary, dataset.texts
        used = (names.class_kinds == Kind.NAMED) & ~names.deprecated_classes
        ids = np.flatnonzero(used).astype(np.int32)
        terms = tuple(
            Term.of(texts.labels[c] or fragment(names.classes[c]), texts.synonyms[c], texts.definitions[c])
            for c in ids.tolist()
        )
        return cls(dataset, ids, terms, vectors=vectors)

    def without(self, away: Flags) -> Knowledge:
        """The same if there were no such classes; what is below them is below what they are below."""
        kept = ~away
        terms = tuple(term for term, stays in zip(self.terms, kept.tolist(), strict=True) if stays)
        return Knowledge(self.dataset, self.ids[kept], terms, (self, kept))

    def check(self) -> None:
        """Refuse an ontology without words."""
        if not any(self.dataset.texts.labels):
            name = self.dataset.name
            raise ElgeoError(f"{name} has no labels: there are no words to compare those of a new term with")

    @cached_property
    def place(self) -> Places:
        """The number of each class id here, -1 for others."""
        found = np.full(self.dataset.vocabulary.n_classes, -1, np.int64)
        found[self.ids] = np.arange(len(self.ids))
        return found

    @cached_property
    def told(self) -> dict[int | None, Matrix]:
        """By role (None: C ⊑ D) what training says, rows C and columns D; no C ⊑ D that follows from others."""
        if self.whole is not None:
            whole, kept = self.whole
            inside = np.flatnonzero(kept)
            others = {role: sparse.csr_array(m[inside][:, inside]) for role, m in whole.told.items()}
            return {**others, None: without(whole.told[None], kept)}
        forms, n = self.dataset.forms, len(self.ids)
        tables = {None: forms.subclass[:, [0, 1]]}
        for role in np.unique(forms.existential[:, 1]).tolist():
            tables[role] = forms.existential[forms.existential[:, 1] == role][:, [0, 2]]
        found: dict[int | None, Matrix] = {}
        for role, table in tables.items():
            rows, columns = self.place[table].T
            known = (rows >= 0) & (columns >= 0) & (rows != columns)
            if role is None or known.sum() >= FEWEST:
                found[role] = indicator(rows[known], columns[known], (n, n))
        found[None] = reduced(found[None])
        return found

    @property
    def roles(self) -> list[int]:
        """The roles that can be suggested."""
        return [role for role in self.told if role is not None]

    @cached_property
    def relations(self) -> dict[int, list[Relation]]:
        """What is told of each class, by numbers here."""
        found: dict[int, list[Relation]] = {}
        for role, matrix in self.told.items():
            listed = sparse.coo_array(matrix)
            for head, tail in zip(listed.row.tolist(), listed.col.tolist(), strict=True):
                found.setdefault(head, []).append((role, tail))
        return found

    @cached_property
    def hierarchy(self) -> ToldHierarchy:
        return ToldHierarchy(self.told[None])

    @cached_property
    def parents(self) -> dict[int, list[int]]:
        return {head: [end for role, end in ends if role is None] for head, ends in self.relations.items()}

    @cached_property
    def blocks(self) -> dict[str, WordBlock | VectorBlock]:
        """The texts of all classes; a block in which nothing is said is left out."""
        if self.whole is not None:
            whole, kept = self.whole
            parts = {name: block.only(kept) for name, block in whole.blocks.items()}
            return {name: block for name, block in parts.items() if block.rows.nnz}
        made: dict[str, WordBlock | VectorBlock] = {
            name: WordBlock(cut, texts_of, self.terms) for name, (cut, texts_of) in BLOCKS.items()
        }
        if self.vectors is not None:
            made[VECTORS] = VectorBlock(self.vectors, self.dataset.vocabulary, self.ids)
        return {name: block for name, block in made.items() if block.rows.nnz}
