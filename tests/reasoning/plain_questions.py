"""Questions made of nested tuples, and a slow reasoner that gets them as part of the ontology."""

from __future__ import annotations

from typing import Any

from elgeo.ontology.expressions import Op
from elgeo.ontology.normalisation.normalise import normalise
from elgeo.reasoning.questions.question import Question
from tests.reasoning.brute import Brute
from tests.reasoning.random_ontology import BASE, Writer, written


def question(tree: Any) -> Question:
    """The question for an axiom."""
    writer = Writer()
    node = writer.axiom(tree)
    return Question(writer.builder.finish(), node)


def slow_inclusion(ontology_axioms: list[Any], left: Any, right: Any) -> bool:
    """The twin: names for both sides inside the ontology, and loops over sets."""
    forms = normalise(written([*ontology_axioms, (Op.SubClassOf, "Left", left), (Op.SubClassOf, right, "Right")]))
    slow = Brute.of(forms)
    return slow.subsumed(forms.vocabulary.class_id(BASE + "Left"), forms.vocabulary.class_id(BASE + "Right"))
