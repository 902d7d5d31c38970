"""Terms whose place is known, placed as if it were not: of a newer release, or old classes held out whole."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from elgeo.arrays import Places
from elgeo.datasets.model import Dataset
from elgeo.datasets.releases.reading import has_new_terms, read_new_terms
from elgeo.errors import ElgeoError
from elgeo.models.placement.knowledge import Knowledge
from elgeo.models.placement.model import Placement
from elgeo.models.placement.reranking.newness import choose, hold_out
from elgeo.models.placement.terms import Term
from elgeo.training.run import Run

OF_TEST = 500
"""Classes that are held out to be placed."""


class Newcomers(NamedTuple):
    """Terms, the classes they are told to be related to by role, and what is known when they are placed."""

    what: str
    terms: Sequence[Term]
    true: Mapping[int | None, Sequence[Places]]
    """Numbers of the placement's `Knowledge`."""
    placement: Placement


def back_test_of(run: Run) -> Path | None:
    """The folder of the back-test that a run's dataset is part of, if it is."""
    known = run.record.dataset
    given = run.given_dataset if isinstance(run.given_dataset, str) else None
    beside = str(run.folder / known.relative) if run.folder and known.relative else None
    for place in (given, known.path, beside):
        if place and has_new_terms(Path(place).resolve().parent):
            return Path(place).resolve().parent
    return None


def of_release(placement: Placement, folder: Path) -> Newcomers:
    """The new terms of a back-test's folder that are told to be below an old class, or related to one."""
    knowledge = placement.knowledge
    names = knowledge.dataset.vocabulary
    classes = {name: int(knowledge.place[i]) for i, name in reversed(list(enumerate(names.classes)))}
    roles: dict[str, int | None] = {"": None, **{name: i for i, name in enumerate(names.roles)}}
    terms, axioms = read_new_terms(folder)
    ends: dict[tuple[int | None, str], list[int]] = {}
    for head, role, tail in axioms:
        if roles.get(role, -1) in knowledge.told and classes.get(tail, -1) >= 0:
            ends.setdefault((roles[role], head), []).append(classes[tail])
    placed = [(iri, Term.of(label, synonyms, text)) for iri, label, synonyms, text in terms if label]
    placed = [(iri, term) for iri, term in placed if any((role, iri) in ends for role in knowledge.told)]
    if not placed:
        raise ElgeoError(f"{folder}: no new term is related to a class of the dataset")
    true = {
        role: [np.array(sorted(ends.get((role, iri), ())), np.int64) for iri, _ in placed] for role in knowledge.told
    }
    what = f"{len(placed):,} terms that only the newer release has"
    return Newcomers(what, [term for _, term in placed], true, placement)


def held_out_whole(
    dataset: Dataset,
    generator: np.random.Generator,
    say: Callable[[str], None] = lambda _: None,
    vectors: Path | None = None,
) -> Newcomers:
    """Old classes, all that is told of them left out; what is known is learnt of the others."""
    knowledge = Knowledge.of(dataset, vectors)
    knowledge.check()
    out = hold_out(knowledge, choose(knowledge, OF_TEST, generator))
    if not out.terms:
        raise ElgeoError(f"{dataset.name} has too few classes that others are above: none can be held out whole")
    what = f"{len(out.terms):,} classes held out whole"
    return Newcomers(what, out.terms, out.true, Placement.learn(out.left, generator, say))
