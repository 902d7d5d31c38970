"""⊤, ⊥ and the universal role in axioms that are judged: against points of a line, and against their expressions."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from elgeo.models import Sizes, TransBox, find
from elgeo.models.contract import Model
from elgeo.ontology.normal_forms import FORMS
from elgeo.ontology.vocabulary import BOTTOM, TOP, TOP_ROLE
from elgeo.reasoning.questions.expressions import NOTHING, And, Atom, Expression, Some
from tests.models.box_models.box_cases import irregular_model

CLASSES, ROLES = (TOP, BOTTOM, 3, 4), (TOP_ROLE, 1, 2)
EVERYWHERE = np.concatenate([np.linspace(-9, 9, 61), [-90.0, 90.0]])


def line(name: str, seed: int) -> tuple[Model, dict[int, tuple[float, float]], dict[int, tuple[float, ...]]]:
    """A model in one dimension, the intervals of its classes, and what its roles are made of."""
    cls: Any = find(name)
    generator = np.random.default_rng(seed)
    model = cls(Sizes(5, 3), cls.Settings(dimension=1), generator)
    arrays = {key: generator.normal(0, 0.7, array.shape) for key, array in model.arrays().items()}
    if name == "boxel":
        arrays["scalings"] += np.sign(arrays["scalings"]) * 0.3
    model.load(arrays)
    roles: dict[int, tuple[float, ...]]
    if name == "boxel":
        lower, upper = arrays["corners"], arrays["corners"] + np.exp(arrays["deltas"])
        roles = {r: (abs(float(arrays["scalings"][r, 0])), float(arrays["translations"][r, 0])) for r in ROLES}
    else:
        lower, upper = (arrays["centres"] + side * np.abs(arrays["offsets"]) for side in (-1, 1))
        tables = [arrays[key] for key in cls.role_tables]
        roles = {r: tuple(float(table[r, 0]) for table in tables) for r in ROLES}
    return model, {c: (float(lower[c, 0]), float(upper[c, 0])) for c in CLASSES}, roles


def points(name: str, boxes: Any, roles: Any) -> np.ndarray:
    """Some everywhere, and those just within the ends of each class and of what has a successor in it."""
    ends = [*boxes.values()]
    for low, high in boxes.values():
        for one, other in (role if len(role) == 2 else (role[0], 0.0) for role in roles.values()):
            if name == "boxel":
                ends.append(((low - other) / one, (high - other) / one))
            elif name == "elbe":
                ends.append((low - one, high - one))
            else:
                ends.append((low + one - abs(other), high + one + abs(other)))
    return np.concatenate([EVERYWHERE, *((low + 1e-9, high - 1e-9) for low, high in ends)])


def related(name: str, role: tuple[float, ...], x: np.ndarray, low: float, high: float) -> np.ndarray:
    """Which points have a successor in an interval."""
    if name == "elbe":
        return (low <= x + role[0]) & (x + role[0] <= high)
    if name == "boxel":
        return (low <= role[0] * x + role[1]) & (role[0] * x + role[1] <= high)
    centre, width = role[0], abs(role[1])
    return (x - centre - width <= high) & (low <= x - centre + width)


def members(name: str, boxes: Any, roles: Any, expression: Expression, x: np.ndarray) -> np.ndarray:
    match expression:
        case Atom(c):
            return {TOP: x == x, BOTTOM: x != x}.get(c, (boxes[c][0] <= x) & (x <= boxes[c][1]))
        case And(parts):
            return np.logical_and.reduce([members(name, boxes, roles, part, x) for part in parts])
        case Some(r, Atom(c)):
            if c == BOTTOM:
                return x != x
            return x == x if TOP in (c, r) else related(name, roles[r], x, *boxes[c])
    raise AssertionError


def axioms() -> list[tuple[str, tuple[int, ...], Expression, Expression]]:
    found: list[tuple[str, tuple[int, ...], Expression, Expression]] = []
    for a, b in product(CLASSES, CLASSES):
        c, d = Atom(a), Atom(b)
        found.append(("subclass", (a, b), c, d))
        found += [("existential", (a, r, b), c, Some(r, d)) for r in ROLES]
        found += [("left_existential", (r, a, b), Some(r, c), d) for r in ROLES]
        if a != b:
            found.append(("disjoint", (a, b), And((c, d)), NOTHING))
            found += [("conjunction", (a, b, e), And((c, d)), Atom(e)) for e in CLASSES]
    found += [("empty", (a,), Atom(a), NOTHING) for a in CLASSES]
    return found + [("empty_existential", (r, a), Some(r, Atom(a)), NOTHING) for a in CLASSES for r in ROLES]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["elbe", "boxel", "transbox"])
def test_the_whole_line_and_nothing_are_what_is_judged(name: str) -> None:
    true = 0
    for seed in range(6):
        model, boxes, roles = line(name, seed)
        every = points(name, boxes, roles)
        for form, row, left, right in axioms():
            if form not in model.judged_forms:
                continue
            a, b = (members(name, boxes, roles, side, every) for side in (left, right))
            found = bool(model.holds(form, np.array([row], np.int32), 0.0)[0])
            assert found == bool((a <= b).all()), (seed, form, row)
            true += found
    assert true > 100


def test_normal_forms_with_everything_and_nothing_are_as_true_as_their_expressions() -> None:
    model = irregular_model("transbox", {"dimension": 2}, 5)
    assert isinstance(model, TransBox)
    arrays = model.arrays()
    for flat in (False, True):
        arrays["offsets"][3] *= not flat  # what has no width is read as empty
        model.load(arrays)
        for form, row, left, right in axioms():
            expected = model.includes(left, right, 0.0).true
            assert model.holds(form, np.array([row], np.int32), 0.0)[0] == expected, (form, row)


def test_rows_of_all_kinds_stay_in_their_order() -> None:
    model, _, _ = line("transbox", 2)
    for form in model.judged_forms:
        columns = FORMS[form].columns
        rows = np.array(list(product(*(ROLES if column in "rst" else CLASSES for column in columns))), np.int32)
        every = model.holds(form, rows, 0.0)
        assert every.dtype == bool
        assert every.tolist() == [bool(model.holds(form, row[None], 0.0)[0]) for row in rows]


def test_the_universal_role_has_every_pair() -> None:
    for name in ("transbox", "boxel"):
        model, _, _ = line(name, 1)
        sub = np.array([(1, TOP_ROLE), (TOP_ROLE, 1), (TOP_ROLE, TOP_ROLE)], np.int32)
        assert model.holds("subrole", sub).tolist() == [True, False, True]
        chains = np.array([(1, 2, TOP_ROLE), (TOP_ROLE, 1, 2), (1, TOP_ROLE, 2), (1, TOP_ROLE, TOP_ROLE)], np.int32)
        assert model.holds("chain", chains).tolist() == [True, False, False, True]


def test_box2el_judges_them_as_they_were_trained() -> None:
    model = irregular_model("box2el", {"dimension": 2}, 3)
    arrays = model.arrays()
    arrays["centres"][[TOP, 3, 4]], arrays["offsets"][[TOP, 3, 4]] = 0.0, [[1.0], [2.0], [0.5]]
    model.load(arrays)
    rows = np.array([(3, TOP), (4, TOP), (TOP, 3)], np.int32)
    assert model.holds("subclass", rows).tolist() == [False, True, True]
