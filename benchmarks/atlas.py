"""`atlas` beside the baselines: on real ontologies, each split at random, and its cost as data grows.

`python benchmarks/atlas.py` takes every ontology under `real/` of the data folder, holds out axioms of its most
frequent shapes (C ⊑ D, and C ⊑ ∃R.D of its most used role) 80:10:10, and compares filtered ranks of the test axioms; a
difference counts where the 95 % interval of a paired bootstrap leaves 0 out. `--sizes` fits generated cells instead,
with 1, 2 and 4 times the proteins of yeast.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

import elgeo
from common import data_folder
from elgeo.datasets.embedded import cell
from elgeo.datasets.embedded.cell_latent import SIZES
from elgeo.datasets.model import Dataset
from elgeo.errors import ElgeoError
from elgeo.evaluation.measures.intervals import compare
from elgeo.evaluation.ranking.known import Known
from elgeo.evaluation.ranking.rank_axioms import rank
from elgeo.evaluation.ranking.ranks import Ranks
from elgeo.evaluation.ranking.scoring import Contest
from elgeo.models import Predictor, find

BASELINES = ("naive", "naive-symmetric", "common-neighbours")
LEAST = 40
"""Test axioms below which a split says too little."""


def ranks(predictor: Predictor, dataset: Dataset) -> Ranks:
    known = Known.of_pairs(dataset.train[:, 0], dataset.train[:, -1], dataset.vocabulary.n_classes)
    contest = Contest(predictor.scorer(), dataset.target_role, dataset.candidates)
    heads, tails = (np.ascontiguousarray(dataset.test[:, column]) for column in (0, -1))
    return rank(contest, heads, tails, known).filtered


def fitted(dataset: Dataset, seed: int) -> Predictor:
    atlas = find("atlas")
    return atlas.fit(dataset, atlas.Settings(), np.random.default_rng(seed), lambda message: None)  # type: ignore[attr-defined,no-any-return]


def shapes(path: Path) -> Iterator[str]:
    yield "?C SubClassOf ?D"
    forms = elgeo.normalise(elgeo.read(str(path)))
    roles, counts = np.unique(forms.existential[:, 1], return_counts=True)
    if len(roles):
        yield f"?C SubClassOf <{forms.vocabulary.roles[int(roles[counts.argmax()])]}> some ?D"


def split(path: Path, shape: str, seed: int) -> Dataset | None:
    try:
        return elgeo.datasets.split(path, shape, shares="80:10:10", seed=seed, entailed="drop")
    except ElgeoError as error:
        print(f"{path.name}: {shape}: {error}", file=sys.stderr)
        return None


def line(name: str, dataset: Dataset, seed: int) -> str:
    """One row of the table: MRR of all, and whether atlas is ahead of the best baseline beyond chance."""
    started = time.process_time()
    ours = ranks(fitted(dataset, seed), dataset)
    seconds = time.process_time() - started
    others = {name: ranks(find(name).fit(dataset), dataset) for name in BASELINES}  # type: ignore[attr-defined]
    values = {name: float(np.mean(1 / found.average)) for name, found in others.items()}
    best = max(values, key=lambda name: values[name])
    found = compare(ours, others[best], "mrr", np.random.default_rng(0))
    low, high = found.interval.low, found.interval.high
    verdict = "ahead" if low > 0 else "behind" if high < 0 else "level"
    hits = float(np.mean(ours.average <= 10))
    return (
        f"| {name} | {len(ours)} | {np.mean(1 / ours.average):.3f} | {hits:.3f} | {ours.average.mean():.0f} "
        f"| {others['naive'].average.mean():.0f} | {best} {values[best]:.3f} ({others[best].average.mean():.0f}) "
        f"| {verdict} | {seconds:.1f} |"
    )


def real(folder: Path, seed: int) -> None:
    head = "| ontology, shape | test | MRR | Hits@10 | mean rank | naive's | best baseline, MRR (mean rank) "
    print(head + "| atlas is | cpu s |\n|---|---|---|---|---|---|---|---|---|", flush=True)
    for path in sorted(path for path in folder.iterdir() if path.suffix != ".md"):
        try:
            found = list(shapes(path))
        except ElgeoError as error:
            print(f"{path.name}: {error}", file=sys.stderr)
            continue
        for shape in found:
            dataset = split(path, shape, seed)
            if dataset is not None and len(dataset.test) >= LEAST:
                short = shape.split("/")[-1].split("#")[-1].removesuffix("> some ?D") if "some" in shape else "C ⊑ D"
                print(line(f"{path.name.split('.')[0]}, {short}", dataset, seed), flush=True)


def grown(factor: int) -> str:
    """The name of a cell with the paper's counts, and so many times its proteins, pairs and annotations."""
    size = SIZES["yeast"]
    name = f"yeast-times-{factor}"
    SIZES[name] = replace(
        size,
        proteins=factor * size.proteins,
        pairs=factor * size.pairs,
        annotations=factor * size.annotations,
    )
    return name


def cost(factor: int, target: str, rerank: bool) -> None:
    """One row: what a fit takes, and how far it comes from the best baseline to the best possible ranking."""
    dataset = cell.dataset(grown(factor), target)
    atlas = find("atlas")
    started, before = time.process_time(), time.perf_counter()
    found = atlas.fit(dataset, atlas.Settings(rerank=rerank), np.random.default_rng(0), lambda message: None)  # type: ignore[attr-defined]
    spent, passed = time.process_time() - started, time.perf_counter() - before
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    ours = float(np.mean(1 / ranks(found, dataset).average))
    least = max(float(np.mean(1 / ranks(find(name).fit(dataset), dataset).average)) for name in BASELINES)  # type: ignore[attr-defined]
    print(
        f"| {target}, {factor} × | {len(dataset.kinds.members(dataset.head_kind)):,} | {len(dataset.train):,} "
        f"| {spent:.1f} | {passed:.1f} | {peak:.2f} | {ours:.3f} | {least:.3f} |",
        flush=True,
    )


def costs(rerank: bool) -> None:
    """Each size in a process of its own, so that its memory is its own."""
    print("| target, proteins | heads | training axioms | cpu s | s | peak GiB | MRR | best baseline's |")
    print("|---|---|---|---|---|---|---|---|", flush=True)
    for target in cell.TARGETS:
        for factor in (1, 2, 4):
            command = [sys.executable, __file__, "--size", str(factor), "--target", target]
            subprocess.run([*command, "--rerank"] if rerank else command, check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, help="ontologies to take instead")
    parser.add_argument("--seed", type=int, default=0, help="of splits and fits [0]")
    parser.add_argument("--sizes", action="store_true", help="cost at 1, 2 and 4 times the proteins of yeast")
    parser.add_argument("--size", type=int, help="cost at so many times its proteins alone")
    parser.add_argument("--target", choices=list(cell.TARGETS), default="interacts_with", help="of --size")
    parser.add_argument("--rerank", action="store_true", help="with the net over all evidence, for --sizes and --size")
    options = parser.parse_args()
    folder = options.folder or data_folder() / "real"
    if options.size:
        cost(options.size, options.target, options.rerank)
    elif options.sizes:
        costs(options.rerank)
    elif folder.is_dir():
        real(folder, options.seed)
    else:
        print(f"skipped: no ontologies at {folder}")


if __name__ == "__main__":
    main()
