"""A completion dataset from any ontology of one's own: some of its axioms of one shape are held out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elgeo.datasets.assemble import NamePair, assemble
from elgeo.datasets.model import Dataset
from elgeo.datasets.sources.names import read_aloud
from elgeo.datasets.sources.text import Drops, sha256
from elgeo.datasets.splits.leakage import leakage
from elgeo.datasets.splits.patterns import Pattern, matches, parse_pattern
from elgeo.datasets.splits.splitting import split
from elgeo.datasets.splits.unlearn import unlearn
from elgeo.errors import ElgeoError, SettingError
from elgeo.ontology.expressions import Op
from elgeo.ontology.model import Ontology

PARTS = ("train", "valid", "test")
ENTAILED = ("keep", "drop", "remove-entailing")


@dataclass(frozen=True)
class HoldOut:
    """What to hold out of an ontology."""

    ontology: Path
    axioms: str
    """The pattern, for example `?C SubClassOf part_of some ?D`."""
    shares: tuple[float, float, float] = (0.9, 0.05, 0.05)
    seed: int = 0
    entailed: str = "keep"
    """What to do with held-out axioms that the training axioms entail all the same: `keep` them; `drop` them; or
    `remove-entailing`, that is, take axioms out of training until it entails none of them."""
    kinds: Mapping[str, str] = field(default_factory=dict)
    """Kinds by the start of the IRI, `{"protein": "http://4932."}`; all other classes are of the kind `class`."""
    imports: tuple[Path, ...] = ()
    """Files and folders in which imported ontologies are found."""
    name: str = "dataset"

    def __post_init__(self) -> None:
        if self.entailed not in ENTAILED:
            raise SettingError(
                f"entailed held-out axioms can be treated by {', '.join(ENTAILED)}, not {self.entailed!r}"
            )


def hold_out(recipe: HoldOut, say: Callable[[str], None] = lambda _: None) -> tuple[Dataset, Drops]:
    """Read the ontology, hold out axioms of the pattern, and make a dataset of the rest."""
    digest = sha256(recipe.ontology)
    say(f"reading {recipe.ontology}")
    ontology = read_aloud(recipe.ontology, recipe.imports, say)
    pattern = parse_pattern(recipe.axioms, ontology)
    nodes, pairs = matches(ontology, pattern)
    if not len(nodes):
        raise ElgeoError(f"{recipe.ontology}: no axiom between two names has the shape {recipe.axioms!r}")
    parts = split(_numbered_by_name(ontology, pairs), recipe.shares, recipe.seed, twins_together=False)
    for part, share in zip(PARTS, recipe.shares, strict=True):
        if share > 0 and not len(getattr(parts, part)):
            raise SettingError(f"{len(nodes)} axioms are too few for a {part} share of {share:.1%}: change --split")
    part_of = np.zeros(len(nodes), np.int8)
    part_of[parts.valid], part_of[parts.test] = 1, 2
    source = {
        "what": "ontology",
        "file": recipe.ontology.name,
        "bytes": recipe.ontology.stat().st_size,
        "sha256": digest,
    }
    settings: dict[str, Any] = {
        "axioms": recipe.axioms,
        "shares": [round(s, 9) for s in recipe.shares],
        "seed": recipe.seed,
    }
    record = {"made_by": "split", "settings": settings | {"entailed": recipe.entailed}, "sources": [source]}
    make = _Maker(recipe, ontology, pattern, nodes, pairs, record)
    drops = Drops()
    if recipe.entailed == "remove-entailing":
        say("looking for training axioms that entail held-out ones")
        return unlearn(lambda removed: make(part_of, removed), drops, say), drops
    say("normalising")
    dataset = make(part_of)
    if recipe.entailed == "drop":
        say("looking for held-out axioms that training entails")
        dataset = _without_entailed(dataset, drops)
    return dataset, drops


@dataclass(frozen=True, eq=False)
class _Maker:
    """Makes the dataset for a division of the matching axioms; called again when the division changes."""

    recipe: HoldOut
    ontology: Ontology
    pattern: Pattern
    nodes: NDArray[np.int32]
    pairs: NDArray[np.int32]
    record: Mapping[str, Any]

    def names(self, chosen: NDArray[np.bool_]) -> list[NamePair]:
        """The chosen matching axioms as pairs of IRIs."""
        strings, start, args = self.ontology.strings, self.ontology.start, self.ontology.args
        return [(strings[args[start[a]]], strings[args[start[b]]]) for a, b in self.pairs[chosen].tolist()]

    def __call__(self, part_of: NDArray[np.int8], removed: NDArray[np.int32] | None = None) -> Dataset:
        """`part_of` each match: 0 train, 1 valid, 2 test, -1 neither; `removed`: further axiom nodes to leave out."""
        away = self.nodes[part_of != 0]
        if removed is not None:
            away = np.concatenate([away, removed])
            part_of = np.where((part_of == 0) & np.isin(self.nodes, removed), -1, part_of)
        train = replace(
            self.ontology,
            axiom_nodes=self.ontology.axiom_nodes[~np.isin(self.ontology.axiom_nodes, away)],
            declared=np.union1d(self.ontology.declared, self.pairs.ravel()).astype(np.int32),
        )
        parts = {part: self.names(part_of == number) for number, part in enumerate(PARTS)}
        head_kind, tail_kind = self._kinds([pair for some in parts.values() for pair in some])
        return assemble(
            name=self.recipe.name,
            ontology=train,
            role=self.pattern.role,
            parts=parts,
            kind_of=self.kind_of,
            head_kind=head_kind,
            tail_kind=tail_kind,
            record=self.record,
        )

    def kind_of(self, iri: str, is_individual: bool) -> str:
        """The kind a class is declared to have, else `class` or `individual`."""
        for kind, start in self.recipe.kinds.items():
            if iri.startswith(start):
                return kind
        return "individual" if is_individual else "class"

    def _kinds(self, pairs: list[NamePair]) -> tuple[str, str]:
        """The kinds of heads and tails; a target has one of each, so a mixture is an error."""
        found = []
        for side, word in ((0, "left"), (1, "right")):
            is_individual = bool(self.ontology.op[self.pairs[0, side]] == Op.NamedIndividual)
            counts = Counter(self.kind_of(pair[side], is_individual) for pair in pairs)
            if len(counts) > 1:
                mixture = ", ".join(f"{n:,} {kind}" for kind, n in counts.most_common())
                raise SettingError(
                    f"the {word} sides of {self.recipe.axioms!r} are of several kinds ({mixture}): change --kind"
                )
            found.append(next(iter(counts)))
        return found[0], found[1]


def _numbered_by_name(ontology: Ontology, pairs: NDArray[np.int32]) -> NDArray[np.int64]:
    """The pairs with numbers in the order of names, so that a split does not depend on the order of the file."""
    used, inverse = np.unique(pairs, return_inverse=True)
    order = np.argsort(np.array([ontology.string(n) for n in used.tolist()], dtype=object).astype(str), kind="stable")
    rank = np.empty(len(used), np.int64)
    rank[order] = np.arange(len(used))
    return rank[inverse].reshape(pairs.shape)


def _without_entailed(dataset: Dataset, drops: Drops) -> Dataset:
    entailed = leakage(dataset, np.concatenate([dataset.valid, dataset.test])).entailed
    in_valid, in_test = entailed[: len(dataset.valid)], entailed[len(dataset.valid) :]
    for part, flags in (("valid", in_valid), ("test", in_test)):
        drops.count(f"{part} axioms that training entails", int(flags.sum()))
        if len(flags) and flags.all():
            raise ElgeoError(f"training entails all {len(flags):,} {part} axioms: none would be left")
    return replace(dataset, valid=dataset.valid[~in_valid], test=dataset.test[~in_test])
