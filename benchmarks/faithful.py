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
    """Truth of axioms from corners with infinities, written from the definition of the sets."""

    def __init__(self, model: Faithful) -> None:
        corners = model.embeddings()
        self.classes: Corners = corners["class_lower"], corners["class_upper"]
        self.roles: Corners = corners["role_lower"], corners["role_upper"]

    def box(self, ids: NDArray[np.int32]) -> Corners:
        return self.classes[0][ids], self.classes[1][ids]

    def some(self, roles: NDArray[np.int32], ids: NDArray[np.int32]) -> Corners:
        lower, upper = self.box(ids)
        return (
            np.maximum(lower + self.roles[0][roles], self.classes[0][0]),
            np.minimum(upper + self.roles[1][roles], self.classes[1][0]),
        )

    def holds(self, form: str, rows: NDArray[np.int32]) -> NDArray[np.bool_]:
        if form == "subclass":
            return self.inside(self.box(rows[:, 0]), self.box(rows[:, 1]))
        if form == "existential":
            return self.inside(self.box(rows[:, 0]), self.some(rows[:, 1], rows[:, 2]))
        if form == "left_existential":
            return self.inside(self.some(rows[:, 0], rows[:, 1]), self.box(rows[:, 2]))
        if form in ("conjunction", "disjoint"):
            one, two = self.box(rows[:, 0]), self.box(rows[:, 1])
            both = np.maximum(one[0], two[0]), np.minimum(one[1], two[1])
            return self.empty(both) if form == "disjoint" else self.inside(both, self.box(rows[:, 2]))
        if form in ("empty", "empty_existential"):
            return self.empty(self.box(rows[:, 0]) if form == "empty" else self.some(rows[:, 0], rows[:, 1]))
        lower, upper = self.roles[0][rows], self.roles[1][rows]
        if form == "chain":
            path = lower[:, 0] + lower[:, 1], upper[:, 0] + upper[:, 1]
            return self.inside(path, (lower[:, 2], upper[:, 2]))
        assert form == "subrole", f"no plain truth of {form}"
        return self.inside((lower[:, 0], upper[:, 0]), (lower[:, 1], upper[:, 1]))

    @staticmethod
    def empty(one: Corners) -> NDArray[np.bool_]:
        return np.asarray(~(one[0] <= one[1]).all(axis=1))

    def inside(self, one: Corners, two: Corners) -> NDArray[np.bool_]:
        return np.asarray(self.empty(one) | ((two[0] <= one[0]) & (one[1] <= two[1])).all(axis=1))

    def count(self, form: str, rows: NDArray[np.int32]) -> int:
        return sum(int(self.holds(form, rows[i : i + ROWS]).sum()) for i in range(0, len(rows), ROWS))


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
