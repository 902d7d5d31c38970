"""Whole epochs of a model on yeast-iw, beside the same method in plain PyTorch and the paper's filter.

    python benchmarks/training.py [--model elem|elbe|box2el|transbox] [--dimensions 50 200] [--rounds 3] [--threads 2]
        [--negatives random] [--mowl PYTHON]

All four normal forms with negatives, batch 32,768, sampling included. Also: memory bandwidth and how far a step is from
it, and peak memory (beside mOWL's module where the Python of an environment with mOWL is given, or ELGEO_MOWL).
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy as np
import torch

from _plain_boxes import MARGIN as BOX_MARGIN
from _plain_training import LEARNING_RATE, MARGIN, PlainTraining
from common import data_folder, measured
from elgeo.datasets import load
from elgeo.datasets.folder import save
from elgeo.datasets.model import Dataset
from elgeo.datasets.sources.build import Recipe, build
from elgeo.models import Sizes, find
from elgeo.negatives import corrupters
from elgeo.ontology.normal_forms import TAILED
from elgeo.reasoning import Reasoner
from elgeo.reasoning.closure.base import Closure
from elgeo.training.batches import Batches

BATCH = 32_768


def yeast() -> Dataset:
    """yeast-iw: GO, annotations, and interactions as they are split already."""
    folder = data_folder()
    return build(
        Recipe(
            ontology=folder / "go" / "go_2019-01-27.obo.gz",
            annotations=(folder / "yeast" / "annotations.tsv.gz",),
            ready={part: folder / "yeast" / f"interactions_{part}.tsv.gz" for part in ("train", "valid", "test")},
            name="yeast-iw",
        )
    )[0]


class OurTraining:
    """Epochs of our training on a dataset."""

    def __init__(
        self, dataset: Dataset, dimension: int, mode: str, closure: Closure | str = "complete", model: str = "elem"
    ) -> None:
        tables = {form: dataset.forms[form] for form in TAILED}
        self.batches = Batches(tables, corrupters(dataset, mode, closure=closure), BATCH, "frequency")
        self.generator = np.random.default_rng(0)
        cls: Any = find(model)
        margin = MARGIN if model == "elem" else BOX_MARGIN
        self.model = cls(Sizes.of(dataset), cls.Settings(dimension=dimension, margin=margin), self.generator)
        self.engine = self.model.engine()

    def epoch(self) -> float:
        mean, weights = 0.0, self.batches.weights
        for batch in self.batches.epoch(self.generator):
            losses = self.engine.step(batch, LEARNING_RATE)
            mean += sum(weights[name.rstrip("-")] * loss for name, loss in losses.items()) / self.batches.steps
        return mean


def entailed_rows(closure: Closure, table: np.ndarray, form: str) -> np.ndarray:
    """Every entailed axiom that a corrupted row of a table could be."""
    lefts = np.unique(table[:, :-1], axis=0)
    start, members, _ = closure.entailed_tails(form, lefts)
    return np.column_stack([np.repeat(lefts, np.diff(start), axis=0), members])


@numba.njit(parallel=True, fastmath=True)
def _triad(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> None:
    for i in numba.prange(len(a)):
        a[i] = b[i] + np.float32(2) * c[i]


def bandwidth() -> float:
    """Bytes a second of a + 2b into a third array, all three far larger than the caches; the best of 10."""
    arrays = [np.ones(50_000_000, np.float32) for _ in range(3)]
    _triad(*arrays)
    return 3 * arrays[0].nbytes / min(seconds(lambda: _triad(*arrays)) for _ in range(10))


def traffic(batches: Batches, classes: int, dimension: int) -> tuple[float, float]:
    """Bytes of a step: what Adam alone has to read and write, and with one centre fetched for each end of each term."""
    row = 4 * 16 * -(-dimension // 16)
    terms = {"conjunction": 3}
    entries = sum(
        4 * min(BATCH, len(table)) * terms.get(form, 1) for form, table in batches.tables.items()
    )  # two ends, positive and negative
    adam = 6 * classes * row
    return adam, adam + entries * row


def seconds(work: Callable[[], object]) -> float:
    """Of the wall; of the processor where one thread does everything, since others may be at work on the machine."""
    clock = time.process_time if torch.get_num_threads() == numba.get_num_threads() == 1 else time.perf_counter
    started = clock()
    work()
    return clock() - started


def compare(dataset: Dataset, model: str, dimension: int, modes: list[str], rounds: int, stream: float) -> None:
    closure = Reasoner(dataset.forms).closure("complete")
    tables = {form: dataset.forms[form] for form in TAILED}
    kinds, roles = dataset.kinds.of_class, dataset.vocabulary.n_roles
    trainings: dict[str, OurTraining | PlainTraining] = {}
    for mode in modes:
        refused = None
        if mode == "filtered":
            refused = {form: entailed_rows(closure, table, form) for form, table in tables.items()}
        trainings[f"ours, {mode}"] = OurTraining(dataset, dimension, mode, closure, model)
        trainings[f"plain, {mode}"] = PlainTraining(tables, kinds, roles, dimension, BATCH, refused, model)
    times: dict[str, list[float]] = {name: [] for name in trainings}
    for name, training in trainings.items():
        print(f"  mean loss of the first epoch, {name}: {training.epoch():.4f}")
    for _ in range(rounds):
        # side by side, so that whatever else the machine does falls on all of them
        for repeat in range(4):
            for name, training in trainings.items():
                if repeat == 0 or name.startswith("ours"):
                    times[name].append(seconds(training.epoch))
    best = {name: min(each) for name, each in times.items()}
    for name, each in best.items():
        print(f"  {name:16} {each:8.3f} s an epoch (all: {', '.join(f'{took:.3f}' for took in times[name])})")
    wanted = {"random": {50: 4, 200: 8}.get(dimension, 4) if model == "elem" else 4, "filtered": 20}
    for mode in modes:
        ratio = best[f"plain, {mode}"] / best[f"ours, {mode}"]
        print(f"  {mode}: {ratio:.1f} times faster (wanted: {wanted[mode]})")
    if len(modes) > 1:
        slower = best["ours, filtered"] / best["ours, random"] - 1
        print(f"  filtered beside random: {slower:+.1%} (wanted: at most +10 %)")
    if model != "elem" or "random" not in modes:
        return
    ours = trainings["ours, random"]
    assert isinstance(ours, OurTraining)
    batch = next(ours.batches.epoch(np.random.default_rng(1)))
    step = min(seconds(lambda: ours.engine.step(batch, LEARNING_RATE)) for _ in range(20))
    least, fetched = traffic(ours.batches, len(kinds), dimension)
    print(
        f"  a step: {step * 1e3:.1f} ms. At the measured bandwidth Adam's {least / 1e6:.0f} MB alone would take"
        f" {least / stream * 1e3:.1f} ms, all centres fetched from memory ({fetched / 1e6:.0f} MB)"
        f" {fetched / stream * 1e3:.1f} ms: {step * stream / fetched:.1f} times that bound"
    )


def memory(dataset: Dataset, model: str, dimensions: list[int], mowl: str | None) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        save(dataset, folder / "yeast-iw")
        tables = {form: dataset.forms[form] for form in TAILED}
        protein = dataset.kinds.names.index("protein")
        numbers = {"roles": dataset.vocabulary.n_roles, "protein": protein, "kinds": dataset.kinds.of_class}
        np.savez(folder / "tables.npz", **tables, **numbers)
        for dimension in dimensions:
            run = measured(
                [sys.executable, __file__, "--model", model, "--one-epoch", str(folder / "yeast-iw"), str(dimension)]
            )
            print(
                f"  dimension {dimension}: ours, reasoner and filtered epoch included, {run.peak_bytes / 2**30:.2f} GiB"
            )
            if mowl and model == "elem":
                script = str(Path(__file__).with_name("_mowl_training.py"))
                run = measured([mowl, script, str(folder / "tables.npz"), str(dimension), "3"])
                print(
                    f"  dimension {dimension}: mOWL's module alone, {run.peak_bytes / 2**30:.2f} GiB"
                    f" (one step on all rows at once in {float(run.output.split()[-1]):.1f} s)"
                )
    if not mowl:
        print("  skipped: mOWL (give --mowl PYTHON or set ELGEO_MOWL to the Python of an environment that has it)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="elem", choices=("elem", "elbe", "box2el", "transbox"))
    parser.add_argument("--dimensions", type=int, nargs="+", default=[50, 200])
    parser.add_argument("--negatives", nargs="+", choices=("random", "filtered"), default=["random", "filtered"])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2, help="of ours and of PyTorch [2]")
    parser.add_argument("--mowl", default=os.environ.get("ELGEO_MOWL"), help="Python of an environment with mOWL")
    parser.add_argument("--one-epoch", nargs=2, metavar=("DATASET", "DIMENSION"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    numba.set_num_threads(min(options.threads, numba.config.NUMBA_NUM_THREADS))
    if options.one_epoch:
        OurTraining(load(options.one_epoch[0]), int(options.one_epoch[1]), "filtered", model=options.model).epoch()
        return
    dataset = yeast()
    print(f"yeast-iw: {dataset.forms.counts()}, {dataset.vocabulary.n_classes} classes, {options.threads} threads")
    stream = bandwidth()
    print(f"memory bandwidth (triad): {stream / 1e9:.1f} GB/s")
    for dimension in options.dimensions:
        print(f"{options.model}, dimension {dimension}, batch {BATCH}")
        compare(dataset, options.model, dimension, options.negatives, options.rounds, stream)
    print("peak memory")
    memory(dataset, options.model, options.dimensions, options.mowl)


if __name__ == "__main__":
    main()
