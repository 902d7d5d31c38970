"""Truth of axioms with ⊤, ⊥ or the universal role in them: everything, nothing and all pairs, whatever was trained."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

import numpy as np

from elgeo.arrays import Flags, Table
from elgeo.ontology.normal_forms import FORMS
from elgeo.ontology.vocabulary import BOTTOM, TOP, TOP_ROLE

Row = tuple[int, ...]


def with_extremes(form: str, rows: Table, judge: Callable[[str, Table], Flags]) -> Flags:
    """Truth of each axiom of an interpretation where every class has a place that is bounded, and every role leads
    from every point to a point and to every point from one; `judge` is only asked of axioms between names."""
    shape = FORMS[form]
    extreme = (rows[:, shape.class_columns] <= BOTTOM).any(axis=1) | (rows[:, shape.role_columns] == TOP_ROLE).any(
        axis=1
    )
    if not extreme.any():
        return judge(form, rows)
    true = np.zeros(len(rows), np.bool_)
    asked: dict[str, dict[int, Row]] = defaultdict(dict)
    for place in np.flatnonzero(extreme).tolist():
        meaning = between_names(form, tuple(rows[place].tolist()))
        if isinstance(meaning, bool):
            true[place] = meaning
        else:
            asked[meaning[0]][place] = meaning[1]
    for other, found in asked.items():
        true[list(found)] = judge(other, np.array(list(found.values()), np.int32).reshape(-1, FORMS[other].width))
    true[~extreme] = judge(form, rows[~extreme])
    return true


def between_names(form: str, row: Row) -> bool | tuple[str, Row]:
    """What an axiom says: the same as another one between names, or what is true or false whatever they are."""
    shape = FORMS[form]
    if not shape.class_columns:
        return row[-1] == TOP_ROLE or (TOP_ROLE not in row and (form, row))
    left = [row[i] for i in shape.left_classes]
    right = row[-1] if shape.has_tail else BOTTOM
    if BOTTOM in left or right == TOP:
        return True
    if shape.has_tail and right == BOTTOM:  # ∃R.⊥ is ⊥
        return between_names("empty", row[:1]) if form == "existential" else between_names(shape.with_bottom, row[:-1])
    if set(left) == {TOP}:
        return form == "existential" and row[1] == TOP_ROLE
    if TOP in left:
        names = tuple(c for c in row if c != TOP)
        return "subclass" if shape.has_tail else "empty", names
    if shape.role_columns and row[shape.role_columns[0]] == TOP_ROLE:
        # ∃U.C is everything where C is something
        return form == "existential" or (form == "empty_existential" and ("empty", row[1:]))
    return form, row
