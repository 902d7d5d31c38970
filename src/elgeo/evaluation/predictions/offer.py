"""Which classes may stand in a prediction: real ones, in use, of the role's domain and range, not too general."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from elgeo.arrays import Flags, Ids
from elgeo.datasets.model import Dataset
from elgeo.errors import UnknownNameError
from elgeo.evaluation.entailments import Entailments, real_classes
from elgeo.evaluation.ranking.scoring import Side
from elgeo.ontology.short_names import fragment
from elgeo.ontology.vocabulary import TOP, Kind, Vocabulary

FEW = 10
"""A class with at most so many candidates below it is never too general."""


class Offer:
    """The classes that may be predicted; what is left out is named by the words of `exclude`."""

    def __init__(self, dataset: Dataset, entailments: Entailments, exclude: Sequence[str], general: float) -> None:
        self.dataset, self.entailments, self.exclude, self.general = dataset, entailments, exclude, general

    def classes(self, side: Side) -> Ids:
        """Those that may stand on one side of a predicted axiom, ascending."""
        what = ("offered", side, frozenset(self.exclude), self.general)
        return self.entailments.once(what, lambda: self._classes(side))

    def _classes(self, side: Side) -> Ids:
        kind = self.dataset.tail_kind if side == "tail" else self.dataset.head_kind
        members = self.dataset.kinds.members(kind)
        offered = np.isin(members, real_classes(self.dataset))
        if "obsolete" in self.exclude:
            offered &= ~obsolete(self.dataset.vocabulary, members)
        if "domain" in self.exclude and self.dataset.target_role is not None:
            needed = self._range() if side == "tail" else self._domain()
            offered &= self._below_all(members, needed)
        if "general" in self.exclude:
            offered &= ~self._too_general(members)
        return members[offered]

    def _domain(self) -> Ids:
        """The classes D with ∃R.⊤ ⊑ D, for the role or one above it."""
        rows = self.dataset.forms.left_existential
        rows = rows[np.isin(rows[:, 0], self._roles_above()) & (rows[:, 1] == TOP)]
        return np.unique(rows[:, 2])

    def _range(self) -> Ids:
        """The named classes above what stands for the role's range."""
        rows = self.dataset.forms["range"]
        standing = rows[np.isin(rows[:, 0], self._roles_above()), 1]
        above = [self.entailments.hierarchy.superclasses(int(c)) for c in standing]
        found = np.unique(np.concatenate([standing[:0], *above]))
        return np.asarray(found[self.dataset.vocabulary.class_kinds[found] == Kind.NAMED], np.int32)

    def _roles_above(self) -> Ids:
        """The target role and those above it in the role hierarchy."""
        rows, found = self.dataset.forms.subrole, {self.dataset.target_role}
        while new := {int(s) for r, s in rows.tolist() if r in found} - found:
            found |= new
        return np.array(sorted(role for role in found if role is not None), np.int32)

    def _below_all(self, members: Ids, needed: Ids) -> Flags:
        """Whether each member is below every class that is needed; where no member is, the axiom is not a guide."""
        if not len(needed):
            return np.ones(len(members), np.bool_)
        hierarchy = self.entailments.hierarchy
        below = np.array([np.isin(needed, hierarchy.superclasses(int(c))).all() for c in members], np.bool_)
        return below if below.any() else np.ones(len(members), np.bool_)

    def _too_general(self, members: Ids) -> Flags:
        """Whether more than a share of the members, and more than a few, are strictly below each."""
        hierarchy = self.entailments.hierarchy
        above = np.concatenate([members[:0], *(hierarchy.superclasses(int(c)) for c in members)])
        below = np.bincount(above, minlength=self.dataset.vocabulary.n_classes)[members] - 1
        return np.asarray(below > max(FEW, self.general * len(members)))


def obsolete(names: Vocabulary, classes: Ids) -> Flags:
    """Whether each class is deprecated, or its label begins with `obsolete`, as editors mark what no longer counts."""
    labelled = [names.class_label(int(c)).lower().startswith("obsolete") for c in classes]
    return np.asarray(names.deprecated_classes[classes] | np.array(labelled, np.bool_))


def class_named(names: Vocabulary, given: str) -> int:
    """The class a user means; a protein may be named without its species (`YAL001C` for `4932.YAL001C`)."""
    try:
        return names.class_id(given)
    except UnknownNameError:
        ending = f".{given.strip()}"
        found = [c for c, iri in enumerate(names.classes) if iri.endswith(ending) and fragment(iri) != iri]
        if len(found) != 1:
            raise
        return found[0]
