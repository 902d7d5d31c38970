"""`atlas` on the tasks of its page, from files to figures by the commands that a user has.

    python benchmarks/atlas_tasks.py [TASK …] [-o FOLDER] [--seeds 3] [--models atlas box2el owl2vec]

Each task is a dataset made by `elgeo dataset`, a run of `elgeo train` whose processor seconds and memory are measured,
and `elgeo evaluate`. A row is one split: figures of the test axioms with standard errors (from 95 % intervals over
heads); splits by chance have as many rows as seeds, and one with their means and the standard errors of these. Where
what follows already goes last, the figures without that are said below. Runs and evaluations are kept in FOLDER: what
was broken off goes on where it was.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from atlas import ranks
from back_test import BUDGETS, elgeo
from common import data_folder, go_releases, measured, yeast_words
from elgeo.evaluation.measures.metrics import per_axiom
from elgeo.models.atlas import Atlas
from elgeo.models.atlas.evidence import ENTAILED
from elgeo.training.run import Run

Words = Sequence[str | Path]
METRICS = {"hits@10": 3, "hits@100": 3, "mean_rank": 1, "mrr": 3}
"""What is printed, with how many places."""


class Task(NamedTuple):
    """How a dataset is made, what is set for `atlas`, and how tails are ranked."""

    make: Callable[[], Words]
    settings: Sequence[str] = ()
    ranking: Sequence[str] = ()
    drawn: bool = True
    """Whether the split is drawn by chance."""


def interactions() -> Words:
    return ["build", *yeast_words(), "--target", "interacts_with"]


def without_ipi() -> Words:
    """The same without annotations that rest on interactions alone."""
    file = data_folder() / "yeast" / "annotations.tsv.gz"
    with gzip.open(file, "rt", encoding="utf-8", newline="") as lines:
        codes = {code for row in csv.DictReader(lines, delimiter="\t") for code in row["evidence"].split("|")}
    return [*interactions(), "--evidence", ",".join(sorted(codes - {"IPI"}))]


def functions() -> Words:
    yeast = data_folder() / "yeast"
    files = [yeast / f"interactions_{part}.tsv.gz" for part in ("train", "valid", "test")]
    words = ["--annotations", yeast / "annotations.tsv.gz", "--interactions", *files, "--target", "has_function"]
    return ["build", "--ontology", go_releases()[0], *words]


def split(file: Path, axioms: str, *words: str) -> Words:
    return ["split", file, "--axioms", axioms, *words]


def part_of() -> Words:
    shape = "?C SubClassOf part_of some ?D"
    return split(go_releases()[0], shape, "--split", "80:10:10", "--remove-entailing")


def go_subclass() -> Words:
    return split(go_releases()[0], "?C SubClassOf ?D", "--split", "90:5:5", "--remove-entailing")


def galen_subclass() -> Words:
    return split(data_folder() / "galen" / "galen-el.ofn.gz", "?C SubClassOf ?D", "--split", "90:5:5")


AMONG = ("--candidates", "target", "--without-head")
WORDLESS = ("contexts=up,reach,direct,fill,far,inverse",)
TASKS = {
    "iw": Task(interactions, (), AMONG, drawn=False),
    "hf": Task(functions, (), ("--positives", "novel")),
    "iw-without-ipi": Task(without_ipi, (), AMONG, drawn=False),
    "part_of": Task(part_of),
    "part_of-without-text": Task(part_of, WORDLESS),
    "go-subclass": Task(go_subclass),
    "go-subclass-without-text": Task(go_subclass, WORDLESS),
    "galen-subclass": Task(galen_subclass),
    "galen-subclass-without-text": Task(galen_subclass, WORDLESS),
    "iw-reranked": Task(interactions, ("rerank=true",), AMONG, drawn=False),
}


class Bench:
    """Datasets, runs and evaluations in one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def figures(self, name: str, model: str, seed: int) -> Mapping[str, Any]:
        """What `elgeo evaluate` says of a run, and what it cost: from their file, or found and written there."""
        task, run = TASKS[name], self._folder / f"{name}-{model}-{seed}"
        place = run.with_suffix(".json")
        if not place.exists():
            dataset = self._dataset(task, seed)
            chosen = task.settings if model == "atlas" else (*BUDGETS[model], "threads=1")
            words = [word for value in chosen for word in ("--set", value)]
            command = elgeo("train", dataset, "-o", run, "--model", model, "--seed", str(seed), "--quiet", *words)
            took = measured(command, env={**os.environ, "OMP_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"})
            told = measured(elgeo("evaluate", run, "--json", "--no-faithfulness", *task.ranking))
            found = json.loads(told.output)
            found["cost"] = [took.processor, took.peak_bytes / 2**30, told.processor, took.seconds]
            found["not_last"] = self._not_last(run)
            place.write_text(json.dumps(found))
        found = json.loads(place.read_text())
        assert isinstance(found, dict)
        return found

    def _dataset(self, task: Task, seed: int) -> Path:
        """One that several tasks have in common is made once."""
        place = self._folder / f"{task.make.__name__}-{seed}"
        if not place.exists():
            drawn = ["--seed", str(seed)] if task.drawn else []
            subprocess.run(elgeo("dataset", *task.make(), "-o", place, *drawn), check=True, stdout=sys.stderr)
        return place

    @staticmethod
    def _not_last(run: Path) -> Mapping[str, float] | None:
        """The figures of a run whose entailed tails stay where their evidence puts them; None where they do anyway."""
        predictor = Run.load(run).predictor()
        if not isinstance(predictor, Atlas) or not predictor.weighing.weights.get(ENTAILED):
            return None
        left = {name: weight for name, weight in predictor.weighing.weights.items() if name != ENTAILED}
        dataset = Run.load(run).dataset
        apart = Atlas(dataset, predictor.parts, replace(predictor.weighing, weights=left))
        return dict(per_axiom(ranks(apart, dataset)))


def row(name: str, found: Mapping[str, Any]) -> str:
    figures, intervals = found["filtered"]["per_axiom"], found["intervals"]["per_axiom"]
    shown = [
        f"{figures[metric]:.{places}f} ± {(intervals[metric][1] - intervals[metric][0]) / 3.92:.{places}f}"
        for metric, places in METRICS.items()
    ]
    processor, peak, evaluation, _ = found["cost"]
    best = max(found["beside"], key=lambda other: float(found["beside"][other]["filtered"]["per_axiom"]["mrr"]))
    theirs = found["beside"][best]["filtered"]["per_axiom"]
    beside = f"{best}: {theirs['hits@10']:.3f}, {theirs['mean_rank']:,.0f}, {theirs['mrr']:.3f}"
    cost = f"{processor:.1f} | {peak:.2f} | {evaluation:.1f}"
    return f"| {name} | {found['axioms']:,} | {' | '.join(shown)} | {beside} | {cost} |"


def means(name: str, found: Sequence[Mapping[str, Any]]) -> str:
    """The mean over splits with its standard error."""
    shown = []
    for metric, places in METRICS.items():
        values = np.array([each["filtered"]["per_axiom"][metric] for each in found])
        shown.append(f"{values.mean():.{places}f} ± {values.std(ddof=1) / np.sqrt(len(values)):.{places}f}")
    return f"| {name}, {len(found)} splits | | {' | '.join(shown)} | | | | |"


def further(name: str, found: Mapping[str, Any]) -> list[str]:
    """What is said apart: tails that follow left where they are, axioms that do not follow, Fmax and Smin."""
    said = []
    if found["not_last"]:
        figures = ", ".join(f"{metric} {found['not_last'][metric]:.{places}f}" for metric, places in METRICS.items())
        said.append(f"{name}, what follows already left where it is: {figures}")
    if "novel" in found:
        figures = ", ".join(
            f"{metric} {found['novel']['per_axiom'][metric]:.{places}f}" for metric, places in METRICS.items()
        )
        said.append(f"{name}, the {found['novel']['axioms']:,} axioms that do not follow: {figures}")
    semantic = {name: value for name, value in found["semantic"].items() if name.startswith(("fmax", "smin"))}
    if semantic.get("fmax") is not None:
        said.append(f"{name}: " + ", ".join(f"{measure} {value:.3f}" for measure, value in semantic.items()))
    return said


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tasks", nargs="*", metavar="TASK", help=f"of {', '.join(TASKS)} [all]")
    parser.add_argument("-o", "--output", type=Path, help="where datasets and runs are kept [nowhere]")
    parser.add_argument("--seeds", type=int, default=3, help="splits of each task that has a split by chance [3]")
    parser.add_argument("--models", nargs="+", choices=["atlas", *BUDGETS], default=["atlas"], metavar="NAME")
    options = parser.parse_args()
    if unknown := set(options.tasks) - set(TASKS):
        parser.error(f"no task is called {sorted(unknown)[0]}: there are {', '.join(TASKS)}")
    data_folder()
    print(
        "| task | test | Hits@10 | Hits@100 | mean rank | MRR | best baseline: Hits@10, mean rank, MRR | cpu s | GiB ",
        end="",
    )
    print("| cpu s to evaluate |\n|---|---|---|---|---|---|---|---|---|---|", flush=True)
    said = []
    with tempfile.TemporaryDirectory() as nowhere:
        folder = options.output or Path(nowhere)
        folder.mkdir(parents=True, exist_ok=True)
        bench = Bench(folder)
        for name in options.tasks or TASKS:
            for model in options.models:
                called = name if model == "atlas" else f"{name}, {model}"
                found = []
                for seed in range(options.seeds if TASKS[name].drawn else 1):
                    found.append(bench.figures(name, model, seed))
                    print(row(f"{called} ({seed})" if TASKS[name].drawn else called, found[-1]), flush=True)
                    said += further(f"{called} ({seed})", found[-1])
                if len(found) > 1:
                    print(means(called, found), flush=True)
    print("", *said, sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
