"""From a dataset to its evidence: contexts, operators, and which of them go together."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy import sparse

from elgeo.datasets.model import Dataset
from elgeo.errors import SettingError
from elgeo.models.atlas.contexts.likeness import mixed, weighted
from elgeo.models.atlas.contexts.logic import WORDING, Block, Logic, Matrix, binary, logical_blocks
from elgeo.models.atlas.contexts.vectors import read_vectors
from elgeo.models.atlas.contexts.words import texts_of, word_blocks
from elgeo.models.atlas.evidence import (
    ABOVE,
    BELOW,
    DRAWN,
    GROUPED,
    NEAR,
    REGRESSED,
    TOLD,
    WORDED,
    Evidence,
    GroupScores,
)
from elgeo.models.atlas.geometry import GEOMETRY, geometry_of
from elgeo.models.atlas.groups import Groups
from elgeo.models.atlas.operators.heads import AlikeHeads, HeadOperator, Itself, Walk
from elgeo.models.atlas.operators.neighbours import NeighbourRegression, common_heads
from elgeo.models.atlas.operators.tails import AlikeTails, AsTold, Kin, Regression, Same, SpokenFor, TailOperator
from elgeo.models.atlas.operators.target import Ids, Target
from elgeo.models.atlas.sampled.groups import SampledGroups
from elgeo.models.atlas.settings import DENSE, AtlasSettings
from elgeo.reasoning import Reasoner

HEAD_POWER, TAIL_POWER, RIDGE, POWER, PRIOR = 0.22, 0.22, 1.5, 3.0, 0.8
"""α, β, λ, how sharply the most alike count, and how much contexts count in the regression of tails."""
WALKED = 0.2
"""A role is walked over where it has so many edges for each head."""
FEWEST, JOINED = 5, 8
"""Axioms of another role between heads and tails from which on these are evidence; so many roles at most, each way."""
LARGEST, DRAWN_UP_TO = 2000, 600
"""Heads of a symmetric role up to which groups are found among them, and up to which they are drawn, which is slow."""
NO_EVIDENCE = (("itself", "same"), ("peers", "alike"))
"""What is known already, and what was of no use anywhere."""
NEAREST, COMMON_WORD = 30, 0.2
"""Heads that are asked by their texts alone, and the share of them from which on a word says too little."""
OF_TEXTS = ("chars", "text", *WORDING)
APART = ("chars", *WORDING)
"""Blocks that compare texts alone: heads with tails one by one, and heads with each other."""
CONTAINER = Path("/sys/fs/cgroup/memory.max")
"""Where a container says how much memory it has."""
VECTORS = "vectors"
"""The block of the user's own."""


@dataclass(frozen=True, eq=False)
class Parts:
    """The evidence of a dataset and the contexts it was made of."""

    logic: Logic
    blocks: dict[str, Block]
    evidence: Evidence


def build(dataset: Dataset, settings: AtlasSettings, say: Callable[[str], None]) -> Parts:
    """All evidence that the training axioms of a dataset give."""
    say("reasoning")
    logic = Logic(dataset, Reasoner(dataset.forms).saturation)
    say("contexts")
    target = Target.of(dataset)
    found = logical_blocks(logic) + word_blocks(logic, target.heads, target.members, *texts_of(dataset, logic.real))
    blocks = {block.name: block for block in found if block.name in settings.chosen}
    scaled = target.scaled(HEAD_POWER, TAIL_POWER)
    given = {} if settings.vectors == "none" else {VECTORS: read_vectors(Path(settings.vectors), dataset.vocabulary)}
    sides = (target.heads, target.tails, target.members)
    found_of = features_by_side(blocks, sides)
    of_heads, of_tails = (said | said_of(given, side) for said, side in zip(found_of[:2], sides[:2], strict=True))
    say("evidence")
    heads: dict[str, HeadOperator] = {"itself": Itself(target)}
    for role in walked_roles(dataset, logic):
        walk = Walk(target, logic.told[role])
        if walk.matrix.nnz > WALKED * len(target.heads):
            heads[f"walk {logic.role_names[role]}"] = walk
    if (walk := Walk(target, logic.below)).matrix.nnz > WALKED * len(target.heads):
        heads["walk ⊑"] = walk
    if (features := mixed(_small(of_heads), 1.0, logic.n)).shape[1]:
        heads["alike"] = AlikeHeads(target, features, POWER)
    if (texts := worded(blocks, target.heads, logic.n)).shape[1]:
        heads[WORDED] = AlikeHeads(target, texts, 1.0, NEAREST)
    if (told := weighted(target.by_class, target.heads)).nnz:
        heads["peers"] = AlikeHeads(target, told, POWER)
    tails: dict[str, TailOperator] = {"same": Same(target)}
    if WORDED in heads:
        tails[TOLD] = AsTold(target, TAIL_POWER)
    features = mixed(_small(of_tails), PRIOR, logic.n)
    if (warm := int(np.count_nonzero(target.tail_counts))) <= settings.dense:
        check_memory(warm)
        together = common_heads(scaled, np.flatnonzero(target.tail_counts))
        near = NeighbourRegression(target, scaled, RIDGE, together)
        tails |= {REGRESSED: Regression(target, scaled, features, RIDGE, together), NEAR: near}
    else:
        tails[REGRESSED] = NeighbourRegression(target, scaled, RIDGE)
    if features.shape[1]:
        alike = heads.get("alike")
        if target.symmetric and isinstance(alike, AlikeHeads):  # heads and tails are the same classes
            tails["alike"] = SpokenFor(alike.everyone)
        else:
            tails["alike"] = AlikeTails(target, features, POWER)
    for name, edges in ((ABOVE, logic.below.T.tocsr()), (BELOW, logic.below)):
        if (kin := Kin(target, edges)).matrix.nnz:
            tails[name] = kin
    pairs = [(head, tail) for head in heads for tail in tails if is_evidence(head, tail)]
    both = found_of[2] | given
    likeness = {name: rows for name, rows in both.items() if name in of_heads and name in of_tails}
    other = {} if settings.geometry == "none" else {GEOMETRY: geometry_of(settings.geometry, dataset, target)}
    more = links(logic, target), other, entailed(logic, target), groups(logic, target, blocks)
    return Parts(logic, blocks, Evidence(target, scaled, heads, tails, pairs, likeness, *more))


def groups(logic: Logic, target: Target, blocks: dict[str, Block]) -> dict[str, GroupScores]:
    """Groups among the heads of a symmetric role, by its axioms and by what is told directly."""
    if not target.symmetric or len(target.heads) > LARGEST:
        return {}
    contexts = mixed(_small(features_of(blocks, target.heads)), 1.0, logic.n)
    direct = [blocks["direct"].rows] if "direct" in blocks else []
    found = Groups(target, contexts, sparse.hstack([logic.below, *direct], format="csr"))
    if len(target.heads) > DRAWN_UP_TO:
        return {GROUPED: found}
    return {GROUPED: found, DRAWN: SampledGroups(found.known.axioms, found.known.features, found.tree)}


def worded(blocks: dict[str, Block], heads: Ids, n_classes: int) -> Matrix:
    """Features of texts alone, as many blocks as there are of it."""
    said = [blocks[name].rows for name in OF_TEXTS if name in blocks and blocks[name].rows[heads].nnz]
    return mixed([weighted(rows, heads, COMMON_WORD, alone=True) for rows in said], 1.0, n_classes)


def is_evidence(head: str, tail: str) -> bool:
    if head == WORDED or tail == TOLD:
        return head == WORDED and tail in ("same", TOLD)
    return (head, tail) not in NO_EVIDENCE and (head == "itself" or tail != NEAR)


def check_memory(tails: int) -> None:
    """Refuse a regression that the machine has no room for, before asking for it."""
    needed, there = 3 * 4 * tails**2, memory()
    if needed > there:
        raise SettingError(
            f"regressing {tails:,} tails on each other takes {needed / 2**30:.0f} GiB, this machine has "
            f"{there / 2**30:.0f}: regress each on the nearest alone (--set dense={min(DENSE, tails - 1)})"
        )


def memory() -> int:
    """Bytes that the machine has, or the container that this runs in is given."""
    there = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    with suppress(OSError):
        given = CONTAINER.read_text().strip()
        return min(there, int(given)) if given.isdecimal() else there
    return there


def features_of(blocks: dict[str, Block], members: Ids) -> dict[str, Matrix]:
    """The blocks that say something of these classes, weighted."""
    found = {name: weighted(block.rows, members) for name, block in blocks.items()}
    return {name: rows for name, rows in found.items() if rows[members].nnz}


def features_by_side(blocks: dict[str, Block], sides: Sequence[Ids]) -> list[dict[str, Matrix]]:
    """`features_of` each; where heads and tails are the same classes they are made once."""
    made = {side.tobytes(): side for side in sides}
    found = {key: features_of(blocks, side) for key, side in made.items()}
    return [found[side.tobytes()] for side in sides]


def said_of(given: dict[str, Matrix], members: Ids) -> dict[str, Matrix]:
    return {name: rows for name, rows in given.items() if rows[members].nnz}


def _small(blocks: dict[str, Matrix]) -> list[Matrix]:
    return [rows for name, rows in blocks.items() if name not in APART]


def small_features(parts: Parts, members: Ids) -> Matrix:
    """All contexts of these classes in one, but for the largest blocks."""
    return mixed(_small(features_of(parts.blocks, members)), 1.0, parts.logic.n)


def walked_roles(dataset: Dataset, logic: Logic) -> list[int]:
    own = [] if dataset.target_role is None or dataset.head_kind != dataset.tail_kind else [dataset.target_role]
    return [role for role in own + logic.other_roles if role in logic.told]


def links(logic: Logic, target: Target) -> dict[str, Matrix]:
    """What other training axioms join a head with a tail, either way, by class id and tail; the most used roles'."""
    found = {}
    told = {logic.role_names[role]: logic.told[role] for role in logic.other_roles}
    if target.role is not None:
        told["⊑"] = logic.below
    for label, edges in told.items():
        for name, matrix in ((f"joined by {label}", edges), (f"joined back by {label}", edges.T.tocsr())):
            between = matrix[target.heads][:, target.tails]
            if between.nnz >= FEWEST:
                found[name] = (int(between.nnz), sparse.csr_array(matrix[:, target.tails], dtype=np.float32))
    order = sorted(found, key=lambda name: -found[name][0])
    return {name: found[name][1] for name in order[:JOINED]}


def entailed(logic: Logic, target: Target) -> Matrix | None:
    """What follows already; for C ⊑ D also what is below the head. Nothing for a symmetric role: training is all."""
    if target.symmetric:
        return None
    found = binary(logic.above + logic.above.T) if target.role is None else logic.linked([target.role])
    return found[:, target.tails]
