"""`Reasoner`: ask an ontology what follows from it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from elgeo import ontology
from elgeo.documents import shown
from elgeo.errors import ElgeoError, SettingError, UnknownNameError
from elgeo.ontology.model import Builder, Ontology
from elgeo.ontology.normal_forms import NormalForms
from elgeo.ontology.vocabulary import BOTTOM, Kind
from elgeo.reasoning.questions.additions import with_axioms
from elgeo.reasoning.questions.axiom_text import parse_axiom
from elgeo.reasoning.saturation.incremental import extend
from elgeo.reasoning.saturation.saturate import Saturation, saturate
from elgeo.reasoning.taxonomy.taxonomy import Taxonomy, taxonomy

if TYPE_CHECKING:
    from elgeo.reasoning.closure.base import Closure
    from elgeo.reasoning.proofs.proof import Proof
    from elgeo.reasoning.questions.answers import Answers


class Reasoner:
    """What follows from an ontology in EL++.

    Saturates at the first question. Names may be given as everywhere: IRI, CURIE, fragment, label.
    """

    def __init__(self, forms: NormalForms | Ontology) -> None:
        self.forms: NormalForms = ontology.normalise(forms) if isinstance(forms, Ontology) else forms

    def __repr__(self) -> str:
        return f"<Reasoner about {self.forms!r}>"

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
        return self._names(self._taxonomy.unsatisfiable)

    def add(self, axioms: Ontology | Iterable[str]) -> None:
        """Take further axioms, and go on from what is already derived.

        Text as for `entails`; whole IRIs in angle brackets may be new names. Role axioms make it start again.
        """
        source = self.forms.source
        if source is None:
            raise ElgeoError("axioms can only be added to forms that remember the ontology they were made of")
        if not isinstance(axioms, Ontology):
            builder = Builder()
            for text in axioms:
                parse_axiom(text, self.forms.vocabulary, builder)
            axioms = builder.finish()
        forms = ontology.normalise(with_axioms(source, axioms, axioms.axiom_nodes.tolist()))
        saturation = extend(self.saturation, forms) if "saturation" in vars(self) else None
        vars(self).clear()
        self.forms = forms
        if saturation is not None:
            vars(self)["saturation"] = saturation

    def taxonomy(self) -> Taxonomy:
        """The hierarchy of the named classes and the types of individuals, in ids; made once."""
        return self._taxonomy

    def superclasses(self, name: str, direct: bool = False) -> list[str]:
        """The other named classes that a class is below, equivalent ones too; owl:Nothing where it is unsatisfiable.

        `direct`: only those with nothing in between, and no equivalent ones. owl:Thing is left out.
        """
        class_id = self.forms.vocabulary.class_id(name)
        if self.saturation.unsatisfiable[class_id]:
            return self._names([BOTTOM])
        if direct:
            return self._names(self._taxonomy.direct_superclasses(class_id), Kind.NAMED)
        found = self.saturation.subsumers_of(class_id)
        return self._names(found[found != class_id], Kind.NAMED)

    def subclasses(self, name: str, direct: bool = False) -> list[str]:
        """The other named classes that are below a class, equivalent ones too; unsatisfiable classes are left out."""
        class_id = self.forms.vocabulary.class_id(name)
        if direct:
            return self._names(self._taxonomy.direct_subclasses(class_id), Kind.NAMED)
        found = self.saturation.subsumees_of(class_id)
        return self._names(found[(found != class_id) & ~self.saturation.unsatisfiable[found]], Kind.NAMED)

    def equivalents(self, name: str) -> list[str]:
        """The other classes equivalent to a class, or the other names of an individual."""
        class_id = self.forms.vocabulary.class_id(name)
        if self.saturation.unsatisfiable[class_id]:
            found = np.concatenate([[BOTTOM], self._taxonomy.unsatisfiable])
        else:
            found = self._taxonomy.members(int(self._taxonomy.representative[class_id]))
        return self._names(found[found != class_id])

    def instances(self, name: str, direct: bool = False) -> list[str]:
        """The individuals in a class; `direct`: in none below it."""
        class_id = self.forms.vocabulary.class_id(name)
        if direct:
            return self._names(self._taxonomy.direct_instances(class_id), Kind.INDIVIDUAL)
        return self._names(self.saturation.subsumees_of(class_id), Kind.INDIVIDUAL)

    def types(self, name: str, direct: bool = False) -> list[str]:
        """The named classes an individual is in; `direct`: the lowest."""
        individual = self._individual(name)
        if direct and self.consistent:
            return self._names(self._taxonomy.direct_superclasses(individual), Kind.NAMED)
        return self._names(self.saturation.subsumers_of(individual), Kind.NAMED)

    def query(self, expression: str, relation: str = "subclasses", direct: bool = False) -> list[str]:
        """What is in a relation to a class expression: `subclasses`, `superclasses`, `equivalent` or `instances`.

        >>> reasoner.query("part_of some 'cell'", "subclasses", direct=True)  # doctest: +SKIP
        """
        from elgeo.reasoning.questions.expression_queries import RELATIONS, ExpressionQuery

        if relation not in RELATIONS:
            raise SettingError(f"no relation is called {shown(relation)}; there are {', '.join(RELATIONS)}")
        return self._names(ExpressionQuery(expression, self._taxonomy).ids(relation, direct))

    def entails(self, axiom: str | tuple[str, Sequence[int]]) -> bool:
        """Whether an axiom follows; text, or the name of a normal form and a row of ids.

        >>> reasoner.entails("GO:0000001 SubClassOf part_of some GO:0005575")  # doctest: +SKIP
        True
        """
        if isinstance(axiom, str):
            return self.answers.entails(self.answers.question(axiom))
        return bool(self.closure().contains(axiom[0], [axiom[1]])[0])

    def verdict(self, axiom: str | tuple[str, Sequence[int]]) -> str:
        """`entailed`, `not entailed`, `undecided`, or `contradicts`: it would make its left side unsatisfiable."""
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
        from elgeo.reasoning.closure.modes import closure_of

        if mode not in self._closures:
            self._closures[mode] = closure_of(self.saturation, mode)
        return self._closures[mode]

    @cached_property
    def answers(self) -> Answers:
        """What decides and explains axioms."""
        # classification starts without what answers need
        from elgeo.reasoning.questions.answers import Answers

        return Answers(self.saturation)

    @cached_property
    def _closures(self) -> dict[str, Closure]:
        return {}

    def _individual(self, name: str) -> int:
        found = self.forms.vocabulary.class_id(name)
        kinds, names = self.forms.vocabulary.class_kinds, self.forms.vocabulary.classes
        # a name may be a class and an individual at once: then `class_id` gives the class
        same = [i for i in np.flatnonzero(kinds == Kind.INDIVIDUAL).tolist() if names[i] == names[found]]
        if not same:
            raise UnknownNameError(f"{shown(name)} is a class, not an individual")
        return int(same[0])

    @cached_property
    def _taxonomy(self) -> Taxonomy:
        return taxonomy(self.saturation)

    def _names(self, ids: Iterable[int], kind: Kind | None = None) -> list[str]:
        vocabulary = self.saturation.forms.vocabulary
        names, kinds = vocabulary.classes, vocabulary.class_kinds
        return [names[int(i)] for i in ids if kind is None or kinds[i] == kind]
