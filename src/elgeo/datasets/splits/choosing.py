"""Which axioms are held out: at random, but so that training still knows their classes, or on purpose does not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Flags, Ints, Longs
from elgeo.datasets.splits.mentions import Mentions, is_about
from elgeo.errors import SettingError
from elgeo.messages import counted
from elgeo.ontology.model import Ontology

PARTS = ("train", "valid", "test")
WARM, COLD, AS_DRAWN = "warm", "cold", "as-drawn"


class Chosen(NamedTuple):
    """`part_of` each axiom (0 train, 1 valid, 2 test), and axioms of other shapes that go with them."""

    part_of: NDArray[np.int8]
    removed: Ints


class Chooser:
    """Draws among the axioms of a pattern: `nodes` and their ends `pairs`, of which those `fixed` stay in training.

    `trained` are the axioms that can be trained on: others say nothing of a class.
    """

    def __init__(self, ontology: Ontology, nodes: Ints, pairs: Ints, fixed: Flags, trained: Ints) -> None:
        self._ontology, self._nodes, self._pairs, self._fixed = ontology, nodes, pairs, fixed
        self._mentions = Mentions.of(ontology, trained)
        self._left = self._mentions.counts(len(ontology.op))

    def choose(self, way: str, shares: Sequence[float], seed: int) -> Chosen:
        """Shares are of all axioms of the pattern; where fewer can be held out, both parts have fewer.

        `warm`: every class of a held-out axiom is in some other axiom that stays. `cold`: of the head of a held-out
        axiom nothing stays, and only heads are taken that nothing else mentions. `as-drawn`: whatever chance gives.
        """
        order = self._by_name()[np.random.default_rng(seed).permutation(len(self._nodes))]
        wanted = [round(len(order) * share) for share in shares[1:]]
        if way == COLD:
            return self._cold(order, wanted, shares)
        may_go: Callable[[int], bool] = self._stays_known if way == WARM else lambda _: True
        chosen: list[int] = []
        for i in order.tolist():
            if len(chosen) == sum(wanted):
                break
            if not self._fixed[i] and may_go(i):
                chosen.append(i)
        n_valid = wanted[0] if len(chosen) == sum(wanted) else round(len(chosen) * wanted[0] / sum(wanted))
        part_of = np.zeros(len(order), np.int8)
        part_of[chosen[:n_valid]], part_of[chosen[n_valid:]] = 1, 2
        self._check(part_of, shares, way)
        return Chosen(part_of, np.array([], np.int32))

    def _by_name(self) -> Longs:
        """The axioms in the order of their names, so that a split does not depend on the order of the file."""
        names = [[self._ontology.string(n) for n in side.tolist()] for side in self._pairs.T]
        return np.lexsort([np.array(side, dtype=str) for side in reversed(names)])

    def _stays_known(self, i: int) -> bool:
        """Whether both ends are in other axioms that stay; if so, count this one as gone."""
        ends = self._pairs[i]
        if (self._left[ends] < 2).any():
            return False
        self._left[ends] -= 1
        return True

    def _cold(self, order: Longs, wanted: list[int], shares: Sequence[float]) -> Chosen:
        of_head: dict[int, list[int]] = {}
        for i in order.tolist():
            of_head.setdefault(int(self._pairs[i, 0]), []).append(i)
        part_of = np.zeros(len(order), np.int8)
        removed: list[int] = []
        sizes = [0, 0]
        for head, matches in of_head.items():
            open_parts = [k for k in (0, 1) if sizes[k] < wanted[k]]
            if not open_parts:
                break
            part = min(open_parts, key=lambda k: sizes[k] / wanted[k])
            about = self._mentions.axioms_of(head).tolist()
            # a head with more axioms than the part is to have would be most of it
            if len(matches) > wanted[part] or not all(is_about(self._ontology, axiom, head) for axiom in about):
                continue
            lost = [name for axiom in about for name in self._mentions.names_in(axiom).tolist()]
            np.subtract.at(self._left, lost, 1)
            if self._left[self._pairs[matches, 1]].min() < 1:
                np.add.at(self._left, lost, 1)
                continue
            part_of[matches] = 1 + part
            sizes[part] += len(matches)
            removed += np.setdiff1d(about, self._nodes[matches]).tolist()
        self._check(part_of, shares, COLD)
        return Chosen(part_of, np.array(removed, np.int32))

    def _check(self, part_of: NDArray[np.int8], shares: Sequence[float], way: str) -> None:
        n = len(part_of)
        for number, (part, share) in enumerate(zip(PARTS, shares, strict=True)):
            if share > 0 and not (part_of == number).any():
                if number == 0:
                    raise SettingError(f"of {n} axioms none would be left to train on: change --split")
                if round(n * share) == 0:
                    raise SettingError(f"{counted(n, 'axiom')}: too few for a {part} share of {share:.1%} (--split)")
                raise SettingError(f"of {n} axioms none can be held out for {part}: {self._why(way)}")

    def _why(self, way: str) -> str:
        fixed = int(self._fixed.sum())
        if way == COLD:
            return "every head is in axioms of other classes too, or in the only one of a tail; leave out --cold"
        said = f"{fixed} are said by definitions too (--split-definitions holds those out as well)" if fixed else ""
        rest = "the others are" if fixed else "each is"
        known = f"{rest} all that training would know of a class (--as-drawn holds them out all the same)"
        return "; ".join(filter(None, [said, known if way == WARM and fixed < len(self._nodes) else ""]))
