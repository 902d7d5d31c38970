"""`difference`: what came and went between two ontologies: names, axioms, and what follows from them."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from elgeo.arrays import Bytes
from elgeo.ontology.expressions import ENTITIES, NOTHING, THING, Op
from elgeo.ontology.model import Ontology
from elgeo.reasoning.reasoner import Reasoner
from elgeo.reasoning.revisions.canonical import canonical_axioms
from elgeo.reasoning.taxonomy.listing import direct_lines, subsumption_lines


class Change(NamedTuple):
    """What only the new ontology has, and what only the old one has; sorted."""

    came: list[str]
    went: list[str]

    @classmethod
    def between(cls, old: Iterable[str], new: Iterable[str]) -> Change:
        before, after = set(old), set(new)
        return cls(sorted(after - before), sorted(before - after))


@dataclass(frozen=True, eq=False)
class Difference:
    """Names as `Class IRI`, axioms in functional syntax, consequences as `SubClassOf(<IRI> <IRI>)` between classes."""

    names: Change
    axioms: Change
    consequences: Change
    old: Reasoner
    new: Reasoner

    def reasons(self, consequence: str, came: bool) -> list[str]:
        """Axioms, as few as can be, from which a consequence followed where it does."""
        (first, *_) = (self.new if came else self.old).justifications(consequence, 1)
        return first


def difference(old: Ontology, new: Ontology, every: bool = False) -> Difference:
    """Compare two ontologies.

    Consequences are subsumptions between classes that both have, and classes that became (or no longer are)
    unsatisfiable, which follow from one and not from the other and which no axiom between the two names says;
    those with nothing in between, or every one.
    """
    before, after = Reasoner(old), Reasoner(new)
    said, says = canonical_axioms(old), canonical_axioms(new)
    common = _classes(old) & _classes(new) | {NOTHING}
    consequences = Change(_only(after, before, common, says, every), _only(before, after, common, said, every))
    return Difference(Change.between(_names(old), _names(new)), Change.between(said, says), consequences, before, after)


def _only(one: Reasoner, other: Reasoner, common: set[str], said: Container[str], every: bool) -> list[str]:
    """What follows from one and not from the other, and is not said."""
    follows = _pairs(subsumption_lines(one.saturation) if every else direct_lines(one.taxonomy()), common)
    # of a class and an individual of one name the class comes first
    ids = {name: i for i, name in reversed(list(enumerate(other.forms.vocabulary.classes)))}
    rows = np.array([(ids[sub], ids[sup]) for sub, sup in follows], np.int32).reshape(-1, 2)
    there = other.closure().contains("subclass", rows)
    only = sorted(pair for pair, is_there in zip(follows, there.tolist(), strict=True) if not is_there)
    texts = (f"SubClassOf(<{sub}> <{sup}>)" for sub, sup in only)
    return [text for text in texts if text not in said]


def _pairs(blocks: Iterable[Bytes], common: set[str]) -> list[tuple[str, str]]:
    lines = (line.split("\t") for block in blocks for line in bytes(block).decode().splitlines())
    return [(sub, sup) for sub, sup in lines if sub in common and sup in common]


def _classes(ontology: Ontology) -> set[str]:
    found = (ontology.string(node) for node in (ontology.op == Op.Class).nonzero()[0].tolist())
    return {iri for iri in found if iri not in (THING, NOTHING)}


def _names(ontology: Ontology) -> set[str]:
    nodes = [n for n, op in enumerate(ontology.op.tolist()) if op in ENTITIES and op != Op.Literal]
    named = ((Op(int(ontology.op[n])).name, ontology.string(n)) for n in nodes)
    return {f"{kind} {iri}" for kind, iri in named if not iri.startswith("_:") and iri not in (THING, NOTHING)}
