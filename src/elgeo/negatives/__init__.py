"""Corrupted axioms: random, filtered, biased, refuted, hard.

Takes rows of a normal form, the `Dataset` and its `Closure`; gives rows with another last class. Begin at
`sampler.py`, which has the modes; `entailed.py` lays out which candidates are entailed, as bits and as rows, for
filtered and biased draws, `kernels.py` draws, `hard.py` and `refuted.py` say which candidates are near the truth and
which would contradict.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from elgeo.arrays import Table
from elgeo.datasets.model import Dataset
from elgeo.errors import SettingError
from elgeo.negatives.entailed import EntailedTails, biased_draw, filtered_draw, pool_of
from elgeo.negatives.hard import hard_draw, shared_features
from elgeo.negatives.kernels import Features
from elgeo.negatives.refuted import Refuted, refuted_draw
from elgeo.negatives.sampler import Corrupted, Corrupter, Draw, asked_draw, random_draw
from elgeo.ontology.normal_forms import FORMS, TAILED, form_named
from elgeo.reasoning import Reasoner
from elgeo.reasoning.closure.base import Closure

__all__ = ["MODES", "Corrupted", "Corrupter", "corrupters"]

MODES = ("random", "filtered", "biased", "refuted", "hard")


def corrupters(
    dataset: Dataset,
    mode: str = "filtered",
    *,
    forms: Sequence[str] = TAILED,
    per_positive: int = 1,
    corrupt: str = "tail",
    closure: str | Closure = "complete",
    entailed_fraction: float = 0.0,
) -> dict[str, Corrupter]:
    """A `Corrupter` for each form that has training axioms.

    `corrupt` says which class is replaced by another of its kind: the last (`tail`), the first (`head`), or `both` by
    a coin. ⊤ and ⊥ are never drawn. `biased` and `hard` replace the last class only.
    """
    if mode not in MODES:
        raise SettingError(f"negatives cannot be {mode!r}: they are {', '.join(MODES)}")
    if mode in ("biased", "refuted", "hard") and corrupt != "tail":
        raise SettingError(f"{mode} negatives replace the last class: leave corrupt at tail")
    makers = _Makers(dataset, closure, entailed_fraction)
    made = {}
    for form in [form_named(name).name for name in forms]:
        table = dataset.forms[form]
        if len(table):
            tail = getattr(makers, mode)(form, table) if corrupt in ("tail", "both") else None
            head = makers.head(mode, form, table) if corrupt in ("head", "both") else None
            made[form] = Corrupter(form, table, per_positive, tail, head, by_row=head is None and mode != "biased")
    return made


class _Makers:
    """One method for each mode; the reasoner is asked only where it is needed."""

    def __init__(self, dataset: Dataset, closure: str | Closure, entailed_fraction: float) -> None:
        self._dataset, self._given, self._fraction = dataset, closure, entailed_fraction
        self._pool = pool_of(dataset.kinds)

    @cached_property
    def _reasoner(self) -> Reasoner:
        return Reasoner(self._dataset.forms)

    @cached_property
    def _closure(self) -> Closure:
        return self._reasoner.closure(self._given) if isinstance(self._given, str) else self._given

    @cached_property
    def _features(self) -> Features:
        return shared_features(self._reasoner.saturation)

    def random(self, form: str, table: Table) -> Draw:
        return random_draw(self._pool)

    def filtered(self, form: str, table: Table) -> Draw:
        return filtered_draw(self._pool, EntailedTails(self._closure, form, table, self._pool))

    def biased(self, form: str, table: Table) -> Draw:
        return biased_draw(self._pool, EntailedTails(self._closure, form, table, self._pool), self._fraction)

    def hard(self, form: str, table: Table) -> Draw:
        return hard_draw(self._pool, EntailedTails(self._closure, form, table, self._pool), self._features)

    def refuted(self, form: str, table: Table) -> Draw:
        return refuted_draw(self._pool, Refuted(self._reasoner.closure("complete"), form, table))

    def head(self, mode: str, form: str, table: Table) -> Draw:
        if mode == "random":
            return random_draw(self._pool)
        return asked_draw(self._pool, self._closure, form, table, FORMS[form].head)
