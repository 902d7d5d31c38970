"""`Reranker`: all evidence under one small net, kept only where it ranks held-out axioms better."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from elgeo.arrays import Floats, Table
from elgeo.datasets.model import Dataset
from elgeo.errors import SettingError
from elgeo.models.atlas.build import Parts, build
from elgeo.models.atlas.evidence import ENTAILED, ITSELF
from elgeo.models.atlas.operators.dense import Dense, one_thread
from elgeo.models.atlas.operators.target import Ids, Places
from elgeo.models.atlas.reranking.examples import Examples
from elgeo.models.atlas.reranking.net import NAMES, Net
from elgeo.models.atlas.reranking.table import Kept, PairTable
from elgeo.models.atlas.settings import AtlasSettings
from elgeo.models.atlas.weighing.heldout import folds, without, without_geometry
from elgeo.models.atlas.weighing.search import better, gains
from elgeo.models.atlas.weighing.weights import Weighing
from elgeo.models.contract import Arrays

FEW = 400
"""Training axioms below which a net is not tried."""
LARGE, SMALL = 20, 5
"""Parts of training, one held out at a time: of a large training set a twentieth, of a small one a fifth."""
WANTED, MANY = 16_000, 20_000
"""Held-out axioms that are learned from, if there are so many; training axioms that make a large set."""
HEADS = 4000
"""Heads that are learned from for each part held out, at most."""
ASKED = 1000
"""Validation axioms that the net is judged by, at most."""
HIDDEN = (128, 64)
"""Of the net."""
AXIOMS = 3.0
"""What is added to the axioms that a class has."""
BEST, STRIDE = 400, 12
"""Of the tails of a head: how many of the best are summed over, and of how many others one."""
FLAGS, LEVEL = "signed", "level"
FILES = (*NAMES, FLAGS, LEVEL, *Kept._fields)


class Learned(NamedTuple):
    """A net that was found to help (or none), and how good the held-out ranks are without and with it."""

    reranker: Reranker | None
    before: float
    after: float


def rank(scores: Dense, hidden: NDArray[np.bool_], answer: int) -> float:
    """The place of one of the tails among those that are not hidden, ties on average; no number is last."""
    others = scores[~hidden]
    level = scores[answer]
    if np.isnan(level):
        return float(len(others) + hidden[answer])
    return 1 + float((others > level).sum()) + (float((others == level).sum()) - (not hidden[answer])) / 2


def sampled(scores: Dense) -> tuple[Places, Floats]:
    """The best of a head's tails by closed form and some of the others, and for how many each stands; -inf are none."""
    order = np.argsort(-scores, kind="stable")[: np.count_nonzero(scores > -np.inf)]
    best, others = order[:BEST], order[BEST:]
    some = others[min(STRIDE, len(others)) // 2 :: STRIDE]
    each = len(others) / max(1, len(some))
    return np.concatenate([best, some]), np.concatenate([np.ones(len(best)), np.full(len(some), each)])


class Reranker:
    """score = net(all evidence of the pair) + what goes last.

    A pair of a symmetric role is looked at both ways. By the net e^s(h, t) / Σ e^s(h, ·) is the share of t in what is
    missing of h. Of a head with n axioms as much is missing as n + 3 has to do with: with level(h) = ln(n + 3) − ln Σ
    e^s(h, ·), the pair is worth e^(s(h, t) + level(h)) by what is known of h, and e^(s(t, h) + level(t)) by what is
    known of t. The score is the logarithm of both together.
    """

    def __init__(
        self,
        parts: Parts,
        weighing: Weighing,
        net: Net,
        signed: Mapping[str, bool] | None,
        kept: Kept | None = None,
        level: Dense | None = None,
    ) -> None:
        """`level` is what the property is, if it is known."""
        self._parts, self._weighing, self.net, self._signed, self._kept = parts, weighing, net, signed, kept
        self._given = level
        self._last = {name: weight for name, weight in weighing.weights.items() if name in (ENTAILED, ITSELF)}

    @cached_property
    def table(self) -> PairTable:
        return PairTable(self._parts, self._weighing, self._signed, self._kept)

    def without(self, name: str) -> Reranker:
        """The same net with one piece of evidence less among what goes last."""
        less = self._weighing.without(name)
        return Reranker(self._parts, less, self.net, self._signed, self._kept, self.level)

    @cached_property
    def level(self) -> Dense:
        """Of each head; of none where pairs are looked at one way. The sum is over the best tails, and some others."""
        if self._given is not None:
            return self._given
        if not self.table.both_ways:
            return np.zeros(0, np.float32)
        found = np.log(self.table.target.head_counts + AXIOMS)
        for at in self.table.blocks(np.arange(len(found))):
            raw, hidden = self.table.raw(at), self.table.hidden(at)
            rest = self.table.rest(at, raw)
            for i, head in enumerate(at.tolist()):
                some, stand_for = sampled(np.where(hidden[i], -np.inf, raw[0, i]))
                if not len(some):  # it has an axiom with every tail: no other is ranked
                    continue
                rows = np.concatenate([self.table.bent(raw[:, i, some]), rest[:, i, some]])
                scores = self.net.scores(rows[:, None])[0].astype(np.float64)
                found[head] -= logsumexp(scores, b=stand_for)
        return np.asarray(found, np.float32)

    def scores(self, ids: Ids) -> Dense:
        """Of these heads and all tails; a class that cannot be a head has the closed form's."""
        evidence = self._parts.evidence
        places = evidence.target.head_place[ids]
        made = np.empty((len(ids), len(evidence.target.tails)), np.float32)
        known, unknown = np.flatnonzero(places >= 0), np.flatnonzero(places < 0)
        for first in range(0, len(known), self.table.at_once):
            some = known[first : first + self.table.at_once]
            made[some] = self._of_net(places[some])
        made[known] += evidence.combined(ids[known], self._last)
        if len(unknown):
            made[unknown] = self._weighing.scores(evidence, ids[unknown])
        return made

    def _of_net(self, at: Places) -> Dense:
        """Of heads by place and all tails."""
        raw = self.table.raw(at)
        made = self.net.scores(self.table.rows(at, raw))
        if self.table.both_ways:
            made += self.net.scores(self.table.turned(at, raw))
            made += self.level[at][:, None] + self.level
        return made

    def shares(self, head: int, tail: int) -> dict[str, float]:
        """What each kind of evidence adds to the score of a pair, the score of an average pair, and what goes last."""
        target = self._parts.evidence.target
        place, column = target.head_place[[head]], target.tail_place[tail]
        with one_thread():
            raw = self.table.raw(place)
            found, average = self.net.shares(self.table.rows(place, raw)[:, 0, column])
            named = dict(zip(self.table.columns, found.tolist(), strict=True))
            last = self._parts.evidence.combined(np.array([head], np.int32), self._last)[0, column]
            if not self.table.both_ways:
                return {**named, AVERAGE: average, LAST: float(last)}
            back, _ = self.net.shares(self.table.turned(place, raw)[:, 0, column])
        # what is evidence about the head one way is about the tail the other way: both ways in one
        for name, share in zip(self.table.columns, back.tolist(), strict=True):
            named[name] += share
        known = float(self.level[place[0]]) + float(self.level[column])
        return {**named, AVERAGE: 2 * average, BESIDE: known, LAST: float(last)}

    def judged(self, axioms: Table) -> tuple[Floats, Floats]:
        """How good the ranks of axioms are by closed form, and by the net."""
        target = self._parts.evidence.target
        heads, row = np.unique(axioms[:, 0], return_inverse=True)
        tails = target.tail_place[axioms[:, -1]]
        found = np.empty((2, len(axioms)))
        for at in self.table.blocks(np.arange(len(heads))):
            mine = np.flatnonzero((row >= at[0]) & (row <= at[-1]))
            hidden = self.table.hidden(target.head_place[heads[at]])
            for k, scores in enumerate(
                (self._weighing.scores(self._parts.evidence, heads[at]), self.scores(heads[at]))
            ):
                for i in mine.tolist():
                    found[k, i] = rank(scores[row[i] - at[0]], hidden[row[i] - at[0]], int(tails[i]))
        return gains(found[0]), gains(found[1])

    def arrays(self) -> Arrays:
        flags = np.array([self.table.signed[name] for name in self.table.names], np.uint8)
        kept = {name: np.ascontiguousarray(array) for name, array in self.table.kept()._asdict().items()}
        return {**self.net.arrays(), FLAGS: flags, LEVEL: self.level, **kept}

    @classmethod
    def restore(cls, parts: Parts, weighing: Weighing, arrays: Mapping[str, NDArray[Any]]) -> Reranker:
        """What `arrays` gave."""
        if set(arrays) != set(FILES):
            raise SettingError(f"the weights are not those of a re-ranker: they have {', '.join(sorted(arrays))}")
        table = PairTable(parts, weighing)
        names = table.names
        if arrays[FLAGS].shape != (len(names),):
            raise SettingError(f"the run re-ranks {len(arrays[FLAGS])} kinds of evidence, the dataset has {len(names)}")
        signed = dict(zip(names, arrays[FLAGS].astype(bool).tolist(), strict=True))
        kept = Kept(*(arrays[name] for name in Kept._fields))
        for name, array, shape in zip(Kept._fields, kept, table.kept_shapes, strict=True):
            if array.shape != shape or array.dtype != np.float32 or np.isnan(array).any():
                raise SettingError(f"the run's {name} do not fit the evidence of the dataset: the file is damaged")
        level, wanted = arrays[LEVEL], (len(table.target.heads) if table.both_ways else 0,)
        if level.shape != wanted or level.dtype != np.float32 or not np.isfinite(level).all():
            raise SettingError(f"the run's {LEVEL} does not fit the heads of the dataset: the file is damaged")
        return cls(parts, weighing, Net.restore(arrays, len(table.columns), HIDDEN), signed, kept, level)


AVERAGE, LAST = "a pair with average evidence", "what follows already, or never can"
BESIDE = "how many axioms head and tail have, beside how many their evidence is for"


def learn(
    dataset: Dataset,
    parts: Parts,
    weighing: Weighing,
    settings: AtlasSettings,
    generator: np.random.Generator,
    say: Callable[[str], None],
) -> Learned:
    """Teach a net on training axioms held out of their evidence; keep it if others that it has not seen rank higher.

    These are validation axioms, or, where there are none, the last part of training that is held out.
    """
    if len(dataset.train) < FEW:
        return Learned(None, 0.0, 0.0)
    count = LARGE if len(dataset.train) >= MANY else SMALL
    fold = folds(dataset, generator, count)
    used = max(2, min(count, -(-WANTED * count // len(dataset.train))))
    whole = PairTable(parts, weighing)

    def part(number: int, signed: Mapping[str, bool] | None) -> tuple[Parts, PairTable, Table]:
        say(f"holding out part {number + 1} of {used} of training, for the net")
        held = dataset.train[fold == number]
        made = build(without(dataset, held), without_geometry(settings), lambda message: None)
        return made, PairTable(made, weighing, signed), held

    signed: Mapping[str, bool] | None = None
    examples = []
    for number in range(used if len(dataset.valid) else used - 1):
        _, table, held = part(number, signed)
        signed = signed or {name: table.signed.get(name, True) for name in whole.names}
        examples.append(Examples.draw(table, held, whole.columns, HEADS, generator))
        del table  # it is large
    together = Examples.together(examples)
    examples.clear()  # they are large
    net = Net.learn(together, generator, say, HIDDEN)
    del together
    found = Reranker(parts, weighing, net, signed)
    judge, asked = found, dataset.valid[np.sort(generator.permutation(len(dataset.valid))[:ASKED])]
    if not len(dataset.valid):
        less, table, asked = part(used - 1, signed)
        if table.columns != whole.columns:
            return Learned(None, 0.0, 0.0)
        judge = Reranker(less, weighing, net, signed)
    say("judging the net")
    before, after = judge.judged(asked)
    return Learned(found if better(after, before) else None, float(before.mean()), float(after.mean()))
