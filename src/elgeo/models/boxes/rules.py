"""`BoxRules`: the axioms as tables that are looked up by the class whose number has just changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from elgeo.arrays import Flags, Ints, Longs, Starts, Table
from elgeo.ontology.vocabulary import TOP, TOP_ROLE


class BoxRules(NamedTuple):
    """Rows of class c are `start[c]:start[c + 1]`; roles are −1 where a row has none."""

    up_start: Starts
    up_role: Ints
    up_left: Flags
    """True for ∃r.C ⊑ D, false for C ⊑ ∃r.D."""
    up: Ints
    """C ⊑ D, C ⊑ ∃r.D and ∃r.C ⊑ D under C."""
    down_start: Starts
    down_role: Ints
    down_left: Flags
    down: Ints
    """The same under D."""
    both_start: Starts
    other: Ints
    result: Ints
    """C ⊓ D ⊑ E, under C and under D."""
    split_start: Starts
    one: Ints
    two: Ints
    """C ⊓ D ⊑ E under E; `one` is what is rather lowered."""


def rules_of(n: int, tables: Mapping[str, Table], without: Flags, burden: Longs) -> BoxRules:
    """The rules of axioms over n classes; those about classes in `without`, which are empty, say nothing.

    Where one side of C ⊓ D has to be lowered it is the class of less `burden`.
    """
    rows = [_flat(tables["subclass"], 0, 1, None, False)]
    rows += [_flat(tables["existential"], 0, 2, 1, False), _flat(tables["left_existential"], 1, 2, 0, True)]
    c, d, role, left = (np.concatenate(column) for column in zip(*rows, strict=True))
    # every class is below ⊤ and below ∃U.D; an empty class has nothing to pass on
    keep = ~without[c] & ((d != TOP) | (role >= 0)) & ~((role == TOP_ROLE) & ~left)
    c, d, role, left = c[keep], d[keep], role[keep], left[keep]
    up_start, order = _grouped(c, n)
    down_start, back = _grouped(d, n)
    conjunction = tables["conjunction"]
    conjunction = conjunction[~without[conjunction[:, :2]].any(axis=1) & (conjunction[:, 2] != TOP)]
    first, second, result = conjunction.T
    both_start, both = _grouped(np.concatenate([first, second]), n)
    split_start, split = _grouped(result, n)
    swap = burden[first] > burden[second]
    one, two = np.where(swap, second, first), np.where(swap, first, second)
    return BoxRules(
        up_start, role[order], left[order], d[order], down_start, role[back], left[back], c[back],
        both_start, np.concatenate([second, first])[both], np.concatenate([result, result])[both],
        split_start, one[split], two[split],
    )  # fmt: skip


def _flat(table: Table, c: int, d: int, r: int | None, left: bool) -> tuple[Ints, Ints, Ints, Flags]:
    role = np.full(len(table), -1, np.int32) if r is None else table[:, r]
    return table[:, c], table[:, d], role, np.full(len(table), left)


def _grouped(keys: Ints, n: int) -> tuple[Starts, Longs]:
    order = np.argsort(keys, kind="stable")
    return np.searchsorted(keys[order], np.arange(n + 1)).astype(np.int64), order
