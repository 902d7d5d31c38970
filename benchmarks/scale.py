"""Training in 1, 2 and 4 processes, and every stage at growing sizes: seconds, bytes, memory; docs/scale.md has them.

    python benchmarks/scale.py [--dataset FOLDER] [--processes 1 2 4] [--epochs 5] [--dimension 50]
    python benchmarks/scale.py --proteins 250000 500000 1000000 [--stages classify …] [--folder DIR]
    python benchmarks/scale.py --computed 1e-7 1e-6 2e-5 1.25e9

Without a dataset it is yeast-iw. Losses are compared with those of one process; bytes and seconds of a step with what
the model of cost says.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from common import ROOT, data_folder, measured

WIDTH = 12
BATCH_OF_32_768 = 250_000
"""Proteins that are trained on with batches of 32,768 axioms; with more of them batches grow alike."""


def launched(processes: int, *arguments: str) -> list[str]:
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", str(processes)]
    return [*torchrun, *arguments]


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT / "src"), "OMP_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"}


def trained(dataset: Path, processes: int, values: dict[str, Any]) -> list[dict[str, Any]]:
    """What each process says of a training."""
    with tempfile.TemporaryDirectory() as place:
        worker = str(Path(__file__).with_name("_scale_worker.py"))
        command = launched(processes, worker, str(dataset), place, json.dumps(values))
        subprocess.run(command, env=environment(), check=True)
        return [json.loads((Path(place) / f"rank-{rank}.json").read_text()) for rank in range(processes)]


def apart(losses: list[dict[str, float]], others: list[dict[str, float]]) -> float:
    """The largest relative difference of the total loss of an epoch."""
    pairs = zip(losses, others, strict=True)
    return max(abs(one["total"] - other["total"]) / abs(other["total"]) for one, other in pairs)


def training(dataset: Path, several: list[int], values: dict[str, Any]) -> None:
    alone: list[dict[str, Any]] = []
    for processes in several:
        found = trained(dataset, processes, dict(values))
        first = found[0]
        alone = alone or found
        steps = max(first["counted"].get("rows_calls", 0) // 3, 1)
        rows = max(each["classes"] // processes for each in found)
        kept = max(each["kept"] for each in found)
        grown = max(each["after"] - each["before"] for each in found)
        difference = apart(first["losses"], alone[0]["losses"])
        print(
            f"{processes} processes: {min(first['seconds']):.2f} s an epoch ({first['processor']:.2f} s of processor in"
            f" the first process), losses of {len(first['losses'])} epochs within {difference:.1e} of the first line;"
            f" {rows:,} rows a process, {kept / 2**20:.0f} MiB of model, the process grew by {grown / 2**20:.0f} MiB",
            flush=True,
        )
        if processes > 1:
            cost(found, processes, steps)


def cost(found: list[dict[str, Any]], processes: int, steps: int) -> None:
    """Bytes and seconds of a step as measured, beside what the model of docs/scale.md says."""
    first = found[0]
    # of the three exchanges of a step ids and gradients go out for the rows wanted, rows for those asked for
    distinct = first["counted"]["rows"] / 3 / steps
    moved = first["counted"]["rows_bytes"] / steps
    away = (processes - 1) / processes
    said = distinct * away * (4 + 2 * first["row"])
    waited = first["waited"]["rows"] / steps
    least = 3 * first["latency"] + moved / first["bandwidth"]
    adam = first["worked"]["adam"] / steps
    print(
        f"  a step: {distinct:,.0f} distinct rows, {moved / 2**20:.2f} MiB sent (model {said / 2**20:.2f}),"
        f" {waited * 1e3:.1f} ms in their exchange (model {least * 1e3:.1f} at {first['latency'] * 1e3:.2f} ms and"
        f" {first['bandwidth'] / 2**20:.0f} MiB/s), Adam {adam * 1e9 / (first['classes'] / processes):.0f} ns a row,"
        f" all else {1e3 * (first['processor'] * len(first['losses']) / steps - adam):.1f} ms of processor",
        flush=True,
    )


def written(proteins: int, folder: Path) -> Path:
    """Proteins with three functions each over the Gene Ontology: a table of them, and an ontology of all of it."""
    ontology = data_folder() / "go" / "go_2019-01-27.obo.gz"
    with gzip.open(ontology, "rt", encoding="utf-8") as file:
        frames = file.read().split("\n[Term]\n")[1:]
    terms = np.array([frame[4:14] for frame in frames if "\nis_obsolete: true" not in frame])
    random = np.random.default_rng(proteins)
    table, said = folder / "functions.tsv", folder / "proteins.ofn"
    with table.open("w", encoding="utf-8") as lines, said.open("w", encoding="utf-8") as axioms:
        axioms.write("Prefix(go:=<http://purl.obolibrary.org/obo/>)\nPrefix(p:=<http://example.org/>)\nOntology(\n")
        for first in range(0, proteins, 1 << 16):
            names = [f"P{i:07d}" for i in range(first, min(first + (1 << 16), proteins)) for _ in range(3)]
            # few terms are used often, as in real annotations
            drawn = terms[(len(terms) * random.random(len(names)) ** 3).astype(np.int64)].tolist()
            pairs = list(zip(names, drawn, strict=True))
            lines.writelines(f"{name}\t{term}\n" for name, term in pairs)
            axioms.writelines(
                f"SubClassOf(p:{name} ObjectSomeValuesFrom(p:has_function go:GO_{term[3:]}))\n" for name, term in pairs
            )
        axioms.write(")\n")
    return ontology


def stages(proteins: int, folder: Path, only: list[str]) -> None:
    """Merge and classify, make a dataset, train, evaluate a sample and predict with so many proteins."""
    folder.mkdir(parents=True, exist_ok=True)
    go = str(written(proteins, folder))
    dataset, run, whole = (str(folder / name) for name in ("dataset", "run", "whole.ofn"))
    functions = ["--annotations", str(folder / "functions.tsv"), "--target", "has_function"]
    # a thousand axioms, or so, are held out to be ranked
    share = 1500 / proteins / 3 * 100
    split = f"{100 - 2 * share:.4f}:{share:.4f}:{share:.4f}"
    # Adam moves every row in every step: with as many steps at each size an epoch grows with the rows alone
    batch = max(1, round(32_768 * proteins / BATCH_OF_32_768))
    training = ["--model", "elem", "--epochs", "2", "--set", "dimension=50", "--set", f"batch={batch}"]
    commands = {
        "merge": ["merge", go, str(folder / "proteins.ofn"), "-o", whole],
        "normalise": ["normalise", whole, "--format", "parquet", "-o", str(folder / "forms")],
        "classify": ["classify", whole, "--direct", "-o", str(folder / "taxonomy.tsv")],
        "dataset": ["dataset", "build", "--ontology", go, *functions, "--split", split, "-o", dataset],
        "train": ["train", dataset, "-o", run, *training, "--quiet"],
        "evaluate": ["evaluate", run],
        "predict": ["predict", run, "--head", "P0000000", "--top", "5"],
    }
    for name, command in commands.items():
        if only and name not in only:
            continue
        started = time.perf_counter()
        try:
            done = measured([sys.executable, "-m", "elgeo", *command], env=environment(), stderr=subprocess.DEVNULL)
            figures = f"{done.seconds:8.1f} s, {done.processor:7.1f} of processor {done.peak_bytes / 2**30:6.2f} GiB"
        except subprocess.CalledProcessError as error:
            figures = f"failed after {time.perf_counter() - started:.1f} s: {error.returncode}"
        print(f"{proteins:>10,} {name:<{WIDTH}}{figures}", flush=True)


def computed(adam: float, axiom: float, message: float, bandwidth: float) -> None:
    """What the model of docs/scale.md says of sizes that were not tried; dimension 50, a process a machine."""
    width, batch = 4 * 51, 32_768
    for name, classes, axioms in (("UMLS", 4_000_000, 12_000_000), ("UniProt", 250_000_000, 750_000_000)):
        for machines in (8, 64, 512):
            own = classes / machines
            # an axiom and its corrupted twin name four classes, of which some are named again
            distinct = classes * (1 - math.exp(-4 * batch / classes))
            away = (machines - 1) / machines
            moved = distinct * away * (4 + 2 * width)
            step = batch * axiom + own * adam + 3 * (machines - 1) * message + moved / bandwidth
            steps = math.ceil(axioms / batch / machines)
            print(
                f"| {name} | {machines} | {own * width * 5 / 2**30:.1f} GiB | {moved / 2**20:.0f} MiB"
                f" | {step * 1e3:.0f} ms | {steps:,} | {steps * step:,.0f} s |"
            )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dataset", type=Path)
    parser.add_argument("--processes", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--dimension", type=int, default=50)
    parser.add_argument("--proteins", type=int, nargs="*", default=[])
    parser.add_argument("--stages", nargs="+", default=[], help="only these: merge, classify, dataset, train, …")
    parser.add_argument("--folder", type=Path)
    parser.add_argument(
        "--computed",
        type=float,
        nargs=4,
        metavar="X",
        help="seconds of Adam a row, of processor an axiom, of a message; bytes a second: what the model of cost says",
    )
    options = parser.parse_args()
    if options.computed:
        computed(*options.computed)
        return 0
    with tempfile.TemporaryDirectory() as place:
        for proteins in options.proteins:
            stages(proteins, (options.folder or Path(place)) / str(proteins), options.stages)
        if options.proteins:
            return 0
        dataset = options.dataset
        if dataset is None:
            from elgeo.datasets.folder import save
            from training import yeast

            dataset = Path(place) / "yeast"
            save(yeast(), dataset)
        values = {"model": "elem", "dimension": options.dimension, "epochs": options.epochs, "batch": 32_768}
        training(dataset, options.processes, values)
    return 0


if __name__ == "__main__":
    sys.exit(main())
