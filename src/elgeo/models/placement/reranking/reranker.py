"""`ParentNet`: scores of the likeliest parents by small nets over all that is seen of them, kept where that helps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Floats, Places
from elgeo.errors import SettingError
from elgeo.models.atlas.operators.dense import Dense
from elgeo.models.atlas.reranking.examples import Examples
from elgeo.models.atlas.reranking.net import NAMES, Net
from elgeo.models.contract import Arrays
from elgeo.models.placement.evidence import NameEvidence, SeenTerms
from elgeo.models.placement.reranking.candidates import MOST
from elgeo.models.placement.reranking.columns import Closely, PairColumns
from elgeo.models.placement.reranking.newness import HeldOut
from elgeo.models.placement.weighing import Rows, scores

NETS = 2
"""Their scores are averaged: each began elsewhere."""
JUDGES = 6
"""Of the terms held out last each sixth judges, and teaches nothing."""
FEW = 300
"""True parents below which no net is tried."""
AT_ONCE = 32


class ParentNet:
    """Replaces the scores of the best candidates; all others stay behind these, in the order they had."""

    def __init__(self, nets: Sequence[Net], columns: Sequence[str]) -> None:
        self._nets, self.columns = nets, tuple(columns)

    def scores(self, pairs: PairColumns, seen: SeenTerms, rows: Rows, before: Dense) -> Dense:
        """`before` are those of the closed form, for all classes."""
        return self.ranked(pairs.look(seen, rows, before), before)

    def ranked(self, closely: Closely, before: Dense) -> Dense:
        if tuple(closely.columns) != self.columns:  # an ontology without definitions, say, has fewer
            return before
        sheet = np.ascontiguousarray(np.moveaxis(closely.rows.astype(np.float32), -1, 0))
        found = np.mean([net.scores(sheet) for net in self._nets], axis=0)
        behind = found.min(axis=1, keepdims=True) - 1
        made: Dense = (before - before.max(axis=1, keepdims=True) + behind).astype(np.float32)
        np.put_along_axis(made, closely.candidates, found.astype(np.float32), 1)
        return made

    def arrays(self) -> Arrays:
        return {f"net{i}.{name}": array for i, net in enumerate(self._nets) for name, array in net.arrays().items()}

    @classmethod
    def restore(cls, arrays: Mapping[str, NDArray[Any]], columns: Sequence[str]) -> ParentNet:
        """What `arrays` gave; anything else is refused."""
        nets: list[Net] = []
        while f"net{len(nets)}.{NAMES[0]}" in arrays:
            start = f"net{len(nets)}."
            mine = {name.removeprefix(start): array for name, array in arrays.items() if name.startswith(start)}
            if not all(np.isfinite(array).all() for array in mine.values()):
                raise SettingError("the nets for new terms have values that are no numbers")
            nets.append(Net.restore(mine, len(columns)))
        return cls(nets, columns)


class Lesson(NamedTuple):
    """Some terms looked at closely, with their true parents and what the closed form says."""

    closely: Closely
    true: Sequence[Places]
    before: Dense


def lessons(evidence: NameEvidence, weights: Floats, out: HeldOut) -> Iterator[Lesson]:
    """All held-out terms with a parent, some at a time."""
    pairs = PairColumns(evidence)
    kept = [i for i, ends in enumerate(out.true[None]) if len(ends)]
    for first in range(0, len(kept), AT_ONCE):
        some = kept[first : first + AT_ONCE]
        seen = evidence.look([out.terms[i] for i in some])
        rows = evidence.rows(seen, None)
        before = scores(rows, weights, len(some), evidence.size)
        yield Lesson(pairs.look(seen, rows, before), [out.true[None][i] for i in some], before)


def learnable(lesson: Lesson) -> Examples:
    """The candidates of each term as rivals of its true parents; those that are no candidates teach nothing."""
    found, rows = lesson.closely.candidates, lesson.closely.rows
    rows = np.pad(rows, ((0, 0), (0, MOST - found.shape[1]), (0, 0)))
    weights = np.full(rows.shape[:2], -np.inf, np.float32)
    weights[:, : found.shape[1]] = 0
    true, owner = [], []
    for i, ends in enumerate(lesson.true):
        mine = np.flatnonzero(np.isin(found[i], ends))
        weights[i, mine] = -np.inf
        true.append(rows[i, mine])
        owner += [i] * len(mine)
    return Examples(rows, weights, np.concatenate(true).astype(np.float32), np.array(owner, np.int64))


def learn(
    folds: Iterator[Iterator[Lesson]], generator: np.random.Generator, say: Callable[[str], None]
) -> ParentNet | None:
    """Nets that are taught by all folds but a part of the last one, if they rank the parents of that part better."""
    parts: list[Examples] = []
    judges: list[Lesson] = []
    columns: list[str] = []
    for fold in folds:
        parts += map(learnable, judges[:])
        judges = []
        for number, lesson in enumerate(fold):
            columns = columns or list(lesson.closely.columns)
            if list(lesson.closely.columns) != columns:
                return None
            if number % JUDGES == 0:
                judges.append(lesson)
            else:
                parts.append(learnable(lesson))
    if sum(len(part.true) for part in parts) < FEW or not judges:
        return None
    examples = Examples.together(parts)
    made = ParentNet([Net.learn(examples, generator, say) for _ in range(NETS)], columns)
    gains = [
        [_goodness(scored, lesson.true) for scored in (lesson.before, made.ranked(lesson.closely, lesson.before))]
        for lesson in judges
    ]
    before, after = (np.concatenate([pair[i] for pair in gains]) for i in range(2))
    say(f"parents of classes held out: MRR {before.mean():.3f} without nets, {after.mean():.3f} with them")
    return made if after.mean() > before.mean() else None


def _goodness(scored: Dense, true: Sequence[Places]) -> Floats:
    """One over the rank of each true parent, the others left out; ties half."""
    found = []
    for row, ends in zip(scored, true, strict=True):
        rivals = np.delete(row, ends)
        found += [1 / (1 + (rivals > row[end]).sum() + (rivals == row[end]).sum() / 2) for end in ends.tolist()]
    return np.array(found)
