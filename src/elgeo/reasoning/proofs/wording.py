"""How proofs are worded: classes by label, facts as description logic."""

from __future__ import annotations

from collections.abc import Mapping

from elgeo.errors import ElgeoError
from elgeo.ontology.expressions import ENTITIES, Op
from elgeo.ontology.model import Builder, Ontology
from elgeo.ontology.normal_forms import FORMS, NormalForms
from elgeo.ontology.short_names import short_form
from elgeo.ontology.vocabulary import TOP, TOP_ROLE, Kind
from elgeo.reasoning.proofs.rules import Fact
from elgeo.reasoning.questions.axiom_text import parse_class
from elgeo.reasoning.questions.drafts import Drafts
from elgeo.reasoning.questions.expressions import And, Atom, Expression, Not, Only, Or, Self, Some

_TEMPLATES = {
    Op.SubClassOf: "{0} ⊑ {1}",
    Op.SubObjectPropertyOf: "{0} ⊑ {1}",
    Op.ClassAssertion: "{1} ⊑ {0}",
    Op.ObjectPropertyAssertion: "{1} ⊑ ∃{0}.{2}",
    Op.ObjectPropertyDomain: "∃{0}.⊤ ⊑ {1}",
    Op.ObjectPropertyRange: "⊤ ⊑ ∀{0}.{inner[1]}",
    Op.TransitiveObjectProperty: "{0} ∘ {0} ⊑ {0}",
    Op.ObjectComplementOf: "¬{inner[0]}",
    Op.ObjectSomeValuesFrom: "∃{0}.{inner[1]}",
    Op.ObjectHasValue: "∃{0}.{inner[1]}",
    Op.ObjectAllValuesFrom: "∀{0}.{inner[1]}",
    Op.ObjectHasSelf: "∃{0}.Self",
    Op.ObjectInverseOf: "{0}⁻",
}
"""Of the parts of an axiom or expression; `inner` has them in parentheses where they need them."""
_BETWEEN = {
    Op.EquivalentClasses: " ≡ ",
    Op.EquivalentObjectProperties: " ≡ ",
    Op.SameIndividual: " ≡ ",
    Op.ObjectPropertyChain: " ∘ ",
    Op.ObjectIntersectionOf: " ⊓ ",
    Op.ObjectUnionOf: " ⊔ ",
}
_LISTS = (Op.EquivalentClasses, Op.EquivalentObjectProperties, Op.SameIndividual, Op.ObjectPropertyChain)
"""Whose parts need no parentheses."""


class Wording:
    """Texts for the facts of one proof."""

    def __init__(self, forms: NormalForms, drafts: Drafts, labels: Mapping[str, str]) -> None:
        self._forms, self._drafts, self._labels = forms, drafts, labels

    def fact(self, fact: Fact) -> str:
        """What a step says."""
        kind, *rest = fact
        match kind:
            case "sub":
                return f"{self.element(rest[0])} ⊑ {self.element(rest[1])}"
            case "link":
                return f"{self.element(rest[0])} ⊑ ∃{self.role(rest[1])}.{self._inner(self.element(rest[2]))}"
            case "loop":
                return f"{self.element(rest[0])} ⊑ ∃{self.role(rest[1])}.Self"
            case "role":
                return f"{self.role(rest[0])} ⊑ {self.role(rest[1])}"
            case "reflexive":
                return f"{self.role(rest[0])} is reflexive"
            case "leads":
                return f"where {self.element(rest[0])} exists, {self.element(rest[1])} exists"
            case "has":
                return f"{self.element(rest[0])} ⊑ {self.expression(rest[1])}"
            case "all":
                return " and ".join(self.fact(part) for part in rest)
            case "told":
                return self._told(*rest)
        return self._row(*rest)

    def element(self, x: int) -> str:
        """A class by its label or expression; an element of the question by what it was told."""
        if self._drafts.is_draft(x):
            draft = self._drafts[x]
            parts = [self.element(c) for c in draft.classes if c != TOP]
            parts += [self.name(iri) for iri in sorted(draft.names)]
            parts += [f"∃{self.role(r)}.{self._inner(self.element(y))}" for r, y in draft.links]
            parts += [f"∃{self.role(r)}.Self" for r in draft.loops]
            return " ⊓ ".join(parts) or f"?{x - self._drafts.first}"
        vocabulary = self._forms.vocabulary
        name, kind = vocabulary.classes[x], vocabulary.class_kinds[x]
        if kind == Kind.FRESH:
            return self._fresh(name)
        return f"{{{self.name(name)}}}" if kind == Kind.INDIVIDUAL else self.name(name)

    def role(self, r: int) -> str:
        return "U" if r == TOP_ROLE else self.name(self._forms.vocabulary.roles[r])

    def name(self, iri: str) -> str:
        """The label of an entity, or its short name."""
        if iri.endswith("owl#Thing"):
            return "⊤"
        if iri.endswith("owl#Nothing"):
            return "⊥"
        label = self._labels.get(iri)
        if label is None:
            return short_form(iri)
        return f"'{label}'" if " " in label else label

    def expression(self, expression: Expression) -> str:
        match expression:
            case Atom(class_id, iri):
                return self.name(iri) if class_id < 0 else self.element(class_id)
            case And(parts):
                return " ⊓ ".join(self._inner(self.expression(p)) for p in parts)
            case Or(parts):
                return " ⊔ ".join(self._inner(self.expression(p)) for p in parts)
            case Some(role, filler):
                return f"∃{self.role(role)}.{self._inner(self.expression(filler))}"
            case Only(role, filler):
                return f"∀{self.role(role)}.{self._inner(self.expression(filler))}"
            case Not(part):
                return f"¬{self._inner(self.expression(part))}"
            case Self(role):
                return f"∃{self.role(role)}.Self"

    def axiom(self, ontology: Ontology, number: int) -> str:
        """An asserted axiom."""
        return self.node(ontology, int(ontology.axiom_nodes[number]))

    def node(self, ontology: Ontology, node: int) -> str:
        """An axiom or expression as read, with labels."""
        op, arguments = Op(int(ontology.op[node])), ontology.arguments(node)
        if op in ENTITIES:
            name = ontology.string(node)
            return (
                name if op == Op.Literal else f"{{{self.name(name)}}}" if op == Op.NamedIndividual else self.name(name)
            )
        parts = [self.node(ontology, a) for a in arguments]
        inner = [self._inner(part) for part in parts]
        if op in _TEMPLATES:
            return _TEMPLATES[op].format(*parts, inner=inner)
        if op in _BETWEEN:
            return _BETWEEN[op].join(parts if op in _LISTS else inner)
        if op == Op.ObjectOneOf:
            return f"{{{', '.join(part[1:-1] for part in parts)}}}"
        return f"{op.name}({' '.join(inner)})"

    def _fresh(self, text: str) -> str:
        """A fresh class is named by the expression it stands for."""
        builder = Builder()
        try:
            node = parse_class(text, self._forms.vocabulary, builder)
        except ElgeoError:
            # what EL++ cannot say keeps its own words
            return text
        return self.node(builder.finish(), node)

    def _told(self, x: int, kind: str, *what: int | str) -> str:
        if kind == "class":
            return f"{self.element(x)} ⊑ {self.element(int(what[0]))}"
        if kind == "name":
            return f"{self.element(x)} ⊑ {self.name(str(what[0]))}"
        return self.fact((kind, x, *what))

    def _row(self, form: str, number: int) -> str:
        row, shape = self._forms.tables[form][number].tolist(), FORMS[form]
        if form == "reflexive":
            # in the words of what follows from it
            return self.fact((form, *row))
        names = [self.role(v) if i in shape.role_columns else self._inner(self.element(v)) for i, v in enumerate(row)]
        return shape.logic.format(**dict(zip(shape.columns, names, strict=True)))

    @staticmethod
    def _inner(text: str) -> str:
        return f"({text})" if any(mark in text for mark in (" ⊓ ", " ⊔ ", " ⊑ ")) else text
