"""The preset `faithful`: is everything true, how much is true that does not follow, and what does it cost?

For each dataset: fits in a process of its own (minutes, memory), then checks by plain arithmetic on the corners, apart
from the model's own kernels, that every asserted and every entailed axiom is true and no satisfiable class is empty,
and draws random axioms that do not follow, by form and role and over the dimensions.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from common import measured
from elgeo.models.boxes.faithful import Faithful
from elgeo.models.boxes.pool import exchanged, parts_of
from elgeo.ontology.normal_forms import FORMS
from elgeo.ontology.vocabulary import TOP_ROLE
from elgeo.reasoning.closure.modes import closure_of
from elgeo.reasoning.saturation.saturate import saturate
from elgeo.training.run import Run

ROWS = 1 << 15
Corners = tuple[NDArray[np.float32], NDArray[np.float32]]


class Plain:
    """Truth of axioms from corners, written from the definition of the sets; NaN for what is empty."""

    def __init__(self, model: Faithful) -> None:
        corners = model.embeddings()
        self.classes: Corners = corners["class_lower"], corners["class_upper"]
        dimension = corners["class_lower"].shape[1]
        self.roles = [
            (lower.reshape(dimension, -1), upper.reshape(dimension, -1))
            for lower, upper in zip(corners["role_lower"], corners["role_upper"], strict=True)
        ]
        self.reached = [(least(lower), -least(-upper)) for lower, upper in self.roles]
        self.first = int(-self.classes[1][0].max())

    def box(self, ids: NDArray[np.int32]) -> Corners:
        return self.classes[0][ids], self.classes[1][ids]

    def some(self, role: int, box: Corners) -> Corners:
        """∃r.C: what some point of C is related to, dimension by dimension."""
        lower, upper = ((np.nan_to_num(each) - self.first).astype(int) for each in box)
        nothing = ~(box[0] <= box[1])
        dimension = np.arange(lower.shape[1])
        low, high = (each[dimension, lower, upper] for each in self.reached[role])
        return np.where(nothing, np.nan, low), np.where(nothing, np.nan, high)

    def holds(self, form: str, rows: NDArray[np.int32]) -> NDArray[np.bool_]:
        if form == "subclass":
            return self.inside(self.box(rows[:, 0]), self.box(rows[:, 1]))
        if form in ("existential", "left_existential", "empty_existential"):
            true, column = np.ones(len(rows), bool), 1 if form == "existential" else 0
            for role in np.unique(rows[:, column]):
                true[rows[:, column] == role] = self.holds_of_role(form, role, rows[rows[:, column] == role])
            return true
        if form in ("conjunction", "disjoint"):
            one, two = self.box(rows[:, 0]), self.box(rows[:, 1])
            both = np.maximum(one[0], two[0]), np.minimum(one[1], two[1])
            return self.empty(both) if form == "disjoint" else self.inside(both, self.box(rows[:, 2]))
        if form == "empty":
            return self.empty(self.box(rows[:, 0]))
        assert form in ("chain", "subrole"), f"no plain truth of {form}"
        return np.array([self.holds_of_roles(*row) for row in rows.tolist()])

    def holds_of_role(self, form: str, role: int, rows: NDArray[np.int32]) -> NDArray[np.bool_]:
        if form == "existential":
            return self.inside(self.box(rows[:, 0]), self.some(role, self.box(rows[:, 2])))
        left = self.some(role, self.box(rows[:, 1]))
        return self.empty(left) if form == "empty_existential" else self.inside(left, self.box(rows[:, 2]))

    def holds_of_roles(self, *row: int) -> bool:
        """R ⊑ S or R ∘ S ⊑ T, from what is related to each point of each dimension."""
        (lower, upper), path = self.roles[row[-1]], self.roles[row[-2]]
        if len(row) == 3:
            steps = [self.some(row[0], (low[None], high[None])) for low, high in zip(path[0].T, path[1].T, strict=True)]
            path = np.concatenate([low for low, _ in steps]).T, np.concatenate([high for _, high in steps]).T
        nowhere = np.isnan(path[0]) | np.isnan(path[1])
        inside = (lower <= path[0]) & (path[1] <= upper)
        return bool(nowhere.all(axis=1).any() or (nowhere | inside).all())

    @staticmethod
    def empty(one: Corners) -> NDArray[np.bool_]:
        return np.asarray(~(one[0] <= one[1]).all(axis=1))

    def inside(self, one: Corners, two: Corners) -> NDArray[np.bool_]:
        return np.asarray(self.empty(one) | ((two[0] <= one[0]) & (one[1] <= two[1])).all(axis=1))

    def count(self, form: str, rows: NDArray[np.int32]) -> int:
        return sum(int(self.holds(form, rows[i : i + ROWS]).sum()) for i in range(0, len(rows), ROWS))


def least(corners: NDArray[np.float32]) -> NDArray[np.float32]:
    """The least of corners[:, i] … corners[:, j] for all i ≤ j; what is NaN is left out."""
    n = corners.shape[1]
    found = np.full((len(corners), n, n), np.nan, np.float32)
    for i in range(n):
        found[:, i, i:] = np.fmin.accumulate(corners[:, i:], axis=1)
    return found


def report(place: str, settings: list[str], folder: Path) -> None:
    command = [sys.executable, "-m", "elgeo", "train", place, "-o", str(folder), "--preset", "faithful", "--quiet"]
    cost = measured([*command, *(part for each in settings for part in ("--set", each))])
    run = Run.load(folder)
    dataset, model = run.dataset, run.predictor()
    assert isinstance(model, Faithful)
    plain, forms, names = Plain(model), dataset.forms, dataset.vocabulary
    size = f"{names.n_classes:,} classes, dimension {model.halves.dimension}"
    print(f"{dataset.name}: {size}, {cost.seconds / 60:.1f} min, {cost.peak_bytes / 2**20:,.0f} MiB")
    for form in FORMS:
        if len(forms[form]):
            print(
                f"  asserted {FORMS[form].code:<9} {plain.count(form, forms[form]):>9,} of {len(forms[form]):>9,} true"
            )
    for false in (run.record.result or {})["false"]:
        print(f"  false: {false}")
    saturation = saturate(forms)
    closure = closure_of(saturation, "complete")
    for form in ("subclass", "existential"):
        true = count = 0
        for rows in closure.tables(form):
            kept = rows if form == "subclass" else rows[rows[:, 1] != TOP_ROLE]
            true, count = true + plain.count(form, kept), count + len(kept)
        print(f"  entailed {FORMS[form].code:<9} {true:>9,} of {count:>9,} true")
    unsatisfiable = saturation.unsatisfiable.copy()
    unsatisfiable[1] = True
    empty = plain.empty(plain.classes)
    print(f"  empty boxes of satisfiable classes: {int((empty & ~unsatisfiable).sum())}")
    curve = [k for k in (5, 10, 25, 50, 100, 150, 200) if k < model.halves.dimension] + [model.halves.dimension]
    print("  true without following, in %, by dimension " + " ".join(f"{k:>6}" for k in curve))
    shown: dict[str, list[tuple[int, list[float]]]] = {}
    for part in parts_of(dataset):
        rows = exchanged(part, dataset.kinds, 20_000, np.random.default_rng(1))
        rows = rows[~closure.contains(part.form, rows)]
        shares = (
            [100 * float(model.halves.narrowed(k).holds(part.form, rows).mean()) for k in curve] if len(rows) else []
        )
        if shares:
            title = FORMS[part.form].code + (f" {names.role_label(part.role)}" if part.role >= 0 else "")
            print(f"    {title:<40} " + " ".join(f"{share:6.2f}" for share in shares))
            shown.setdefault(part.form, []).append((len(part.asserted), shares))
    for form, parts in shown.items():
        weights = np.array([count for count, _ in parts], float)
        mean = weights / weights.sum() @ np.array([shares for _, shares in parts])
        print(f"    {'all of ' + FORMS[form].code:<40} " + " ".join(f"{share:6.2f}" for share in mean))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("datasets", nargs="*", default=["family", "cell-small"], help="names or folders")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--keep", type=Path, help="keep the runs in this folder")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        for place in options.datasets:
            report(place, options.set, (options.keep or Path(scratch)) / Path(place).name)


if __name__ == "__main__":
    main()
