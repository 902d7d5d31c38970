"""Axioms of several shapes held out of one ontology: a dataset for each shape, all with the same training."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from elgeo.datasets.drops import Drops
from elgeo.datasets.finishing import finished
from elgeo.datasets.model import Dataset
from elgeo.datasets.sources.given import at_hand
from elgeo.datasets.sources.iris import read_aloud
from elgeo.datasets.splits.choosing import COLD, WARM, Chooser
from elgeo.datasets.splits.elsewhere import also_said
from elgeo.datasets.splits.holdout import HoldOut, check_kinds
from elgeo.datasets.splits.making import Maker, TargetAxioms
from elgeo.datasets.splits.patterns import Pattern, matches, parse_pattern
from elgeo.datasets.splits.shapes import ALL, ENOUGH, every_shape, folders, written
from elgeo.datasets.targets import TargetDataset, check_place, save_targets
from elgeo.documents import shown
from elgeo.errors import ElgeoError, SettingError
from elgeo.files import folder_written_atomically
from elgeo.ontology import normalise
from elgeo.ontology.expressions import Op
from elgeo.ontology.model import Ontology

OPERATORS = (Op.SubClassOf, Op.ClassAssertion, Op.ObjectPropertyAssertion)


@dataclass(frozen=True, eq=False)
class SeveralTargets:
    """Datasets with one training."""

    name: str
    targets: Sequence[TargetDataset]
    record: Mapping[str, Any] = field(default_factory=dict)

    def save(self, folder: Path, replace_existing: bool = False) -> None:
        """Write them whole or not at all; the same split gives the same bytes."""
        check_place(folder, replace_existing)
        with folder_written_atomically(folder) as place:
            save_targets(place, self.name, self.targets, self.record)


class _Shape(NamedTuple):
    maker: Maker
    part_of: NDArray[np.int8]


def hold_out_several(
    recipe: HoldOut, axioms: Sequence[str], say: Callable[[str], None] = lambda _: None
) -> SeveralTargets:
    """Hold out axioms of each shape, `all`: of every one that has enough; no training has those of another shape."""
    division = recipe.division
    if division.split_definitions or division.classes == COLD or division.entailed != "keep":
        raise SettingError(
            "several shapes are held out as they are told: --cold, --split-definitions, --drop-entailed and"
            " --remove-entailing take one shape at a time"
        )
    with at_hand([("ontology", recipe.ontology)], say) as (places, sources):
        ontology = read_aloud(places[recipe.ontology], recipe.imports, say, recipe.language)
    check_kinds(recipe.kinds, ontology)
    patterns = _patterns(axioms, ontology, sum(division.shares[1:]))
    record = {"made_by": "split", "settings": division.settings(), "sources": sources}
    shapes = [_shape(recipe, pattern, ontology, record, say) for pattern in patterns]
    datasets = _settled(shapes, division.classes == WARM, say)
    made = []
    for folder, shape, dataset in zip(folders(patterns, ontology), shapes, datasets, strict=True):
        drops = Drops()
        named = replace(dataset, name=f"{recipe.name}-{folder}")
        made.append(TargetDataset(folder, shape.maker.target.text, finished(named, drops), drops.listed))
    return SeveralTargets(recipe.name, made, {"made_by": "split", "sources": sources})


def _patterns(axioms: Sequence[str], ontology: Ontology, share: float) -> list[Pattern]:
    if list(axioms) != [ALL]:
        if ALL in axioms:
            raise SettingError("--axioms all takes every shape that has enough axioms: give it alone")
        return list(dict.fromkeys(parse_pattern(text, ontology) for text in axioms))
    counts = {pattern: len(matches(ontology, pattern)[0]) for pattern in every_shape(ontology, OPERATORS)}
    if found := [pattern for pattern, count in counts.items() if count * min(share, 1 - share) >= ENOUGH]:
        return found
    most = max(counts, key=lambda pattern: counts[pattern])
    raise SettingError(
        f"--axioms all: no shape has {ENOUGH} axioms or more to train on and to hold out; {written(most, ontology)} has"
        f" the most ({counts[most]:,}): name it to take it anyway, or hold out a larger share (--split)"
    )


def _shape(
    recipe: HoldOut, pattern: Pattern, ontology: Ontology, record: Mapping[str, Any], say: Callable[[str], None]
) -> _Shape:
    text = written(pattern, ontology)
    say(f"choosing axioms {text}")
    nodes, pairs = matches(ontology, pattern)
    if not len(nodes):
        raise ElgeoError(f"{recipe.ontology}: no axiom between two names has the shape {shown(text)}")
    forms = normalise(ontology)
    trained = ontology.axiom_nodes[np.unique(np.concatenate([rows[:, 1] for rows in forms.origins.values()]))]
    stays = np.isin(nodes, list(also_said(forms, pattern.form, nodes)))
    chooser = Chooser(ontology, nodes, pairs, stays, trained)
    try:
        chosen = chooser.choose(recipe.classes, recipe.shares, recipe.seed)
    except SettingError as error:
        raise SettingError(f"{text}: {error}") from None
    settings = {"axioms": text, **recipe.division.settings()}
    target = TargetAxioms(text, pattern, nodes, pairs, recipe.kind_of)
    return _Shape(Maker(recipe.name, ontology, target, {}, {**record, "settings": settings}), chosen.part_of)


def _settled(shapes: Sequence[_Shape], warm: bool, say: Callable[[str], None]) -> list[Dataset]:
    """A dataset for each shape without what is held out of any; what cannot be held out goes back for all.

    Each round holds out fewer, so there is a last one.
    """
    parts = [shape.part_of for shape in shapes]
    while True:
        made, before = [], [part.copy() for part in parts]
        for i, shape in enumerate(shapes):
            say(f"normalising for {shape.maker.target.text}")
            others = [s.maker.target.nodes[parts[j] > 0] for j, s in enumerate(shapes) if j != i]
            removed = np.concatenate([*others, np.array([], np.int32)]).astype(np.int32)
            dataset, parts[i] = shape.maker.settled(parts[i], removed, warm)
            made.append(dataset)
        if all(np.array_equal(old, new) for old, new in zip(before, parts, strict=True)):
            return made
