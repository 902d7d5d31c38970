"""`PlacesLefts`: a model that has a place for C ⊓ D and ∃R.C, so that axioms with these on the left are scored."""

from __future__ import annotations

from abc import ABC, abstractmethod

from elgeo.arrays import Table
from elgeo.models.contract import Scorer

LEFT_FORMS = ("conjunction", "left_existential")
"""The forms whose left side is no class."""


class PlacesLefts(ABC):
    """A model that can score C ⊓ D ⊑ E and ∃R.C ⊑ D."""

    @abstractmethod
    def with_lefts(self, form: str, lefts: Table) -> Scorer:
        """Its scorer, in which the left side in row i, all columns of the form but the last, is one more class.

        The number of that class is the number of classes + i; it can be the head of C ⊑ D, and nothing else.
        """
