"""`PairTable`: all that is known of pairs of a head and a tail, a column for each kind of evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from elgeo.errors import SettingError
from elgeo.models.atlas.build import Parts, memory, small_features
from elgeo.models.atlas.evidence import COUNT, ENTAILED, ITSELF, KNOWN, ROOT
from elgeo.models.atlas.operators.dense import Dense
from elgeo.models.atlas.operators.target import Places
from elgeo.models.atlas.reranking.chains import RANK, TURNED, Chains
from elgeo.models.atlas.reranking.ranks import levels, log_ranks, marks
from elgeo.models.atlas.reranking.wholes import BOTH, FREE, both, free, whole_names, wholes
from elgeo.models.atlas.weighing.search import NOISE
from elgeo.models.atlas.weighing.weights import Weighing, bent

SCORE = "closed form"
RANKED = (SCORE, free(FREE[0][1]), "spread", "own tail most like it", "surprise, low rank")
"""Evidence by which the place of a tail among all of a head, and of a head among all of a tail, is evidence too."""
WHOLE = 6500
"""Heads and tails up to which chains of axioms are followed."""
MATRICES = 20
"""Dense ones that this takes, about."""
AT_ONCE, CELLS = 128, 1 << 25
"""Heads that are looked at together, at most, and cells of all columns."""
SAMPLED = 256
"""Heads by which the size of each kind of evidence is found."""
SIDES = ("axioms", "axioms of its others", "contexts")
SIGNED, FINE = 0.1, 0.02
"""What counts as small: of evidence with signs, in standard deviations; of other evidence, in means."""


class Kept(NamedTuple):
    """What of a table takes long to find and is small: with it, a table gives a few rows without making all."""

    units: Dense
    """What each kind of evidence is divided by before it is bent."""
    marks: Dense
    """(ranked evidence, tail, rank): the scores of each tail at some ranks among all heads."""
    own_marks: Dense
    """(ranked evidence, head, rank): those of each head among all tails, where pairs are looked at both ways."""
    left: Dense
    right: Dense
    """The factors of `surprise, low rank`."""


class PairTable:
    """Rows of evidence for the target's heads, by place."""

    def __init__(
        self,
        parts: Parts,
        weighing: Weighing,
        signed: Mapping[str, bool] | None = None,
        kept: Kept | None = None,
    ) -> None:
        """`signed` says which evidence has signs, where another table has to be like this one."""
        self.target, self._evidence, self._given = parts.evidence.target, parts.evidence, signed
        self._kept = kept
        self._contexts = small_features(parts, self.target.members)
        apart = (COUNT, ROOT, KNOWN, ENTAILED, *self._evidence.given)
        self._plain = [name for name in self._evidence.names if name not in apart]
        left_out = {ENTAILED, ITSELF, *(each for name in self._evidence.given for each in (name, bent(name)))}
        weights = {name: weight for name, weight in weighing.weights.items() if name not in left_out}
        self._weighing = Weighing(weights, weighing.bends)
        self._scored = [name for name in self._plain if weights.get(name) or weights.get(bent(name))]
        self._chained = max(len(self.target.heads), len(self.target.tails)) <= WHOLE
        if self._chained:
            check_memory(len(self.target.heads), len(self.target.tails))
        surprising = (kept.left, kept.right) if kept else None
        self._all_chains = Chains(self.target, self._contexts, surprising)
        self._chains = self._all_chains.makers if self._chained else {}
        more = [name for name in whole_names(self._evidence) if name not in self._plain] if self._chained else []
        self.names = [SCORE, *self._plain, *more, *self._chains]
        """Evidence of a pair; `columns` has ranks by it and what is known of each side as well."""
        self._ranked = [name for name in RANKED if name in self.names]
        self._levels = levels(len(self.target.tails))
        self.columns = [
            *self.names,
            *(f"rank of tail by {name}" for name in self._ranked),
            *(f"rank of head by {name}" for name in self._ranked if self._chained),
            *(f"{what} of {side}" for side in ("head", "tail") for what in SIDES),
        ]
        self.both_ways = self.target.symmetric and self._chained
        """Whether the evidence of a pair is also known the other way round."""
        self.at_once = max(1, min(AT_ONCE, CELLS // (2 * len(self.columns) * len(self.target.tails))))

    def rows(self, at: Places, raw: Dense | None = None) -> Dense:
        """(column, head, tail) for heads by place; `raw` is their evidence, where it is known."""
        raw = self.raw(at) if raw is None else raw
        return np.concatenate([self.bent(raw), self.rest(at, raw)])

    def turned(self, at: Places, raw: Dense) -> Dense:
        """The same of each pair the other way round: (column, head, tail) has what there is for the head as tail."""
        raw = self._turned(at, raw)
        made = np.empty((len(self.columns), *raw.shape[1:]), np.float32)
        made[: len(self.names)] = self.bent(raw)
        n = len(self.names)
        for name, row_marks in self._own_marks.items():
            made[n] = log_ranks(raw[self.names.index(name)], row_marks, self._levels, True)
            n += 1
        for name, column_marks in self._marks.items():
            made[n] = log_ranks(raw[self.names.index(name)], column_marks[at], self._levels, False)
            n += 1
        of_heads, of_tails = self._sides
        for values in (*of_heads, *(each[at][:, None] for each in of_tails)):
            made[n] = values
            n += 1
        return made

    def _turned(self, at: Places, raw: Dense) -> Dense:
        """The evidence as it is of each pair the other way round."""
        made = raw[[self.names.index(TURNED.get(name, name)) for name in self.names]]
        for name, joined in self._evidence.links.items():
            made[self.names.index(name)] = joined[self.target.tails][:, at].T.toarray()
        for name, groups in self._evidence.groups.items():
            made[self.names.index(name)] = groups.columns(at).T
        made[0] = self._score(made, at[:, None])
        return made

    def bent(self, raw: Dense) -> Dense:
        """The first columns, from evidence as it is."""
        return np.asarray(np.arcsinh(raw / self._units.reshape(-1, *[1] * (raw.ndim - 1))), np.float32)

    def rest(self, at: Places, raw: Dense) -> Dense:
        """The other columns: ranks, and what is known of each side."""
        made = np.empty((len(self.columns) - len(self.names), *raw.shape[1:]), np.float32)
        n, hidden = 0, self.hidden(at)
        for name in self._ranked:
            scores = raw[self.names.index(name)]
            row_marks = marks(np.where(hidden, np.float32(-np.inf), scores), self._levels)
            made[n] = log_ranks(scores, row_marks, self._levels, False)
            n += 1
        for name, column_marks in self._marks.items():
            made[n] = log_ranks(raw[self.names.index(name)], column_marks, levels(len(self.target.heads)), True)
            n += 1
        of_heads, of_tails = self._sides
        for values in (*(each[at][:, None] for each in of_heads), *of_tails):
            made[n] = values
            n += 1
        return made

    def hidden(self, at: Places) -> NDArray[np.bool_]:
        """Which pairs are no candidates: training axioms, and a class with itself."""
        found: NDArray[np.bool_] = self.target.axioms[at].toarray() > 0
        own = self.target.tail_place[self.target.heads[at]]
        found[np.flatnonzero(own >= 0), own[own >= 0]] = True
        return found

    def raw(self, at: Places, wanted: Sequence[str] | None = None) -> Dense:
        """The evidence as it is, in the order of `names`; what is not wanted is left at 0."""
        evidence, ids = self._evidence, self.target.heads[at]
        made = np.zeros((len(self.names), len(at), len(self.target.tails)), np.float32)
        needed = {*(self.names if wanted is None else wanted)}
        needed |= {*self._scored} if SCORE in needed else set()
        heads = evidence.heads_of(name for name in self._plain if name in needed and name not in self._wholes)
        speaking = evidence.speaking(ids, heads)
        for k, name in enumerate(self.names[1:], 1):
            if name not in needed:
                continue
            if name in self._wholes:
                made[k] = self._wholes[name][at]
            elif name in self._chains:
                made[k] = self._chains[name](at)
            elif name == BOTH:
                made[k] = both(evidence, at)
            else:
                made[k] = evidence.combined(ids, {name: 1.0}, speaking)
        if SCORE in needed:
            made[0] = self._score(made)
        return made

    def _score(self, raw: Dense, tails: Places | slice = slice(None)) -> Dense:
        """The closed form, without what goes last, from its evidence; `tails` has the tail of each pair."""
        made, weights = np.zeros(raw.shape[1:], np.float32), self._weighing.weights
        for name, values in self._evidence.counts.items():
            made += np.float32(weights.get(name, 0.0)) * values[tails]
        for k, name in enumerate(self._plain, 1):
            if weight := weights.get(name):
                made += np.float32(weight) * raw[k]
            if weight := weights.get(bent(name)):
                made += np.float32(weight) * np.arcsinh(np.float32(self._weighing.bends[name]) * raw[k])
        return made

    @cached_property
    def _wholes(self) -> dict[str, Dense]:
        return wholes(self._evidence, every=self._kept is None) if self._chained else {}

    def kept(self) -> Kept:
        """What a table with the same evidence can be made quickly from."""
        n, nothing = len(levels(len(self.target.heads))), np.zeros((0, 0), np.float32)
        of_tails = _stacked(self._marks, len(self.target.tails), n)
        of_heads = _stacked(self._own_marks, len(self.target.heads), n)
        surprising = self._all_chains.surprising if self._chained else (nothing, nothing)
        return Kept(self._units, of_tails, of_heads, *surprising)

    @property
    def kept_shapes(self) -> Kept:
        """The shapes that `kept` has."""
        heads, tails = len(self.target.heads), len(self.target.tails)
        rank, n = min(RANK, heads, tails) if self._chained else 0, len(levels(heads))
        of_tails = (len(self._ranked) if self._chained else 0, tails, n)
        of_heads = (len(self._ranked) if self.both_ways else 0, heads, n)
        sides = ((heads, rank), (rank, tails)) if self._chained else ((0, 0), (0, 0))
        return Kept((len(self.names),), of_tails, of_heads, *sides)  # type: ignore[arg-type]

    @property
    def _marks(self) -> Mapping[str, Dense]:
        """For each tail, the scores at some ranks among all heads."""
        return self._all_marks[0]

    @property
    def _own_marks(self) -> Mapping[str, Dense]:
        """For each head, the scores at some ranks among all tails."""
        return self._all_marks[1]

    @cached_property
    def _all_marks(self) -> tuple[Mapping[str, Dense], Mapping[str, Dense]]:
        of_tails: dict[str, Dense] = {}
        of_heads: dict[str, Dense] = {}
        if self._kept is not None:
            for found, kept in ((of_tails, self._kept.marks), (of_heads, self._kept.own_marks)):
                found |= dict(zip(self._ranked, kept, strict=bool(len(kept))))
        elif self._chained:
            n = len(self.target.heads)
            for name in self._ranked:
                turned, rows = np.empty((len(self.target.tails), n), np.float32), []
                for at in self.blocks(np.arange(n)):
                    scores = self.raw(at, [name])[self.names.index(name)]
                    scores = np.where(self.hidden(at), np.float32(-np.inf), scores)
                    turned[:, at] = scores.T
                    if self.both_ways:
                        rows.append(marks(scores, self._levels))
                of_tails[name] = np.concatenate(
                    [marks(turned[k], levels(n)) for k in self.blocks(np.arange(len(turned)))]
                )
                if self.both_ways:
                    of_heads[name] = np.concatenate(rows)
        return of_tails, of_heads

    def blocks(self, places: Places) -> list[Places]:
        """Heads in parts that are looked at together."""
        return [places[first : first + self.at_once] for first in range(0, len(places), self.at_once)]

    @cached_property
    def _sampled(self) -> Dense:
        some = np.sort(np.random.default_rng(0).permutation(len(self.target.heads))[:SAMPLED])
        made = np.empty(
            (len(self.names), len(some), len(self.target.tails)), np.float32
        )  # filled, not joined: it is large
        for k in self.blocks(np.arange(len(some))):
            made[:, k] = self.raw(some[k])
        return made

    @cached_property
    def signed(self) -> Mapping[str, bool]:
        """Which evidence may be negative."""
        return self._given or {
            name: bool((each < 0).any()) for name, each in zip(self.names, self._sampled, strict=True)
        }

    @cached_property
    def _units(self) -> Dense:
        if self._kept is not None:
            return self._kept.units
        found = [_unit(each, self.signed.get(name, True)) for name, each in zip(self.names, self._sampled, strict=True)]
        del self._sampled
        return np.array(found, np.float32)

    @cached_property
    def _sides(self) -> tuple[list[Dense], list[Dense]]:
        """What is known of a head whatever the tail, and of a tail whatever the head."""
        target, axioms = self.target, self.target.axioms
        heads, tails = target.head_counts, target.tail_counts
        size = np.diff(self._contexts.indptr)
        of_heads = [heads, axioms @ tails / np.maximum(heads, 1), size[target.heads]]
        of_tails = [tails, axioms.T @ heads / np.maximum(tails, 1), size[target.tails]]
        logs = [[np.log1p(values).astype(np.float32) for values in each] for each in (of_heads, of_tails)]
        return logs[0], logs[1]


def check_memory(heads: int, tails: int) -> None:
    """Refuse chains that the machine has no room for, before asking for it."""
    needed, there = MATRICES * 4 * heads * tails, memory()
    if needed > there:
        raise SettingError(
            f"re-ranking {heads:,} heads and {tails:,} tails takes about {needed / 2**30:.1f} GiB, this machine has "
            f"{there / 2**30:.1f}: train without it (--set rerank=false)"
        )


def _stacked(found: Mapping[str, Dense], *shape: int) -> Dense:
    return np.stack(list(found.values())) if found else np.zeros((0, *shape), np.float32)


def _unit(values: Dense, signed: bool) -> float:
    """What is divided by before evidence is bent."""
    if not values.size or max(float(values.max()), -float(values.min())) < NOISE:
        return 1.0
    found = SIGNED * float(values.std(dtype=np.float64)) if signed else FINE * float(values.mean(dtype=np.float64))
    return found if found > 0 else 1.0
