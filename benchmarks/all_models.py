"""Every model of the house on the same tasks: ranks with and without the closure filter, what is true, what it costs.

    python benchmarks/all_models.py [TASK …] [-o FOLDER] [--models atlas elem …] [--negatives filtered]
        [--seeds 3] [--short 60] [--kept]

A training is a run of `elgeo train` with the settings of `SETTINGS`, chosen on validation axioms. Models that draw
corrupted axioms are trained twice: with those that do not follow (`filtered`) and with any (`random`). Where the first
training took less than SHORT seconds of processor, further ones with other seeds follow, on the same split.
Runs and figures are kept in FOLDER, by names with a digest of the settings: what was broken off goes on where it was.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from atlas_tasks import AMONG, TASKS, WORDLESS, Task
from back_test import all_models, elgeo
from common import data_folder, measured
from elgeo import datasets
from elgeo.datasets.model import Dataset
from elgeo.evaluation.evaluate import candidates_of
from elgeo.evaluation.measures.faithfulness import true_shares
from elgeo.evaluation.measures.metrics import per_axiom
from elgeo.evaluation.ranking.known import Known
from elgeo.evaluation.ranking.rank_axioms import rank
from elgeo.evaluation.ranking.scoring import Contest
from elgeo.files import write_text
from elgeo.models.contract import REGISTRY, Baseline, Geometry, Model, Predictor
from elgeo.training.run import RECORD, Run

ASKED = ("iw", "hf", "go-subclass", "galen-subclass", "part_of")
ABOUT_FACTS = ("iw", "hf")
NEGATIVES = ("filtered", "random")
FIGURES = {"hits@10": 3, "hits@100": 3, "mean_rank": 0, "mrr": 3}
"""What is printed of the ranks, with how many places."""
BY_RANK = ("stop_by=rank", "rank_sample=500", "stop_patience=6")
"""The best epoch of whatever is trained in epochs is the one that ranks validation axioms best."""
FACTS = ("negative_forms=existential", "negatives_per_positive=4", "corrupt=both")
"""Where most axioms are edges between proteins or from proteins to functions, as the papers corrupt them."""
BOXES = ("score=centres", "margin_side=loose", "weighting=none", "distance=3.5", "plateau_patience=2", *FACTS)
"""What the programs of the box models have in common."""
TRUE_BOXES = ("negatives_per_positive=2", "dimension=50", "epochs=24")
"""Where C ⊑ D matters, centres say too little: boxes are ranked by inclusion, and every form is corrupted."""
EDGES = ("dimension=50", "learning_rate=0.03", "negatives_per_positive=4")
VOLUMES = ("dimension=25", "learning_rate=0.01", "rank_sample=100")
"""Volumes take long to rank."""
SETTINGS: Mapping[str, Mapping[str, Sequence[str]]] = {
    "elem": {
        "facts": ("margin=0.1", "dimension=100", "epochs=60", "stop_patience=20", *FACTS),
        "": ("margin=0.1", "dimension=50", "epochs=60", "stop_patience=20", "negatives_per_positive=4"),
    },
    "emelpp": {
        "facts": ("activation=leaky", "clipped_negatives=true", "margin=0.1", "dimension=100", "epochs=40", *FACTS),
        "": ("activation=leaky", "clipped_negatives=true", "margin=0.1", "epochs=40", "negatives_per_positive=4"),
    },
    "elbe": {"facts": ("dimension=100", "margin=0.02", "epochs=16", *BOXES), "": TRUE_BOXES},
    "box2el": {"facts": ("dimension=100", "margin=0.02", "epochs=16", "bump_weight=0.2", *BOXES), "": TRUE_BOXES},
    "transbox": {"facts": ("dimension=100", "margin=0.0", "epochs=16", *BOXES), "": TRUE_BOXES},
    "boxel": {"facts": ("epochs=5", *VOLUMES), "": ("epochs=10", *VOLUMES)},
    "transe": {"facts": ("epochs=16", *EDGES), "": ("epochs=20", *EDGES)},
    "distmult": {"facts": ("epochs=12", "weight=0.02", *EDGES), "": ("epochs=20", "weight=0.1", *EDGES)},
    "complex": {"facts": ("epochs=8", "weight=0.02", *EDGES), "": ("epochs=20", "weight=0.1", *EDGES)},
    "owl2vec": {
        "facts": ("dimension=50", "documents=structure", "vector=name"),
        "": ("dimension=50", "walks=5", "passes=3"),
    },
    "dl2vec": {"": ("dimension=50", "walks=5", "passes=3")},
    "faithful": {"": ("dimension=10",)},
}
"""What is set of each model, for tasks about facts and for all others; everything else is as by default."""
ORIGINAL = (
    *("activation=relu", "regularisation=strict", "left_existential=overlap", "margin=0.1", "dimension=100"),
    *("negatives=random", "negative_forms=existential", "epochs=60", "stop_by=rank", "rank_sample=500"),
)
"""`elem` as it was first published, with one corrupted tail for each C ⊑ ∃R.D, drawn at random."""


class Trial(NamedTuple):
    """One training of one model for one task."""

    task: str
    model: str
    settings: tuple[str, ...]
    seed: int

    @property
    def name(self) -> str:
        """With a digest of the settings, so that figures of others are never taken for these."""
        digest = hashlib.sha256(" ".join(self.settings).encode()).hexdigest()[:8]
        return f"{self.task}-{self.model}-{digest}-{self.seed}"


class Found(NamedTuple):
    """What a training came to."""

    ranks: Mapping[str, float]
    true: float | None
    """The share of asserted axioms that are true, mean over normal forms; None of what is no geometry."""
    processor: float
    peak: float
    """GiB"""


def settings(task: str, model: str) -> tuple[str, ...]:
    chosen = SETTINGS.get(model, {})
    given = chosen.get("facts" if task in ABOUT_FACTS else "", chosen.get("", ()))
    if not issubclass(REGISTRY[model], Model):
        return tuple(given)
    named = {value.split("=")[0] for value in given}
    return (*given, *(value for value in BY_RANK if value.split("=")[0] not in named))


def variants(task: str, model: str, negatives: Sequence[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """A model's name in the table and what is set: twice where corrupted axioms count."""
    chosen = settings(task, model)
    if model == "elem" and task in ABOUT_FACTS:
        yield "elem as first published", ORIGINAL
    if model == "atlas" and task not in ABOUT_FACTS:
        yield "atlas without words", WORDLESS
    if not issubclass(REGISTRY[model], Model):
        yield model, chosen
    else:
        for mode in negatives:
            yield f"{model}, {mode}", (*chosen, f"negatives={mode}")


class Bench:
    """Datasets, runs and figures in one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def has(self, trial: Trial) -> bool:
        return (self._folder / f"{trial.name}.json").exists()

    def found(self, trial: Trial) -> Found:
        """From its file, or trained, ranked and written there whole."""
        place = self._folder / f"{trial.name}.json"
        if not place.exists():
            task = TASKS[trial.task]
            folder = self._dataset(task)
            processor, peak = self._train(trial, folder)
            dataset, predictor = _loaded(folder), Run.load(self._folder / trial.name).predictor()
            found = Found(_ranks(predictor, dataset, task), _true(predictor, dataset), processor, peak)
            write_text(place, json.dumps(found._asdict()))
            shutil.rmtree(self._folder / trial.name / "checkpoints", ignore_errors=True)
        return Found(**json.loads(place.read_text()))

    def _dataset(self, task: Task) -> Path:
        place = self._folder / f"{task.make.__name__}-0"
        if not place.exists():
            drawn = ["--seed", "0"] if task.drawn else []
            subprocess.run(elgeo("dataset", *task.make(), "-o", place, *drawn), check=True, stdout=sys.stderr)
        return place

    def _train(self, trial: Trial, dataset: Path) -> tuple[float, float]:
        """Processor seconds and GiB of a training, with what was broken off before."""
        run = self._folder / trial.name
        cost = run.with_name(f"{trial.name}.cost")
        processor, peak = json.loads(cost.read_text()) if cost.exists() else (0.0, 0.0)
        if (run / RECORD).exists() and Run.load(run).record.result is not None:
            return processor, peak
        words = [word for value in (*trial.settings, "threads=1") for word in ("--set", value)]
        new = ["train", dataset, "-o", run, "--model", trial.model, "--seed", str(trial.seed), "--quiet", *words]
        command = elgeo("train", "-o", run, "--resume", "--quiet") if (run / RECORD).exists() else elgeo(*new)
        took = measured(command, env={**os.environ, "OMP_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"})
        processor, peak = processor + took.processor, max(peak, took.peak_bytes / 2**30)
        write_text(cost, json.dumps([processor, peak]))
        return processor, peak


@cache
def _loaded(folder: Path) -> Dataset:
    return datasets.load(folder)


def _ranks(predictor: Predictor, dataset: Dataset, task: Task) -> Mapping[str, float]:
    """Test axioms among all classes of the kind, or, as the task wants it, among those that occur in the target.

    Never among them is the head, which a geometry has to put first where C ⊑ D is asked: C ⊑ C is true in each.
    """
    candidates = candidates_of(dataset, "target" if task.ranking == AMONG else "kind")
    known = Known.of_pairs(dataset.train[:, 0], dataset.train[:, -1], dataset.vocabulary.n_classes)
    heads, tails = (np.ascontiguousarray(dataset.test[:, column]) for column in (0, -1))
    contest = Contest(predictor.scorer(), dataset.target_role, candidates)
    figures = per_axiom(rank(contest, heads, tails, known, without_head=True).filtered)
    return {metric: float(figures[metric]) for metric in FIGURES}


def _true(predictor: Predictor, dataset: Dataset) -> float | None:
    if not isinstance(predictor, Geometry) or not predictor.judged_forms:
        return None
    return float(np.mean(list(true_shares(predictor, dataset, np.random.default_rng(0)).values())))


def line(name: str, found: Sequence[Found]) -> str:
    """Means over seeds, with standard deviations where there are several; what every training cost, in the mean."""

    def shown(values: Sequence[float], places: int) -> str:
        several = f" ± {np.std(values, ddof=1):.{places}f}" if len(values) > 1 else ""
        return f"{np.mean(values):,.{places}f}{several}"

    ranks = [shown([each.ranks[metric] for each in found], places) for metric, places in FIGURES.items()]
    true = [each.true for each in found if each.true is not None]
    cost = f"{np.mean([each.processor for each in found]):.0f} | {max(each.peak for each in found):.1f}"
    return f"| {name} | {' | '.join(ranks)} | {shown(true, 3) if true else ''} | {cost} | {len(found)} |"


def trials(task: str, model: str, options: argparse.Namespace) -> Iterator[tuple[str, Iterator[Trial]]]:
    """What a line of the table is called, and its trainings: others than the first only where chance is in them."""
    by_chance = not issubclass(REGISTRY[model], Baseline) and model != "atlas"
    for name, chosen in variants(task, model, options.negatives):
        yield name, (Trial(task, model, chosen, seed) for seed in range(options.seeds if by_chance else 1))


def rows(bench: Bench, task: str, options: argparse.Namespace) -> dict[str, list[Found]]:
    """By name in the table, what each training came to; the best first."""
    made: dict[str, list[Found]] = {}
    for model in options.models:
        for name, wanted in trials(task, model, options):
            found: list[Found] = []
            for trial in wanted:
                if bench.has(trial) or (not options.kept and (not found or found[0].processor < options.short)):
                    found.append(bench.found(trial))
            if found:
                made[name] = found
                print(line(name, found), file=sys.stderr, flush=True)
    return dict(sorted(made.items(), key=lambda row: -_mean(row[1], "mrr")))


def _mean(found: Sequence[Found], metric: str) -> float:
    return float(np.mean([each.ranks[metric] for each in found]))


def table(task: str, rows: Mapping[str, Sequence[Found]]) -> str:
    head = f"| {task} | Hits@10 | Hits@100 | mean rank | MRR | asserted axioms true | cpu s | GiB | seeds |"
    rule = "|---|---:|---:|---:|---:|---:|---:|---:|---:|"
    return "\n".join([head, rule, *(line(name, found) for name, found in rows.items())])


def together(tables: Mapping[str, Mapping[str, Sequence[Found]]]) -> str:
    """One line for each model, best first task first: Hits@10 (its deviation over seeds), mean rank and MRR of each."""

    def cell(found: Sequence[Found]) -> str:
        hits = [each.ranks["hits@10"] for each in found]
        apart = f" ± {np.std(hits, ddof=1):.3f}" if len(hits) > 1 else ""
        figures = f"{np.mean(hits):.3f}{apart} · {_mean(found, 'mean_rank'):,.0f} · {_mean(found, 'mrr'):.3f}"
        return figures.replace("0.", ".")

    lines = [f"| | {' | '.join(tables)} | true | cpu s |", "|---" * (len(tables) + 3) + "|"]
    for name in dict.fromkeys(name for rows in tables.values() for name in rows):
        cells = [cell(rows[name]) if name in rows else "" for rows in tables.values()]
        every = [each for rows in tables.values() for each in rows.get(name, ())]
        true = [each.true for each in every if each.true is not None]
        cost = [each.processor for each in every]
        shares = f"{min(true):.2f} – {max(true):.2f}".replace("0.", ".") if true else ""
        lines.append(f"| {name} | {' | '.join(cells)} | {shares} | {min(cost):.0f} – {max(cost):.0f} |")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tasks", nargs="*", metavar="TASK", help=f"of {', '.join(ASKED)} [all]")
    parser.add_argument("-o", "--output", type=Path, help="where datasets, runs and figures are kept [nowhere]")
    parser.add_argument("--models", nargs="+", choices=all_models(), default=all_models(), help="[all]", metavar="NAME")
    parser.add_argument("--negatives", nargs="+", choices=NEGATIVES, default=NEGATIVES, help="[both]", metavar="NAME")
    parser.add_argument("--seeds", type=int, default=3, help="trainings of each that is short [3]")
    parser.add_argument("--short", type=float, default=60, help="seconds of processor that are short [60]")
    parser.add_argument("--kept", action="store_true", help="train nothing: print what the folder has")
    options = parser.parse_args()
    if unknown := set(options.tasks) - set(ASKED):
        parser.error(f"no task is called {sorted(unknown)[0]}: there are {', '.join(ASKED)}")
    data_folder()
    with tempfile.TemporaryDirectory() as nowhere:
        folder = options.output or Path(nowhere)
        folder.mkdir(parents=True, exist_ok=True)
        bench = Bench(folder)
        tables = {}
        for task in options.tasks or ASKED:
            tables[task] = rows(bench, task, options)
            print(table(task, tables[task]), end="\n\n", flush=True)
            for model in options.models:
                if chosen := settings(task, model):
                    print(f"- `{model}`: {', '.join(chosen)}")
            print(flush=True)
        if len(tables) > 1:
            print(together(tables))
    return 0


if __name__ == "__main__":
    sys.exit(main())
