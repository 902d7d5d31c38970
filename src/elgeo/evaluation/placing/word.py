"""The reasoner's word on suggestions for a new term: what contradicts, what is redundant, what follows."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from elgeo.datasets.model import Dataset
from elgeo.documents import shown
from elgeo.errors import SettingError
from elgeo.ontology.expressions import Op
from elgeo.ontology.model import Builder, Ontology
from elgeo.ontology.vocabulary import Vocabulary
from elgeo.ontology.writing.functional import functional_lines
from elgeo.ontology.writing.manchester import manchester_texts
from elgeo.reasoning import Reasoner
from elgeo.reasoning.closure.base import Closure
from elgeo.reasoning.questions.axiom_text import parse_class
from elgeo.reasoning.questions.expression_queries import ExpressionQuery

_AXIOM = re.compile(r"\s*NEW\s+SubClassOf:?\s+(?P<right>.+)", re.DOTALL)


class Word:
    """Answers about a class below some expressions."""

    def __init__(self, dataset: Dataset) -> None:
        self._names = dataset.vocabulary
        self._reasoner = Reasoner(dataset.forms)

    def right_sides(self, axioms: Sequence[str]) -> list[str]:
        """What a new class is told to be below; an axiom of another shape, or with an unknown name, is an error."""
        found = [_right_side(axiom) for axiom in axioms]
        for right in found:
            self._query([right])
        return found

    def named(self, class_id: int, role: int | None = None) -> str:
        """A class, or a role to it, as an expression."""
        name = f"<{self._names.classes[class_id]}>"
        return name if role is None else f"(<{self._names.roles[role]}> some {name})"

    def unsatisfiable(self, expressions: Sequence[str]) -> bool:
        """Whether nothing can be in all of them, as far as EL++ and limits say."""
        query = self._query(expressions)
        return query.unsatisfiable or query.breaks_a_limit

    def above(self, expressions: Sequence[str]) -> list[int]:
        """The named classes above what is in all of them, most special first."""
        found = np.array(self._query(expressions).ids("superclasses"), np.int64)
        sizes = np.diff(self._reasoner.saturation.subsumer_start)[found]
        return [int(c) for c in found[np.argsort(-sizes, kind="stable")]]

    def below(self, lower: int, upper: int) -> bool:
        """Whether one class is below another."""
        return bool(self._closure.contains("subclass", np.array([[lower, upper]], np.int32))[0])

    def has(self, class_id: int, role: int, end: int) -> bool:
        """Whether a class has a role to another already."""
        return bool(self._closure.contains("existential", np.array([[class_id, role, end]], np.int32))[0])

    @property
    def _closure(self) -> Closure:
        return self._reasoner.closure()

    def _query(self, expressions: Sequence[str]) -> ExpressionQuery:
        return ExpressionQuery(" and ".join(expressions), self._reasoner.taxonomy())


def in_functional_syntax(axioms: Sequence[str], iri: str, names: Vocabulary) -> list[str]:
    """What is said of a new class, with its IRI, as lines of OWL."""
    return [line for line in functional_lines(_told(axioms, iri, names)) if line.startswith("SubClassOf(")]


def in_manchester_syntax(axioms: Sequence[str], iri: str, names: Vocabulary) -> list[str]:
    """What a new class is said to be below, each as an expression of Manchester syntax."""
    told = _told(axioms, iri, names)
    texts = manchester_texts(told)
    return [texts[told.arguments(axiom)[1]] or "" for axiom in told.axiom_nodes.tolist()]


def _told(axioms: Sequence[str], iri: str, names: Vocabulary) -> Ontology:
    """An ontology of what is said of a new class."""
    builder = Builder()
    new = builder.entity(Op.Class, iri)
    for axiom in axioms:
        builder.axiom(Op.SubClassOf, new, parse_class(_right_side(axiom), names, builder))
    return builder.finish()


def _right_side(axiom: str) -> str:
    match = _AXIOM.fullmatch(axiom)
    if match is None:
        raise SettingError(f"--axiom {shown(axiom)} is not understood: give NEW SubClassOf and a class expression")
    return f"({match['right']})"
