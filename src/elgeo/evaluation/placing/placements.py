"""Terms with what was said of them, and the placement of a run: learnt at the first question, kept in its folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from elgeo.errors import ElgeoError, SettingError
from elgeo.evaluation.placing.suggestions import Placed, Suggestion
from elgeo.models.placement.model import Placement
from elgeo.ontology.vocabulary import Vocabulary
from elgeo.training.folder.tensors import load_arrays, save_arrays
from elgeo.training.run import Run

WEIGHTS = "placement.safetensors"
SURE = 0.25
"""Belief from which a suggestion goes into an ontology beside the first parent."""


@dataclass(frozen=True)
class Placements(Sequence[Placed]):
    """What was said of terms, with the names behind the ids."""

    names: Vocabulary
    placed: Sequence[Placed]

    def __len__(self) -> int:
        return len(self.placed)

    def __getitem__(self, index):  # type: ignore[no-untyped-def]  # one or several, as of any sequence
        return self.placed[index]

    def __iter__(self) -> Iterator[Placed]:
        return iter(self.placed)


def chosen(placed: Placed) -> tuple[list[Suggestion], dict[int, list[Suggestion]]]:
    """The suggestions an editor would begin with: the first parent, and what is sure, unless it follows or clashes."""
    open_ones = [parent for parent in placed.parents if not parent.verdict]
    first = placed.first_parents
    parents = first + [each for each in open_ones if each.share >= SURE and each not in first]
    relations = {
        role: sure
        for role, found in placed.relations.items()
        if (sure := [each for each in found if not each.verdict and each.share >= SURE])
    }
    return parents, relations


def vectors_of(run: Run) -> Path | None:
    """The file of the user's own vectors that a run was trained with (`--set vectors=FILE`)."""
    file = getattr(run.settings.own, "vectors", "none")
    return None if file == "none" else Path(file)


def placement_of(run: Run, say: Callable[[str], None] = lambda _: None) -> Placement:
    """What the training of a run knows about new terms; weights that fit are taken from its folder."""
    vectors = vectors_of(run)
    kept: Path | None = None if run.folder is None else run.folder / WEIGHTS
    if kept is not None and kept.is_file():
        try:
            return Placement.restore(run.dataset, load_arrays(kept)[0], vectors)
        except SettingError as error:
            say(f"{kept}: {error}; they are learnt anew")
    found = Placement.fit(run.dataset, np.random.default_rng(run.settings.training.seed), say, vectors)
    if kept is not None:
        try:
            save_arrays(kept, found.arrays(), {})
        except ElgeoError as error:  # someone else's folder: the answer is worth having all the same
            say(f"not kept: {error}")
    return found
