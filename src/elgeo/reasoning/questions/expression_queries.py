"""Which classes and individuals are below, above, in or equal to a class expression: the DL query of Protégé."""

from __future__ import annotations

import numpy as np

from elgeo.arrays import Flags
from elgeo.errors import ElgeoError
from elgeo.ontology import normalise
from elgeo.ontology.expressions import THING, Op
from elgeo.ontology.model import Builder, Ontology
from elgeo.ontology.vocabulary import BOTTOM, TOP, Kind
from elgeo.reasoning.questions.axiom_text import parse_class
from elgeo.reasoning.questions.data_questions import speaks_of_values, with_names_for_values
from elgeo.reasoning.questions.drafts import Drafts
from elgeo.reasoning.questions.entailment import Entailment, alternatives, element, universals_apart
from elgeo.reasoning.questions.expressions import And, Atom, Expression, Or, Reader, Self, Some
from elgeo.reasoning.questions.question import Question, copied
from elgeo.reasoning.saturation.saturate import saturate
from elgeo.reasoning.taxonomy.taxonomy import Taxonomy
from elgeo.reasoning.taxonomy.taxonomy import taxonomy as hierarchy

RELATIONS = ("subclasses", "superclasses", "equivalent", "instances")


class ExpressionQuery:
    """One class expression beside the named classes and individuals of a saturated ontology."""

    def __init__(self, text: str, taxonomy: Taxonomy) -> None:
        vocabulary, builder = taxonomy.saturation.forms.vocabulary, Builder()
        node = parse_class(text, vocabulary, builder)
        asked = builder.finish()
        # names for values come between the other names and the individuals
        self._own = int((vocabulary.class_kinds < Kind.INDIVIDUAL).sum())
        if speaks_of_values(Question(asked, node)):
            taxonomy, asked, node = _with_values(taxonomy, asked, node)
        self.taxonomy, self.saturation = taxonomy, taxonomy.saturation
        self._entailment = Entailment(self.saturation)
        vocabulary = self.saturation.forms.vocabulary
        expression = Reader(asked, vocabulary).expression(node)
        self.expression = universals_apart(expression, self.saturation.completion.roles.universal)
        named = vocabulary.class_kinds == Kind.NAMED
        self._added = int((vocabulary.class_kinds < Kind.INDIVIDUAL).sum()) - self._own
        named[self._own :] = False
        self._named = named & ~self.saturation.unsatisfiable
        self._individuals = (vocabulary.class_kinds == Kind.INDIVIDUAL) & ~self.saturation.unsatisfiable

    @property
    def unsatisfiable(self) -> bool:
        """Whether nothing can be in the expression."""
        return self._entailment.unsatisfiable(self.expression)

    @property
    def breaks_a_limit(self) -> bool:
        """Whether nothing can be in the expression by what EL++ cannot say, if not by what it can."""
        return self._entailment.limit_broken(self.expression) is not None

    def ids(self, relation: str, direct: bool = False) -> list[int]:
        """The satisfiable classes, or the individuals, in a relation to the expression, ascending.

        Equivalent classes are sub- and superclasses too, but no direct ones. `direct`: those with no other class in
        between. An unsatisfiable expression has owl:Nothing as its only superclass, and the unsatisfiable classes as
        its equivalents.
        """
        if relation in ("superclasses", "equivalent") and self.unsatisfiable:
            others = [] if relation == "superclasses" else self.taxonomy.unsatisfiable.tolist()
            return [BOTTOM, *(c for c in others if c < self._own)]
        inside = self._inside(self.expression)
        if relation == "superclasses":
            return self._listed(self._lowest(self._above & ~inside) if direct else self._above)
        if relation == "equivalent":
            return self._listed(self._above & inside)
        below = inside & self._named & ~(self._above & inside)
        if relation == "instances":
            found = inside & self._individuals
            return self._listed(found & ~self._spread(below) if direct else found)
        return self._listed(self._highest(below) if direct else inside & self._named)

    def _listed(self, found: Flags) -> list[int]:
        return [int(i) - (self._added if i >= self._own else 0) for i in np.flatnonzero(found)]

    @property
    def _above(self) -> Flags:
        """The named classes that all of the expression is in."""
        found: Flags = self._named.copy()
        for part in alternatives(self.expression):
            drafts = Drafts(self.saturation)
            x = element(drafts, part)
            if not drafts.unsatisfiable(x):
                mine = np.zeros(len(found), np.bool_)
                above = drafts.subsumers(x)
                mine[above[above < len(found)]] = True
                found &= mine
        return found

    def _inside(self, expression: Expression, fresh: bool = False) -> Flags:
        """The classes and individuals that must be in an expression; of unsatisfiable ones nothing is said.

        `fresh`: of fresh classes it has to be said too.
        """
        s = self.saturation
        match expression:
            case Atom(class_id) if class_id == TOP:
                return np.ones(len(self._named), np.bool_)
            case Atom(class_id) if class_id >= 0:
                found = np.zeros(len(self._named), np.bool_)
                found[s.subsumees_of(class_id)] = True
                return found
            case And(parts):
                return np.asarray(np.logical_and.reduce([self._inside(part, fresh) for part in parts]), np.bool_)
            case Or(parts):
                # EL++ is convex: what is in a union is in one of its parts
                return np.asarray(np.logical_or.reduce([self._inside(part, fresh) for part in parts]), np.bool_)
            case Some(role, filler) if not s.completion.roles.universal[role]:
                linked = (s.link_roles == role) & self._inside(filler, fresh=True)[s.link_targets]
                counts = np.concatenate([np.zeros(1, np.int64), np.cumsum(linked)])[s.link_start]
                return np.asarray(np.diff(counts) > 0)
        return self._one_by_one(expression, fresh)

    def _one_by_one(self, expression: Expression, fresh: bool) -> Flags:
        """For what only looking at each class can tell; what holds of everything holds of each."""
        found = np.zeros(len(self._named), np.bool_)
        drafts = Drafts(self.saturation)
        if isinstance(expression, Self):
            found[self.saturation.self_loops[self.saturation.self_loops[:, 1] == expression.role, 0]] = True
        asked = ~self.saturation.unsatisfiable if fresh else self._named | self._individuals
        for x in np.flatnonzero(asked & ~found).tolist():
            found[x] = self._entailment.has(drafts, x, expression)
        return found

    def _spread(self, classes: Flags) -> Flags:
        """All that is below one of some classes."""
        s = self.saturation
        counts = np.concatenate([np.zeros(1, np.int64), np.cumsum(classes[s.subsumers])])[s.subsumer_start]
        return np.asarray(np.diff(counts) > 0)

    def _highest(self, classes: Flags) -> Flags:
        """Those of a set that is closed downwards with no direct superclass in it."""
        found = classes.copy()
        for c in np.flatnonzero(classes).tolist():
            found[c] = not classes[self.taxonomy.direct_superclasses(c)].any()
        return found

    def _lowest(self, classes: Flags) -> Flags:
        """Those of a set that is closed upwards with no direct subclass in it."""
        found = classes.copy()
        for c in np.flatnonzero(classes).tolist():
            found[c] = not classes[self.taxonomy.direct_subclasses(c)].any()
        return found


def _with_values(taxonomy: Taxonomy, asked: Ontology, node: int) -> tuple[Taxonomy, Ontology, int]:
    """The hierarchy with names for restrictions of data properties, and the expression in these names."""
    source = taxonomy.saturation.forms.source
    if source is None:
        raise ElgeoError("these normal forms came without their axioms: normalise the ontology and ask that")
    builder = Builder()
    axiom = builder.axiom(Op.SubClassOf, copied(asked, node, builder), builder.entity(Op.Class, THING))
    ontology, question = with_names_for_values(source, Question(builder.finish(), axiom))
    wider = hierarchy(saturate(normalise(ontology)))
    return wider, question.ontology, question.ontology.arguments(question.node)[0]
