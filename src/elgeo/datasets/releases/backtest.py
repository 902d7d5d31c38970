"""`BackTest`: the old release as training, and what the new one added as what is held out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from elgeo.datasets.assemble import OBSOLETE, assemble
from elgeo.datasets.drops import Drops
from elgeo.datasets.finishing import finished
from elgeo.datasets.model import Dataset
from elgeo.datasets.releases.changes import Changes, Release, changes, with_successors
from elgeo.datasets.releases.dates import day_of
from elgeo.datasets.releases.succession import Succession
from elgeo.datasets.sources.given import Given, at_hand
from elgeo.datasets.sources.iris import read_aloud
from elgeo.datasets.splits.patterns import Pattern, parse_pattern
from elgeo.datasets.splits.shapes import ALL, ENOUGH, every_shape, folders, written
from elgeo.datasets.targets import TargetDataset
from elgeo.documents import shown
from elgeo.errors import ElgeoError, SettingError
from elgeo.ontology.expressions import Op
from elgeo.ontology.model import Ontology
from elgeo.ontology.reading.labels import ENGLISH

CLASS, INDIVIDUAL = "class", "individual"


@dataclass(frozen=True)
class Releases:
    """Two releases and the shapes of axioms to be completed."""

    old: Given
    new: Given
    axioms: Sequence[str] = (ALL,)
    imports: tuple[Path, ...] = ()
    name: str = "releases"
    language: str = ENGLISH
    """Of labels and texts, where there are several."""


class NewTerm(NamedTuple):
    """A new term as whoever proposes it would write it down."""

    iri: str
    label: str
    synonyms: tuple[str, ...]
    definition: str


@dataclass(frozen=True, eq=False)
class BackTestTarget(TargetDataset):
    """One shape of axiom, with what changed."""

    changes: Changes


@dataclass(frozen=True, eq=False)
class BackTest:
    """What the curators of an ontology did between two releases."""

    name: str
    targets: Sequence[BackTestTarget]
    others: Sequence[tuple[str, Changes]]
    """Shapes that have too few axioms to be a target."""
    names: Succession
    terms: Sequence[NewTerm]
    sources: Sequence[dict[str, Any]]

    def counts(self) -> dict[str, Any]:
        """For the record and for people."""
        everything = [(target.axioms, target.changes) for target in self.targets] + list(self.others)
        axioms: dict[str, dict[str, int]] = {}
        for text, found in everything:  # two roles may have one label
            name = f"?C SubClassOf <{found.pattern.role}> some ?D" if text in axioms else text
            axioms[name] = found.counts()
        return {
            "classes": {
                "old": len(self.names.old),
                "new": len(self.names.new),
                "kept": len(self.names.kept),
                "gone": len(self.names.old - self.names.new),
                "gone_and_followed": len(self.names.followed),
                "new_terms": len(self.terms),
                "renamed": len(self.names.renamed),
            },
            "axioms": axioms,
        }


def back_test(recipe: Releases, say: Callable[[str], None] = lambda _: None) -> BackTest:
    """Read both releases and see what came and went."""
    with at_hand([("old release", recipe.old), ("new release", recipe.new)], say) as (places, sources):
        if sources[0]["sha256"] == sources[1]["sha256"]:
            raise SettingError(f"{recipe.old} and {recipe.new} are the same file: nothing can have changed")
        old, new = (
            read_aloud(places[release], recipe.imports, say, recipe.language) for release in (recipe.old, recipe.new)
        )
        days = [day_of(places[release]) for release in (recipe.old, recipe.new)]
    names = Succession.of(old, new)
    if not names.kept:
        raise ElgeoError(f"{recipe.old} and {recipe.new} have no class in common: they are no releases of one ontology")
    if days[0] and days[1] and days[0] > days[1]:
        say(f"warning: {recipe.old} looks like the newer one: it is of {days[0]}, {recipe.new} of {days[1]}")
    elif names.backwards(old, new):
        say(f"warning: {recipe.old} looks like the newer one: it has as obsolete what {recipe.new} uses")
    patterns = _patterns(recipe.axioms, old)
    before, after = Release(old), Release(new)
    merged = Release(with_successors(old, names))
    found = []
    for pattern in patterns:
        say(f"comparing axioms {written(pattern, old)}")
        found.append(changes(pattern, before, merged, after, names))
    wanted = list(recipe.axioms) != [ALL]
    chosen = [each for each in found if wanted or _is_enough(each)]
    if not any(each.held_out for each in chosen):
        if few := [each for each in found if each.held_out]:
            most = max(few, key=lambda each: len(each.held_out))
            raise SettingError(
                f"no shape has {ENOUGH} axioms or more to train on and to hold out; the most came of"
                f" {written(most.pattern, old)} ({len(most.held_out):,}): name it with --axioms to take it anyway"
            )
        raise ElgeoError(f"{recipe.new} has no axiom between classes of {recipe.old} that does not follow from it")
    names_of_folders = folders((each.pattern for each in chosen), old)
    targets = []
    for folder, each in zip(names_of_folders, chosen, strict=True):
        if not each.trained or not each.held_out:
            raise SettingError(
                f"{written(each.pattern, old)}: {len(each.trained):,} axioms to train on and {len(each.held_out):,} "
                "held out: leave this shape out"
            )
        say(f"making {folder}")
        record = {"made_by": "releases", "settings": {"axioms": written(each.pattern, old)}, "sources": sources}
        drops = Drops()
        dataset = finished(_dataset(f"{recipe.name}-{folder}", old, each, record), drops)
        targets.append(BackTestTarget(folder, written(each.pattern, old), dataset, drops.listed, each))
    rest = [(written(each.pattern, old), each) for each in found if each not in chosen]
    return BackTest(recipe.name, targets, rest, names, _terms(new, names), sources)


def _patterns(axioms: Sequence[str], old: Ontology) -> list[Pattern]:
    if list(axioms) != [ALL]:
        found = [parse_pattern(text, old) for text in axioms]
        if wrong := [text for text, pattern in zip(axioms, found, strict=True) if pattern.op != Op.SubClassOf]:
            raise SettingError(f"--axioms {shown(wrong[0])}: a back-test is about classes (?C SubClassOf …), or `all`")
        return list(dict.fromkeys(found))
    return every_shape(old)


def _is_enough(found: Changes) -> bool:
    return min(len(found.trained), len(found.held_out)) >= ENOUGH


def _dataset(name: str, old: Ontology, found: Changes, record: dict[str, Any]) -> Dataset:
    obsolete = {*old.deprecated, *old.alternatives}

    def kind_of(iri: str, is_individual: bool) -> str:
        return INDIVIDUAL if is_individual else OBSOLETE if iri in obsolete else CLASS

    parts = {"train": found.trained, "valid": [], "test": found.held_out}
    return assemble(name, old, found.pattern.role, parts, kind_of, CLASS, CLASS, record=record)


def _terms(new: Ontology, names: Succession) -> list[NewTerm]:
    return [
        NewTerm(iri, new.labels.get(iri, ""), new.synonyms.get(iri, ()), new.definitions.get(iri, ""))
        for iri in sorted(names.new - names.old)
    ]
