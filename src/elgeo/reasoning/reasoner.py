"""`Reasoner`: ask an ontology what follows from it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

import numpy as np

from elgeo import ontology
from elgeo.ontology.model import Ontology
from elgeo.ontology.normal_forms import NormalForms
from elgeo.ontology.vocabulary import BOTTOM, TOP, Kind
from elgeo.reasoning.saturation import Saturation, saturate


class Reasoner:
    """What follows from an ontology in EL++.

    Saturates at the first question. Names may be given as everywhere: IRI, CURIE, fragment, label.
    """

    def __init__(self, forms: NormalForms | Ontology) -> None:
        self.forms: NormalForms = ontology.normalise(forms) if isinstance(forms, Ontology) else forms

    @cached_property
    def saturation(self) -> Saturation:
        """All subsumers and links."""
        return saturate(self.forms)

    @property
    def consistent(self) -> bool:
        """Whether the ontology has a model."""
        return self.saturation.consistent

    def unsatisfiable(self) -> list[str]:
        """The named classes that can have no instance."""
        found = self.saturation.unsatisfiable & (self.forms.vocabulary.class_kinds == Kind.NAMED)
        return self._names(np.flatnonzero(found))

    def superclasses(self, name: str) -> list[str]:
        """The named classes above a class, itself and owl:Thing left out; owl:Nothing where it is unsatisfiable."""
        class_id = self.forms.vocabulary.class_id(name)
        if self.saturation.unsatisfiable[class_id]:
            return self._names([BOTTOM])
        kinds = self.forms.vocabulary.class_kinds
        return self._names(
            d for d in self.saturation.subsumers_of(class_id) if kinds[d] == Kind.NAMED and d not in (class_id, TOP)
        )

    def _names(self, ids: Iterable[int]) -> list[str]:
        names = self.forms.vocabulary.classes
        return [names[int(i)] for i in ids]
