"""A dataset from files: an ontology, interactions, annotations; one of the two relations is the target."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from elgeo.datasets.assemble import NamePair, assemble
from elgeo.datasets.drops import Drops
from elgeo.datasets.model import Dataset
from elgeo.datasets.sources.annotations import read_aliases, read_annotations, resolve
from elgeo.datasets.sources.given import Given, at_hand
from elgeo.datasets.sources.iris import TermNames, iri_of, read_aloud, space_of
from elgeo.datasets.sources.links import read_links
from elgeo.datasets.splits.splitting import split
from elgeo.errors import ElgeoError, SettingError
from elgeo.ontology.expressions import Op
from elgeo.ontology.model import Builder, Ontology
from elgeo.ontology.reading.labels import ENGLISH

TARGETS = ("interacts_with", "has_function")
PARTS = ("train", "valid", "test")
PROTEIN, TERM, OTHER = "protein", "go", "other"


@dataclass(frozen=True)
class Recipe:
    """What a dataset is made of."""

    ontology: Given
    target: str = "interacts_with"
    interactions: tuple[Given, ...] = ()
    annotations: tuple[Given, ...] = ()
    ready: Mapping[str, Given] = field(default_factory=dict)
    """Files of the target relation for `train`, `valid` and `test`, when it is split already."""
    aliases: Given | None = None
    shares: tuple[float, float, float] = (0.9, 0.05, 0.05)
    seed: int = 0
    min_score: float | None = None
    symmetric: bool = True
    """Whether each interaction is said in both directions, or only as its file says it."""
    twins_together: bool = True
    """Whether (a, b) and (b, a) always fall into the same part."""
    evidence: frozenset[str] | None = None
    imports: tuple[Path, ...] = ()
    """Files and folders in which imported ontologies are found."""
    name: str = "dataset"
    language: str = ENGLISH
    """Of labels and texts, where there are several."""

    def __post_init__(self) -> None:
        if self.target not in TARGETS:
            raise SettingError(f"the target is {self.target!r}; it can be {' or '.join(TARGETS)}")
        if self.ready and set(self.ready) != set(PARTS):
            raise SettingError("a ready-made split needs all three of --train, --valid and --test")
        source = "--interactions" if self.target == "interacts_with" else "--annotations"
        whole = self.interactions if self.target == "interacts_with" else self.annotations
        if bool(whole) == bool(self.ready):
            raise SettingError(f"for the target {self.target} give either {source} or --train, --valid and --test")
        if self.symmetric and not self.twins_together:
            raise SettingError("a symmetric target keeps twins together: give --as-is to let them fall apart")

    def files(self) -> list[tuple[str, Given]]:
        """(what it is for, the file) of everything that is read."""
        named: list[tuple[str, Given]] = [("ontology", self.ontology)]
        named += [("interactions", path) for path in self.interactions]
        named += [("annotations", path) for path in self.annotations]
        named += [("aliases", self.aliases)] if self.aliases else []
        return named + [(part, self.ready[part]) for part in PARTS if part in self.ready]

    def at(self, places: Mapping[Given, Path]) -> Recipe:
        """The same with every file where it lies."""
        return replace(
            self,
            ontology=places[self.ontology],
            interactions=tuple(places[file] for file in self.interactions),
            annotations=tuple(places[file] for file in self.annotations),
            ready={part: places[file] for part, file in self.ready.items()},
            aliases=None if self.aliases is None else places[self.aliases],
        )

    def parts_of(self, relation: str) -> dict[str, tuple[Given, ...]]:
        """The files of a relation by part; what is not the target is all trained on."""
        if relation == self.target and self.ready:
            return {part: (self.ready[part],) for part in PARTS}
        return {"train": self.interactions if relation == "interacts_with" else self.annotations}


def build(recipe: Recipe, say: Callable[[str], None] = lambda _: None) -> tuple[Dataset, Drops]:
    """Read, join, split and normalise; also returns what was left out on the way."""
    with at_hand(recipe.files(), say) as (places, sources):
        return _build(recipe.at(places), sources, say)


def _build(recipe: Recipe, sources: list[dict[str, Any]], say: Callable[[str], None]) -> tuple[Dataset, Drops]:
    drops = Drops()
    ontology = read_aloud(Path(recipe.ontology), recipe.imports, say, recipe.language)
    say("reading interactions and annotations")
    interactions = _interactions(recipe, drops)
    annotations = _annotations(recipe, TermNames(ontology), interactions, drops)
    for what, parts in (("interactions", interactions), ("annotations", annotations)):
        if sum(map(len, parts.values())) == 0 and (what == "interactions") == (recipe.target == "interacts_with"):
            raise ElgeoError(f"no {what} are left to make a dataset of ({_reasons(drops)})")
    target = interactions if recipe.target == "interacts_with" else annotations
    parts = _ready_parts(target, recipe, drops) if recipe.ready else _split(target["train"], recipe)
    if recipe.target == "interacts_with":
        interactions = parts
    else:
        annotations = parts
    say("normalising")
    proteins = {p for some in interactions.values() for pair in some for p in pair}
    proteins |= {protein for some in annotations.values() for protein, _ in some}
    spaces = {space_of(term) for some in annotations.values() for _, term in some}

    def kind_of(iri: str, _: bool) -> str:
        return PROTEIN if iri in proteins else TERM if not spaces or space_of(iri) in spaces else OTHER

    said = {"has_function": annotations["train"], "interacts_with": interactions["train"]}
    dataset = assemble(
        name=recipe.name,
        ontology=_grafted(ontology, proteins, said),
        role=iri_of(recipe.target),
        parts=parts,
        kind_of=kind_of,
        head_kind=PROTEIN,
        tail_kind=PROTEIN if recipe.target == "interacts_with" else TERM,
        symmetric=recipe.symmetric and recipe.target == "interacts_with",
        record=_record(recipe, sources),
    )
    return dataset, drops


def _interactions(recipe: Recipe, drops: Drops) -> dict[str, list[NamePair]]:
    """Pairs of protein IRIs by part; everything is in `train` where there is no ready-made split."""
    found: dict[str, list[NamePair]] = {part: [] for part in PARTS}
    for part, paths in recipe.parts_of("interacts_with").items():
        links = [pair for path in paths for pair in read_links(path, recipe.min_score, drops)]
        pairs = [(iri_of(a), iri_of(b)) for a, b in links]
        if recipe.symmetric:
            pairs += [(b, a) for a, b in pairs]
        found[part] = sorted(set(pairs))
    return found


def _annotations(
    recipe: Recipe, terms: TermNames, interactions: Mapping[str, list[NamePair]], drops: Drops
) -> dict[str, list[NamePair]]:
    """(protein IRI, term IRI) by part."""
    read_ones = {
        part: [one for path in paths for one in read_annotations(path, recipe.evidence, drops)]
        for part, paths in recipe.parts_of("has_function").items()
    }
    owners = _owners(recipe, {p for some in interactions.values() for pair in some for p in pair}, read_ones.values())
    found: dict[str, list[NamePair]] = {part: [] for part in PARTS}
    iris: dict[str, str | None] = {}
    for part, entries in read_ones.items():
        pairs = set()
        for protein, term in resolve(entries, owners, drops):
            iri = iris[term] if term in iris else iris.setdefault(term, terms.find(term))
            if iri is None:
                drops.add("annotations with terms that are not in the ontology", term)
            else:
                pairs.add((protein, iri))
        found[part] = sorted(pairs)
    return found


def _owners(recipe: Recipe, known: set[str], annotations: Iterable[Iterable[Any]]) -> Callable[[str], set[str]]:
    """How an annotated name becomes protein IRIs.

    By STRING's aliases where they are given. Otherwise a name is a protein of the interactions if it is called so
    with or without its species (`4932.YAL001C`, `YAL001C`); in plain tables any name is a protein.
    """
    if recipe.aliases:
        wanted = {name for some in annotations for annotation in some for name in annotation.names}
        aliases = read_aliases(recipe.aliases, wanted)
        return lambda name: {iri_of(p) for p in aliases.get(name, ())} or ({iri_of(name)} & known)
    short: dict[str, set[str]] = {}
    for iri in known:
        short.setdefault(iri.rpartition("/")[2].partition(".")[2], set()).add(iri)
    names = {name for some in annotations for a in some if len(a.names) == 1 or not known for name in a.names[:1]}

    def owners(name: str) -> set[str]:
        iri = iri_of(name)
        return {iri} if iri in known else short.get(name) or ({iri} if name in names else set())

    return owners


def _split(pairs: list[NamePair], recipe: Recipe) -> dict[str, list[NamePair]]:
    names = sorted({name for pair in pairs for name in pair})
    number = {name: i for i, name in enumerate(names)}
    rows = np.array([(number[a], number[b]) for a, b in pairs], np.int64).reshape(-1, 2)
    together = recipe.twins_together and recipe.target == "interacts_with"
    parts = split(rows, recipe.shares, recipe.seed, together)
    for part, share in zip(PARTS, recipe.shares, strict=True):
        if share > 0 and not len(getattr(parts, part)):
            raise SettingError(f"{len(pairs)} axioms are too few for a {part} share of {share:.1%}: change --split")
    return {part: [pairs[i] for i in getattr(parts, part).tolist()] for part in PARTS}


def _ready_parts(parts: Mapping[str, list[NamePair]], recipe: Recipe, drops: Drops) -> dict[str, list[NamePair]]:
    """A ready-made split, with what stands in two parts only in the one that is held out most."""
    kept: dict[str, list[NamePair]] = {}
    taken: set[NamePair] = set()
    for part in reversed(PARTS):
        kept[part] = [pair for pair in parts[part] if pair not in taken]
        for a, b in set(parts[part]) & taken:
            drops.add(f"axioms of {part} that are held out too", f"{a} {b}")
        taken |= set(parts[part])
        if not kept[part]:
            raise ElgeoError(f"{recipe.ready[part]}: no axioms are left for {part} ({_reasons(drops)})")
    return {part: kept[part] for part in PARTS}


def _grafted(ontology: Ontology, proteins: Iterable[str], relations: Mapping[str, list[NamePair]]) -> Ontology:
    """The ontology with proteins as classes and P ⊑ ∃R.X for every pair."""
    builder = Builder.resume(ontology)
    node = {protein: builder.entity(Op.Class, protein) for protein in sorted(proteins)}
    for protein in node.values():
        builder.declare(protein)
    for name, pairs in relations.items():
        role = builder.entity(Op.ObjectProperty, iri_of(name))
        builder.declare(role)
        for head, tail in pairs:
            filler = node.get(tail)
            some = builder.node(
                Op.ObjectSomeValuesFrom, role, builder.entity(Op.Class, tail) if filler is None else filler
            )
            builder.axiom(Op.SubClassOf, node[head], some)
    return builder.finish(iri=ontology.iri, format=ontology.format, imports=ontology.imports)


def _record(recipe: Recipe, sources: list[dict[str, Any]]) -> dict[str, Any]:
    settings: dict[str, Any] = {"symmetric": recipe.symmetric, "twins_together": recipe.twins_together}
    if not recipe.ready:
        settings |= {"shares": [round(share, 9) for share in recipe.shares], "seed": recipe.seed}
    if recipe.min_score is not None:
        settings["min_score"] = recipe.min_score
    if recipe.evidence is not None:
        settings["evidence"] = sorted(recipe.evidence)
    return {"made_by": "build", "settings": settings, "sources": sources}


def _reasons(drops: Drops) -> str:
    return ", ".join(f"{count:,} {why}" for why, count in drops.counts.items()) or "the files name none"
