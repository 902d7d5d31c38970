"""A dataset from files: an ontology, interactions, annotations; one of the two relations is the target."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from elgeo.arrays import Table
from elgeo.datasets.assemble import assemble
from elgeo.datasets.drops import Drops
from elgeo.datasets.model import Dataset
from elgeo.datasets.named_pairs import NamedPairs, sharing
from elgeo.datasets.sources.annotations import Annotations, read_aliases, read_annotations, resolve
from elgeo.datasets.sources.given import Given, at_hand
from elgeo.datasets.sources.iris import TermNames, iri_of, read_aloud, space_of
from elgeo.datasets.sources.links import read_links
from elgeo.datasets.sources.said import said
from elgeo.datasets.splits.splitting import split
from elgeo.errors import ElgeoError, SettingError
from elgeo.messages import counted
from elgeo.ontology.model import Ontology
from elgeo.ontology.reading.labels import ENGLISH
from elgeo.ontology.reading.merging import merged

TARGETS = ("interacts_with", "has_function")
PARTS = ("train", "valid", "test")
PROTEIN, TERM, OTHER = "protein", "go", "other"
PairsByPart = dict[str, NamedPairs]
"""The pairs of a relation for `train`, `valid` and `test`; all in `train` where there is no ready-made split."""


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
    proteins = _proteins(interactions)
    proteins |= {protein for some in annotations.values() for protein in some.column(0)}
    spaces = {space_of(term) for some in annotations.values() for term in some.column(-1)}

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


def _interactions(recipe: Recipe, drops: Drops) -> PairsByPart:
    """Pairs of protein IRIs."""
    found = dict.fromkeys(PARTS, np.empty((0, 2), np.int32))
    numbers: dict[str, int] = {}
    for part, paths in recipe.parts_of("interacts_with").items():
        links = (pair for path in paths for pair in read_links(path, recipe.min_score, drops))
        flat = [numbers.setdefault(iri_of(name), len(numbers)) for pair in links for name in pair]
        rows = np.array(flat, np.int32).reshape(-1, 2)
        found[part] = np.concatenate([rows, rows[:, ::-1]]) if recipe.symmetric else rows
    return sharing(list(numbers), found)


def _annotations(recipe: Recipe, terms: TermNames, interactions: PairsByPart, drops: Drops) -> PairsByPart:
    """Pairs of the IRIs of a protein and of a term."""
    lines = {part: Annotations() for part in recipe.parts_of("has_function")}
    for part, paths in recipe.parts_of("has_function").items():
        for path in paths:
            read_annotations(path, recipe.evidence, drops, lines[part])
    owners = _owners(recipe, _proteins(interactions), list(lines.values()))
    found = dict.fromkeys(PARTS, np.empty((0, 2), np.int32))
    numbers: dict[str, int] = {}
    for part, some in lines.items():
        found[part] = _resolved(some, owners, terms, numbers, drops)
    return sharing(list(numbers), found)


def _resolved(
    annotations: Annotations,
    owners: Callable[[str], set[str]],
    terms: TermNames,
    numbers: dict[str, int],
    drops: Drops,
) -> Table:
    """The lines as rows of `numbers`, in which IRIs that are new get the next ones."""

    def number(iri: str | None) -> int:
        return -1 if iri is None else numbers.setdefault(iri, len(numbers))

    proteins = np.array([number(iri) for iri in resolve(annotations, owners, drops)], np.int32)
    rows = annotations.rows
    rows = rows[proteins[rows[:, 0]] >= 0] if len(rows) else rows
    times = np.bincount(rows[:, 1], minlength=len(annotations.terms)).tolist()
    known = np.full(len(times), -1, np.int32)
    for i, (term, count) in enumerate(zip(annotations.terms, times, strict=True)):
        if count:
            known[i] = number(terms.find(term))
            if known[i] < 0:
                drops.add("annotations with terms that are not in the ontology", term, count)
    pairs = np.column_stack([proteins[rows[:, 0]], known[rows[:, 1]]]) if len(rows) else rows
    return pairs[pairs[:, 1] >= 0]


def _proteins(interactions: PairsByPart) -> set[str]:
    return {name for some in interactions.values() for end in (0, -1) for name in some.column(end)}


def _owners(recipe: Recipe, known: set[str], annotations: list[Annotations]) -> Callable[[str], set[str]]:
    """How an annotated name becomes protein IRIs.

    By STRING's aliases where they are given. Otherwise a name is a protein of the interactions if it is called so
    with or without its species (`4932.YAL001C`, `YAL001C`); in plain tables any name is a protein.
    """
    several = [names for some in annotations for names in some.who]
    if recipe.aliases:
        aliases = read_aliases(recipe.aliases, {name for names in several for name in names})
        return lambda name: {iri_of(p) for p in aliases.get(name, ())} or ({iri_of(name)} & known)
    short: dict[str, set[str]] = {}
    for iri in known:
        short.setdefault(iri.rpartition("/")[2].partition(".")[2], set()).add(iri)
    alone = {names[0] for names in several if len(names) == 1 or not known}

    def owners(name: str) -> set[str]:
        iri = iri_of(name)
        return {iri} if iri in known else short.get(name) or ({iri} if name in alone else set())

    return owners


def _split(pairs: NamedPairs, recipe: Recipe) -> PairsByPart:
    together = recipe.twins_together and recipe.target == "interacts_with"
    parts = split(pairs.rows, recipe.shares, recipe.seed, together)
    for part, share in zip(PARTS, recipe.shares, strict=True):
        if share > 0 and not len(getattr(parts, part)):
            raise SettingError(f"{counted(len(pairs), 'axiom')}: too few for a {part} share of {share:.1%} (--split)")
    return {part: pairs.taken(getattr(parts, part)) for part in PARTS}


def _ready_parts(parts: PairsByPart, recipe: Recipe, drops: Drops) -> PairsByPart:
    """A ready-made split, with what stands in two parts only in the one that is held out most."""
    kept: PairsByPart = {}
    taken = np.empty(0, np.int64)
    for part in reversed(PARTS):
        twice = np.isin(parts[part].keys, taken)
        kept[part] = parts[part].taken(np.flatnonzero(~twice))
        for a, b in parts[part].taken(np.flatnonzero(twice)):
            drops.add(f"axioms of {part} that are held out too", f"{a} {b}")
        taken = np.concatenate([taken, parts[part].keys])
        if not kept[part]:
            raise ElgeoError(f"{recipe.ready[part]}: no axioms are left for {part} ({_reasons(drops)})")
    return {part: kept[part] for part in PARTS}


def _grafted(ontology: Ontology, proteins: Iterable[str], relations: Mapping[str, NamedPairs]) -> Ontology:
    """The ontology with proteins as classes and P ⊑ ∃R.X for every pair."""
    added = said(sorted(proteins), {iri_of(name): pairs for name, pairs in relations.items()})
    return replace(merged([ontology, added]), synonyms=ontology.synonyms, imports=ontology.imports)


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
