"""`atlas` beside the baselines: on real ontologies, each split at random, and its cost as data grows.

`python benchmarks/atlas.py` takes every ontology under `real/` of the data folder, holds out axioms of its most
frequent shapes (C ⊑ D, and C ⊑ ∃R.D of its most used role) 80:10:10, and compares filtered ranks of the test axioms
with those of every baseline; a difference counts where the 95 % interval of a paired bootstrap leaves 0 out. `--sizes`
fits generated cells instead, with 1, 2 and 4 times the proteins of yeast, and `--classes 200000` C ⊑ D of a generated
terminology of that size.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

import elgeo
from common import data_folder, measured
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
from elgeo.ontology.generation.generate import generate
from elgeo.training.run import Run

BASELINES = ("naive", "naive-symmetric", "common-neighbours")
NAMES = "nearest-names"
"""A baseline by words alone."""
LEAST = 40
"""Test axioms below which a split says too little."""


class Figures(NamedTuple):
    """Of the test axioms."""

    axioms: float
    mrr: float
    hits: float
    """At 10."""
    mean_rank: float

    @classmethod
    def of(cls, found: Ranks) -> Figures:
        average = found.average
        return cls(len(found), float(np.mean(1 / average)), float(np.mean(average <= 10)), float(average.mean()))

    @classmethod
    def mean(cls, found: Sequence[Figures]) -> Figures:
        return cls(*np.mean(found, axis=0).tolist())


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


class Outcome(NamedTuple):
    """Figures of one split."""

    ours: Figures
    baselines: dict[str, Figures]
    verdicts: dict[str, str]
    """Of each baseline: whether atlas is ahead of it, level or behind, by the paired difference in MRR."""
    seconds: float
    """Of processor, for fitting atlas and ranking by it."""


def outcome(dataset: Dataset, seed: int) -> Outcome:
    """Figures of atlas and of every baseline, and whether it is ahead beyond chance."""
    started = time.process_time()
    ours = ranks(fitted(dataset, seed), dataset)
    seconds = time.process_time() - started
    others = {name: ranks(find(name).fit(dataset), dataset) for name in (*BASELINES, NAMES)}  # type: ignore[attr-defined]
    verdicts = {}
    for name, theirs in others.items():
        low, high = compare(ours, theirs, "mrr", np.random.default_rng(0)).interval
        verdicts[name] = "ahead" if low > 0 else "behind" if high < 0 else "level"
    return Outcome(Figures.of(ours), {name: Figures.of(theirs) for name, theirs in others.items()}, verdicts, seconds)


def line(name: str, found: Sequence[Outcome]) -> str:
    """One row of the table, means over splits; `ahead` where atlas is of every baseline on every split."""
    mrr = np.array([each.ours.mrr for each in found])
    error = f" ± {mrr.std(ddof=1) / np.sqrt(len(mrr)):.3f}" if len(found) > 1 else ""
    beside = {name: Figures.mean([each.baselines[name] for each in found]) for name in found[0].baselines}
    best = max(beside, key=lambda name: beside[name].mrr)
    verdicts = [f"{word} {name}" for each in found for name, word in each.verdicts.items() if word != "ahead"]
    counted = {words: verdicts.count(words) for words in verdicts}
    verdict = ", ".join(f"{words} ({count} of {len(found)})" for words, count in counted.items()) or "ahead"
    ours = Figures.mean([each.ours for each in found])
    return (
        f"| {name} | {ours.axioms:.0f} | {ours.mrr:.3f}{error} | {ours.hits:.3f} | {ours.mean_rank:.0f} "
        f"| {beside['naive'].mean_rank:.0f} | {best} {beside[best].mrr:.3f} ({beside[best].mean_rank:.0f}) "
        f"| {verdict} | {np.mean([each.seconds for each in found]):.1f} |"
    )


def real(folder: Path, seeds: Sequence[int]) -> None:
    head = "| ontology, shape | test | MRR | Hits@10 | mean rank | naive's | best baseline, MRR (mean rank) "
    print(head + "| atlas is | cpu s |\n|---|---|---|---|---|---|---|---|---|", flush=True)
    for path in sorted(path for path in folder.iterdir() if path.suffix != ".md"):
        try:
            found = list(shapes(path))
        except ElgeoError as error:
            print(f"{path.name}: {error}", file=sys.stderr)
            continue
        for shape in found:
            made = [(seed, split(path, shape, seed)) for seed in seeds]
            large = [(seed, each) for seed, each in made if each is not None and len(each.test) >= LEAST]
            if large:
                short = shape.split("/")[-1].split("#")[-1].removesuffix("> some ?D") if "some" in shape else "C ⊑ D"
                outcomes = [outcome(each, seed) for seed, each in large]
                print(line(f"{path.name.split('.')[0]}, {short}", outcomes), flush=True)


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


def terminology(classes: int) -> None:
    """What `elgeo train` takes for C ⊑ D of a generated terminology, and how the test axioms rank."""
    with tempfile.TemporaryDirectory() as folder:
        file, data, run = (Path(folder) / name for name in ("terms.ofn", "data", "run"))
        elgeo.write(generate("snomed", classes, seed=1), file)
        words = ["dataset", "split", str(file), "--axioms", "?C SubClassOf ?D", "-o", str(data)]
        for command in (words, ["train", str(data), "-o", str(run), "--quiet"]):
            took = measured([sys.executable, "-m", "elgeo", *command])
            peak = took.peak_bytes / 2**30
            print(f"{classes:,} classes, {command[0]}: {took.processor:.1f} s of processor, {peak:.2f} GiB", flush=True)
        dataset = elgeo.datasets.load(data)
        for name, predictor in (("atlas", Run.load(run).predictor()), ("naive", find("naive").fit(dataset))):  # type: ignore[attr-defined]
            found = Figures.of(ranks(predictor, dataset))
            print(
                f"{name}: {len(dataset.test):,} test axioms, MRR {found.mrr:.3f}, Hits@10 {found.hits:.3f}, "
                f"mean rank {found.mean_rank:,.0f}",
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
    parser.add_argument("--seeds", type=int, default=1, help="splits of each shape, from that seed on [1]")
    parser.add_argument("--sizes", action="store_true", help="cost at 1, 2 and 4 times the proteins of yeast")
    parser.add_argument("--size", type=int, help="cost at so many times its proteins alone")
    parser.add_argument("--classes", type=int, help="cost at so many classes of a generated terminology")
    parser.add_argument("--target", choices=list(cell.TARGETS), default="interacts_with", help="of --size")
    parser.add_argument("--rerank", action="store_true", help="with the net over all evidence, for --sizes and --size")
    options = parser.parse_args()
    if options.size:
        cost(options.size, options.target, options.rerank)
    elif options.sizes:
        costs(options.rerank)
    elif options.classes:
        terminology(options.classes)
    elif (folder := options.folder or data_folder() / "real").is_dir():
        real(folder, range(options.seed, options.seed + options.seeds))
    else:
        print(f"skipped: no ontologies at {folder}")


if __name__ == "__main__":
    main()
