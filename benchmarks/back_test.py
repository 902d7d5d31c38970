"""New axioms between the classes of two releases: `atlas` beside every other model of the house and the baselines.

    python benchmarks/back_test.py [OLD NEW] [-o FOLDER] [--targets subclass part_of] [--models atlas elem …]

Every model is trained on the old release alone, by the settings of `BUDGETS`, and ranks the tails of what the new one
added; each is compared with `atlas` axiom by axiom in a paired bootstrap. Runs and ranks are kept in FOLDER: what was
broken off goes on where it was. Without files those of GO are taken from the data folder.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path

import numpy as np

from atlas import ranks
from common import go_releases, measured
from elgeo import datasets
from elgeo.datasets.model import Dataset
from elgeo.evaluation.measures.intervals import compare, per_axiom_intervals
from elgeo.evaluation.measures.metrics import per_axiom
from elgeo.evaluation.ranking.ranks import Ranks
from elgeo.models.contract import REGISTRY, Baseline, Predictor
from elgeo.training.run import RECORD, Run

OURS = "atlas"
BUDGETS: dict[str, tuple[str, ...]] = {
    "elem": ("margin=0.1", "epochs=100"),
    "emelpp": ("activation=leaky", "clipped_negatives=true", "epochs=100"),
    "elbe": ("epochs=60",),
    "box2el": ("epochs=40",),
    "transbox": ("epochs=60", "stop_by=training_loss"),
    "boxel": ("epochs=12", "learning_rate=0.001"),
    "transe": ("dimension=50", "epochs=60"),
    "distmult": ("dimension=50", "epochs=60", "weight=0.1"),
    "complex": ("dimension=50", "epochs=30"),
    "owl2vec": ("passes=4",),
    "dl2vec": ("dimension=50", "walks=5", "passes=3"),
    "faithful": ("dimension=10",),
}
"""What is set, so that a training takes some minutes of one processor at most; everything else is as by default.

That of `distmult` and `emelpp` was chosen by axioms held out of the old release (`dataset split OLD --split 97:2:1`).
"""


def of_its_target(name: str) -> bool:
    """Whether a predictor is made for one target: the others are trained on all axioms and may be asked anything."""
    return name == OURS or issubclass(REGISTRY[name], Baseline)


def all_models() -> list[str]:
    """Ours first, then the others, baselines last."""
    return sorted(REGISTRY, key=lambda name: (name != OURS, issubclass(REGISTRY[name], Baseline)))


def elgeo(*words: str | Path) -> list[str]:
    return [sys.executable, "-m", "elgeo", *map(str, words)]


def alike(one: Dataset, other: Dataset) -> bool:
    """Whether both train on the same axioms of the same classes, whatever is asked for."""
    tables = zip(one.forms.tables.items(), other.forms.tables.items(), strict=True)
    same = all(form == form_too and np.array_equal(rows, rows_too) for (form, rows), (form_too, rows_too) in tables)
    return same and list(one.vocabulary.classes) == list(other.vocabulary.classes)


class BackTest:
    """The runs and ranks of one back-test in a folder."""

    def __init__(self, folder: Path, targets: Sequence[str]) -> None:
        self.folder = folder
        self.datasets: Mapping[str, Dataset] = {name: datasets.load(self.data / name) for name in targets}
        first, *others = self.datasets.values()
        self.one_training = all(alike(first, other) for other in others)

    @property
    def data(self) -> Path:
        return self.folder / "back-test"

    def run(self, name: str, target: str) -> Path:
        """Where the run of a model is that ranks a target; what was set is in its name, for no other to be taken."""
        once = self.one_training and not of_its_target(name)
        return self.folder / "-".join((name, *BUDGETS.get(name, ()), next(iter(self.datasets)) if once else target))

    def ranks(self, name: str, target: str) -> Ranks:
        """Ranks of what the newer release added: from their file, or found and written there whole."""
        run = self.run(name, target)
        place = run.with_name(f"{run.name}.{target}.ranks.npz")
        columns = [field.name for field in fields(Ranks)]
        if not place.exists():
            found = ranks(self.trained(name, target), self.datasets[target])
            with tempfile.NamedTemporaryFile(dir=self.folder, delete=False) as file:
                np.savez(file, **{column: getattr(found, column) for column in columns})
            os.replace(file.name, place)
        with np.load(place) as arrays:
            return Ranks(**{column: arrays[column] for column in columns[:-1]}, total=int(arrays["total"]))

    def trained(self, name: str, target: str) -> Predictor:
        folder = self.run(name, target)
        if not (folder / RECORD).exists() or Run.load(folder).record.result is None:
            settings = [word for value in (*BUDGETS.get(name, ()), "threads=1") for word in ("--set", value)]
            new = elgeo("train", self.data / target, "-o", folder, "--model", name, "--quiet", *settings)
            command = elgeo("train", "-o", folder, "--resume", "--quiet") if (folder / RECORD).exists() else new
            took = measured(command, env={**os.environ, "OMP_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"})
            before = self.cost(name, target)
            cost = [before[0] + took.processor, max(before[1], took.peak_bytes / 2**30)]
            self._cost_file(folder).write_text(json.dumps(cost))
        return Run.load(folder).predictor()

    def cost(self, name: str, target: str) -> tuple[float, float]:
        """Processor seconds and GiB of a training, with what was broken off and begun again."""
        file = self._cost_file(self.run(name, target))
        seconds, peak = json.loads(file.read_text()) if file.exists() else (0.0, 0.0)
        return seconds, peak

    def _cost_file(self, run: Path) -> Path:
        return run.with_name(run.name + ".cost.json")

    def table(self, target: str, models: Sequence[str]) -> str:
        ours = self.ranks(OURS, target)
        lines = [
            f"| the {len(ours):,} new axioms of {target} | Hits@1 | Hits@10 | Hits@100 | MRR (95 %) | mean rank "
            "| atlas is ahead in MRR by (95 %; p) | cpu s | GiB | set |",
            "|---|---:|---:|---:|---:|---:|---:|---:|---:|---|",
        ]
        found = {name: self.ranks(name, target) for name in models}
        for name, theirs in sorted(found.items(), key=lambda item: -per_axiom(item[1])["mrr"]):
            metrics = per_axiom(theirs)
            low, high = per_axiom_intervals(theirs, np.random.default_rng(0))["mrr"]
            figures = [f"{metrics[metric]:.3f}" for metric in ("hits@1", "hits@10", "hits@100")]
            figures += [f"{metrics['mrr']:.3f} ({low:.3f} – {high:.3f})", f"{metrics['mean_rank']:,.0f}"]
            ahead = "" if name == OURS else self._ahead(ours, theirs)
            seconds, peak = self.cost(name, target)
            figures += [ahead, f"{seconds:.0f}" if seconds else "", f"{peak:.1f}" if peak else ""]
            lines.append(f"| `{name}` | {' | '.join(figures)} | {', '.join(BUDGETS.get(name, ()))} |")
        return "\n".join(lines)

    @staticmethod
    def _ahead(ours: Ranks, theirs: Ranks) -> str:
        found = compare(ours, theirs, "mrr", np.random.default_rng(0))
        return f"{found.difference:.3f} ({found.interval.low:.3f} – {found.interval.high:.3f}; {found.p_value:.3f})"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("releases", nargs="*", type=Path, metavar="OLD NEW", help="two releases [GO's]")
    parser.add_argument("-o", "--output", type=Path, help="where runs and ranks are kept [nowhere]")
    parser.add_argument("--targets", nargs="+", default=["subclass", "part_of"], help="[subclass part_of]")
    parser.add_argument("--models", nargs="+", choices=all_models(), default=all_models(), help="[all]", metavar="NAME")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as nowhere:
        folder = options.output or Path(nowhere)
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / "back-test").exists():
            old, new = options.releases or go_releases()
            subprocess.run(
                elgeo("dataset", "releases", old, new, "-o", folder / "back-test"), check=True, stdout=sys.stderr
            )
        made = BackTest(folder, options.targets)
        for name in options.models:
            for target in options.targets:
                made.ranks(name, target)
                print(f"{name}, {target}: ranked", file=sys.stderr, flush=True)
        print("\n\n".join(made.table(target, options.models) for target in options.targets))
    return 0


if __name__ == "__main__":
    sys.exit(main())
