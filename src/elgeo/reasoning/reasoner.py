"""`Reasoner`: ask an ontology what follows from it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from elgeo import ontology
from elgeo.ontology.model import Ontology
from elgeo.ontology.normal_forms import NormalForms
from elgeo.ontology.vocabulary import BOTTOM, TOP, Kind
from elgeo.reasoning.saturation import Saturation, saturate

if TYPE_CHECKING:
    from elgeo.reasoning.answers import Answers
    from elgeo.reasoning.closure import Closure
    from elgeo.reasoning.proofs import Proof


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

    def entails(self, axiom: str | tuple[str, Sequence[int]]) -> bool:
        """Whether an axiom follows; text, or the name of a normal form and a row of ids.

        >>> reasoner.entails("GO:0000001 SubClassOf part_of some GO:0005575")  # doctest: +SKIP
        True
        """
        if isinstance(axiom, str):
            return self.answers.entails(self.answers.question(axiom))
        return bool(self.closure().contains(axiom[0], [axiom[1]])[0])

    def verdict(self, axiom: str | tuple[str, Sequence[int]]) -> str:
        """`entailed`, `not entailed`, or `contradicts`: its addition would make its left side unsatisfiable."""
        return self.answers.verdict(self.answers.question(axiom))

    def explain(self, axiom: str | tuple[str, Sequence[int]]) -> Proof:
        """A proof, from a minimal set of axioms, of an axiom that follows or contradicts."""
        return self.answers.explain(self.answers.question(axiom))

    def justifications(self, axiom: str | tuple[str, Sequence[int]], limit: int | None = None) -> list[list[str]]:
        """The minimal sets of axioms that an entailed or contradicting axiom rests on, in functional syntax."""
        source = self.forms.source
        found = self.answers.justifications(self.answers.question(axiom), limit)
        return [[source.text(int(source.axiom_nodes[i])) for i in sorted(axioms)] for axioms in found if source]

    def closure(self, mode: str = "complete") -> Closure:
        """Everything entailed in each normal form; `complete`, or `paper` for the published approximation."""
        from elgeo.reasoning.closures import closure_of

        if mode not in self._closures:
            self._closures[mode] = closure_of(self.saturation, mode)
        return self._closures[mode]

    @cached_property
    def answers(self) -> Answers:
        """What decides and explains axioms."""
        # classification starts without what answers need
        from elgeo.reasoning.answers import Answers

        return Answers(self.saturation)

    @cached_property
    def _closures(self) -> dict[str, Closure]:
        return {}

    def _names(self, ids: Iterable[int]) -> list[str]:
        names = self.forms.vocabulary.classes
        return [names[int(i)] for i in ids]
