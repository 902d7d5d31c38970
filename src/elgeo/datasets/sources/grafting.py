"""A dataset from tables of pairs beside an ontology: each pair becomes C ⊑ ∃R.D, and some of one role are held out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from elgeo.datasets.drops import Drops
from elgeo.datasets.model import Dataset
from elgeo.datasets.sources.given import Given, at_hand
from elgeo.datasets.sources.iris import TermNames, iri_of, read_aloud
from elgeo.datasets.sources.pairs import read_pairs, same_role
from elgeo.datasets.splits.holdout import Division, divide
from elgeo.datasets.splits.making import TargetAxioms
from elgeo.datasets.splits.patterns import Pattern
from elgeo.documents import shown
from elgeo.errors import ElgeoError, SettingError, UnknownNameError
from elgeo.ontology.expressions import Op
from elgeo.ontology.model import Builder, Ontology
from elgeo.ontology.reading.labels import ENGLISH
from elgeo.ontology.short_names import short_form


class Ends(NamedTuple):
    """A kind for the heads or for the tails of a table, and how the names of that kind begin.

    A beginning that classes of the ontology have, as IRI or CURIE, means those classes; any other one, or an empty
    one, means names of the table's own. Without a beginning tails are classes of the ontology, and heads are not asked.
    What has to be a class of the ontology may be called by anything that it is called elsewhere, a label for instance.
    """

    kind: str
    start: str | None = None


class Relation(NamedTuple):
    """A table of pairs and what it is about."""

    file: Given
    role: str
    heads: Ends = Ends("entity")
    tails: Ends = Ends("class")


@dataclass(frozen=True)
class PairsRecipe:
    """What a dataset is made of."""

    ontology: Given
    relations: tuple[Relation, ...]
    target: str | None = None
    """The role that is split; the first relation's if it is not given. All others are trained on."""
    division: Division = field(default_factory=Division)
    imports: tuple[Path, ...] = ()
    name: str = "dataset"
    language: str = ENGLISH
    """Of labels and texts, where there are several."""


def parse_kinds(texts: Sequence[str]) -> tuple[Ends, Ends]:
    """`gene=NCBIGene: phenotype=HP:`, heads first; or `head=…` and `tail=…` in any order."""
    found = []
    for text in texts:
        kind, equals, start = text.partition("=")
        if not kind or not equals:
            raise SettingError(
                f"--kinds {shown(text)}: give NAME=START for heads and for tails, for example phenotype=HP:"
            )
        found.append(Ends(kind, start))
    if len(found) != 2:
        raise SettingError(f"--kinds takes two, one for heads and one for tails, not {len(found)}")
    heads, tails = found
    return (tails, heads) if (heads.kind, tails.kind) == ("tail", "head") else (heads, tails)


def build_from_pairs(recipe: PairsRecipe, say: Callable[[str], None] = lambda _: None) -> tuple[Dataset, Drops]:
    """Read the ontology and the tables, join them, and hold out some pairs of the target role."""
    files = [("ontology", recipe.ontology), *((relation.role, relation.file) for relation in recipe.relations)]
    with at_hand(files, say) as (places, sources):
        relations = tuple(relation._replace(file=places[relation.file]) for relation in recipe.relations)
        here = replace(recipe, ontology=places[recipe.ontology], relations=relations)
        return _build(here, sources, say)


def _build(recipe: PairsRecipe, sources: list[dict[str, Any]], say: Callable[[str], None]) -> tuple[Dataset, Drops]:
    ontology = read_aloud(Path(recipe.ontology), recipe.imports, say, recipe.language)
    drops = Drops()
    graft = _Graft(ontology, drops)
    wanted = recipe.target or recipe.relations[0].role
    nodes: list[int] = []
    for relation in recipe.relations:
        say(f"reading {relation.file}")
        added = graft.add(relation)
        if graft.first_unknown and nodes + added:
            say(str(graft.first_unknown))
        nodes += added if same_role(relation.role, wanted) else []
    if not nodes:
        reasons = ", ".join(f"{count:,} {why}" for why, count in drops.counts.items()) or "its tables name none"
        hint = f"; {graft.first_unknown}" if graft.first_unknown else ""
        raise ElgeoError(f"no pairs are left for the role {shown(wanted)} ({reasons}){hint}")
    whole = graft.finish(ontology)
    target = graft.target(whole, wanted, nodes)
    settings: dict[str, Any] = {"roles": [relation.role for relation in recipe.relations], "target": wanted}
    record = {"made_by": "pairs", "settings": settings | recipe.division.settings(), "sources": sources}
    return divide(recipe.name, whole, target, recipe.division, record, drops, say), drops


class _Graft:
    """An ontology to which tables are added."""

    def __init__(self, ontology: Ontology, drops: Drops) -> None:
        self._builder, self._terms, self._drops = Builder.resume(ontology), TermNames(ontology), drops
        self._roles = [ontology.string(n) for n in np.flatnonzero(ontology.op == Op.ObjectProperty).tolist()]
        self._labels = ontology.labels
        self._kinds: dict[str, str] = {}
        self._starts: dict[str, str] = {}
        self._known: dict[str, bool] = {}
        self.first_unknown: UnknownNameError | None = None
        """What to say of the first name of the last table that should be a class of the ontology and is none."""

    def add(self, relation: Relation) -> list[int]:
        """C ⊑ ∃R.D for every pair of a table; gives the nodes of these axioms."""
        builder = self._builder
        role = builder.entity(Op.ObjectProperty, self.role(relation.role))
        builder.declare(role)
        table = read_pairs(relation.file, relation.role, self._drops)
        self.first_unknown = None
        nodes = []
        for head, tail in dict.fromkeys(table.pairs):
            head_iri = self._resolved(head, relation.heads, "heads")
            tail_iri = self._resolved(tail, relation.tails, "tails")
            if head_iri is None or tail_iri is None:
                continue
            if head_iri == tail_iri:
                self._drops.add("pairs of a name with itself", head)
                continue
            left, right = (builder.entity(Op.Class, iri) for iri in (head_iri, tail_iri))
            for node in (left, right):
                builder.declare(node)
            if head in table.labels:
                builder.labels.setdefault(head_iri, table.labels[head])
            nodes.append(builder.axiom(Op.SubClassOf, left, builder.node(Op.ObjectSomeValuesFrom, role, right)))
        return nodes

    def finish(self, ontology: Ontology) -> Ontology:
        return self._builder.finish(iri=ontology.iri, format=ontology.format, imports=ontology.imports)

    def target(self, whole: Ontology, role: str, nodes: list[int]) -> TargetAxioms:
        """The axioms of the role that is split."""
        axioms = np.unique(np.array(nodes, np.int32))
        first = whole.start[axioms]
        some = whole.args[first + 1]
        pairs = np.column_stack([whole.args[first], whole.args[whole.start[some] + 1]]).astype(np.int32)
        return TargetAxioms(role, Pattern(Op.SubClassOf, self.role(role)), axioms, pairs, self.kind_of)

    def role(self, name: str) -> str:
        """The IRI of a role: one of the ontology that is called so, else a new one."""
        fitting = [
            iri
            for iri in self._roles
            if name in (iri, short_form(iri)) or same_role(iri, name) or same_role(self._labels.get(iri, iri), name)
        ]
        if len(fitting) > 1:
            raise SettingError(f"--role {shown(name)} could be any of {', '.join(fitting[:5])}: give the whole IRI")
        return fitting[0] if fitting else iri_of(name)

    def kind_of(self, iri: str, is_individual: bool) -> str:
        """The kind that a table gives a class, or its beginning; else `class` or `individual`."""
        if iri in self._kinds:
            return self._kinds[iri]
        by_start = (kind for kind, start in self._starts.items() if _begins(iri, start))
        return next(by_start, "individual" if is_individual else "class")

    def _resolved(self, name: str, ends: Ends, word: str) -> str | None:
        """The class a name stands for; None, and counted, if there is none of that kind."""
        iri = self._terms.find(name)
        if iri is None and self._must_be_known(ends, word):
            several = self._terms.lookup.called(name)
            if len(several) != 1:
                self.first_unknown = self.first_unknown or self._terms.lookup.error(name, several)
                what = "could be several classes" if several else "are not in the ontology"
                self._drops.add(f"{word} that {what}", name)
                return None
            iri = several[0]
        if ends.start:
            self._starts.setdefault(ends.kind, ends.start)
            if not name.startswith(ends.start) and not _begins(iri or name, ends.start):
                self._drops.add(f"{word} that do not begin with {ends.start}", name)
                return None
        if iri is None:
            iri = iri_of(name)
        if ends.start is not None or word == "heads":
            before = self._kinds.setdefault(iri, ends.kind)
            if before != ends.kind:
                raise SettingError(f"{name} is both {before} and {ends.kind}: change --kinds")
        return iri

    def _must_be_known(self, ends: Ends, word: str) -> bool:
        if not ends.start:
            return ends.start is None and word == "tails"
        if ends.start not in self._known:
            self._known[ends.start] = any(_begins(iri, ends.start) for iri in self._terms.classes)
        return self._known[ends.start]


def _begins(iri: str, start: str) -> bool:
    return iri.startswith(start) or short_form(iri).startswith(start)
