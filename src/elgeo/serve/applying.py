"""An ontology to which accepted axioms were added, each with where it comes from, and what more follows then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from elgeo.evaluation.predictions.as_ontology import DATE, SOURCE
from elgeo.messages import counted
from elgeo.ontology.expressions import NOTHING, Op
from elgeo.ontology.grammar import COMMENT, literal
from elgeo.ontology.model import Builder, Ontology
from elgeo.ontology.vocabulary import Kind
from elgeo.ontology.writing.notes import Note, Notes
from elgeo.reasoning.closure.limited import NO_LIMIT
from elgeo.reasoning.revisions.difference import Difference, difference
from elgeo.serve.decisions import Axiom, Decision, bare, is_individual
from elgeo.serve.effects import links_between_names

CREATOR = "http://purl.org/dc/terms/creator"


@dataclass(frozen=True, eq=False)
class Applied:
    """The ontology with the axioms, notes about them, and what was done."""

    ontology: Ontology
    notes: Notes
    added: Sequence[Decision]
    known: Sequence[Decision]
    """Those whose axiom the ontology has already."""
    strangers: Sequence[tuple[Decision, str]]
    """Those that name something the ontology does not have, and the name."""
    change: Difference
    links: int | None
    """How many more C ⊑ ∃R.D follow between names, beside those that were added; None where a class became
    unsatisfiable, of which everything follows."""

    @property
    def follows(self) -> list[str]:
        """What more follows now between names, the added axioms themselves left out."""
        return [text for text in self.change.consequences.came if not _is_impossible(text)]

    @property
    def contradicted(self) -> list[str]:
        """The classes that have become unsatisfiable, as axioms."""
        return [*(text for text in self.change.consequences.came if _is_impossible(text)), *self.limits_broken]

    @cached_property
    def limits_broken(self) -> dict[str, str]:
        """Of these, those that EL++ does not see, with what they break."""
        old, new = self.change.old.closure(), self.change.new.closure()
        words, limits = new.forms.vocabulary, new.forms.limits
        before = {old.forms.vocabulary.classes[c] for c in np.flatnonzero(old.unsatisfiable).tolist()}
        found = {}
        for c in np.flatnonzero(new.impossible_by_limits != NO_LIMIT).tolist():
            if words.class_kinds[c] == Kind.NAMED and words.classes[c] not in before:
                by = limits[int(new.impossible_by_limits[c])].text(words, c)
                found[f"SubClassOf(<{words.classes[c]}> <{NOTHING}>)"] = by
        return found

    @property
    def beyond(self) -> int:
        """How many axioms EL++ cannot say in full: what only the rest of them contradicts is not seen."""
        return len(self.change.new.forms.unsupported)


def apply(ontology: Ontology, decisions: Sequence[Decision]) -> Applied:
    """Add the axioms of decisions to a copy of an ontology."""
    builder = Builder.resume(ontology)
    said = set(ontology.axiom_nodes.tolist())
    added, known, strangers, notes = [], [], [], dict[int, list[Note]]()
    for decision in decisions:
        axiom = decision.axiom
        missing = [name for op, name in _entities(axiom) if not builder.has(op, name)]
        if missing:
            strangers.append((decision, missing[0]))
            continue
        sides = _sides(builder, axiom)
        if builder.node(Op.SubClassOf, *sides) in said:
            known.append(decision)
            continue
        node = builder.axiom(Op.SubClassOf, *sides)
        said.add(node)
        notes[node] = provenance(decision)
        added.append(decision)
    whole = builder.finish(iri=ontology.iri, format=ontology.format, imports=ontology.imports)
    change = difference(ontology, whole, every=True)
    return Applied(whole, notes, added, known, strangers, change, _more_links(change, added))


def _more_links(change: Difference, added: Sequence[Decision]) -> int | None:
    if any(map(_is_impossible, change.consequences.came)):
        return None
    new = [d for d in added if d.axiom.role and not change.old.entails(d.axiom.functional())]
    return links_between_names(change.new.closure()) - links_between_names(change.old.closure()) - len(new)


def add_axiom(builder: Builder, axiom: Axiom) -> int:
    """Put an axiom into an ontology that is being made, and declare what it names; gives its node."""
    for op, name in _entities(axiom):
        if not builder.has(op, name):
            builder.declare(builder.entity(op, name))
    return builder.axiom(Op.SubClassOf, *_sides(builder, axiom))


def _entities(axiom: Axiom) -> list[tuple[Op, str]]:
    """What an axiom names."""
    ends = ((Op.NamedIndividual if is_individual(x) else Op.Class, bare(x)) for x in (axiom.head, axiom.tail))
    return [*ends, *([(Op.ObjectProperty, axiom.role)] if axiom.role else [])]


def _sides(builder: Builder, axiom: Axiom) -> tuple[int, int]:
    head, tail = (builder.entity(op, name) for op, name in _entities(axiom)[:2])
    if is_individual(axiom.head):
        head = builder.node(Op.ObjectOneOf, head)
    if is_individual(axiom.tail):
        tail = builder.node(Op.ObjectOneOf, tail)
    if axiom.role:
        tail = builder.node(Op.ObjectSomeValuesFrom, builder.entity(Op.ObjectProperty, axiom.role), tail)
    return head, tail


def provenance(decision: Decision) -> list[Note]:
    """Who accepted an axiom, when, and what it was based on."""
    based = f"predicted by elgeo {decision.version}".rstrip()
    if decision.model:
        based += f", model {decision.model}"
    if decision.score is not None:
        based += f", score {decision.score:.6g}"
    made = [Note(SOURCE, literal(based)), Note(CREATOR, literal(decision.who))]
    if decision.at:
        made.append(Note(DATE, literal(decision.at)))
    if decision.note:
        made.append(Note(COMMENT, literal(decision.note)))
    return made


def described(applied: Applied) -> str:
    """What was done, in a sentence."""
    follows, links, one = len(applied.follows), applied.links, len(applied.added) == 1
    they, s = ("it", "s") if one else ("they", "")
    if applied.contradicted:
        said = f"{they} make{s} {len(applied.contradicted):,} unsatisfiable"
    else:
        said = f"{they} make{s} {follows + (links or 0):,} more follow between names and contradict{s} nothing"
        if follows and links:
            said += f" ({follows:,} C ⊑ D, {links:,} C ⊑ ∃R.D)"
        if beyond := applied.beyond:
            said += f" as far as EL++ sees: {counted(beyond, 'axiom')} go{'es' if beyond == 1 else ''} beyond it"
    return f"{counted(len(applied.added), 'axiom')} added" + (f": {said}" if applied.added else "")


def _is_impossible(text: str) -> bool:
    return text.endswith(f"<{NOTHING}>)")
