"""Ranking the yeast interaction test set, raw and filtered, beside the paper's evaluator written plainly.

Both rank the same axioms with the same ball model at dimension 200 (placed at random: the cost does not depend on what
was learned). The plain evaluator is timed in single precision on a part of the axioms and extrapolated; in double
precision its ranks have to be ours. Then the growth of our time with candidates and axioms.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from common import data_folder, measured
from elgeo.evaluation.ranking.known import Known
from elgeo.evaluation.ranking.rank_axioms import rank
from elgeo.evaluation.ranking.ranks import Ranking
from elgeo.evaluation.ranking.scoring import Contest
from elgeo.models.ball_models.elem import ElEmbeddings, ElSettings
from elgeo.models.contract import Sizes

Rows = NDArray[np.int32]
DIMENSION, ROLE, MARGIN = 200, 1, 0.0


def pairs(split: str) -> list[tuple[str, str]]:
    path = data_folder() / "yeast" / f"interactions_{split}.tsv.gz"
    if not path.is_file():
        print(f"skipped: no yeast interactions at {path}")
        sys.exit(0)
    with gzip.open(path, "rt", encoding="utf-8") as file:
        lines = (line.rstrip("\n").split("\t") for line in file if not line.startswith(("#", "protein")))
        return [(cells[0], cells[1]) for cells in lines]


def interactions() -> tuple[int, Rows, Rows]:
    """The number of proteins, and train and test pairs in both directions."""
    named = {split: pairs(split) for split in ("train", "valid", "test")}
    ids = {name: i for i, name in enumerate(sorted({p for found in named.values() for pair in found for p in pair}))}
    train, test = (np.array([(ids[a], ids[b]) for a, b in named[split]], np.int32) for split in ("train", "test"))
    return len(ids), np.concatenate([train, train[:, ::-1]]), np.concatenate([test, test[:, ::-1]])


def placed(n_classes: int) -> ElEmbeddings:
    settings = ElSettings(dimension=DIMENSION, activation="leaky", margin=MARGIN)
    return ElEmbeddings(Sizes(n_classes, 2), settings, np.random.default_rng(0))


def ours(model: ElEmbeddings, n: int, train: Rows, test: Rows) -> Ranking:
    known = Known.of_pairs(train[:, 0], train[:, 1], n)
    contest = Contest(model.scorer(), ROLE, np.arange(n, dtype=np.int32))
    return rank(contest, np.ascontiguousarray(test[:, 0]), np.ascontiguousarray(test[:, 1]), known)


def plain(
    model: ElEmbeddings, n: int, train: Rows, test: Rows, double: bool = False
) -> tuple[list[float], list[float]]:
    """As the paper's program does it: every test axiom against every candidate in torch, then two rankings."""
    import torch
    from scipy.stats import rankdata

    centres, radii, roles = (model.parameters[name] for name in ("centres", "radii", "roles"))
    if double:
        centres, radii, roles = centres.double(), radii.double(), roles.double()
    known = np.zeros((n, n), np.bool_)
    known[train[:, 0], train[:, 1]] = True
    raw, filtered = [], []
    for head, tail in test:
        data = torch.zeros((n, 3), dtype=torch.long)
        data[:, 0], data[:, 1], data[:, 2] = int(head), ROLE, torch.arange(n)
        c = torch.nn.functional.embedding(data[:, 0], centres)
        r = torch.nn.functional.embedding(data[:, 1], roles)
        d = torch.nn.functional.embedding(data[:, 2], centres)
        radius = radii[data[:, 0]].abs() + radii[data[:, 2]].abs()
        loss = torch.nn.functional.leaky_relu(torch.linalg.norm(c + r - d, dim=1) - radius - MARGIN)
        cost = loss.numpy()
        raw.append(rankdata(cost, method="average")[tail])
        keep = ~known[head]
        keep[tail] = True
        filtered.append(rankdata(cost[keep], method="average")[keep[:tail].sum()])
    return raw, filtered


def clocks() -> NDArray[np.float64]:
    """Wall time and time on all processors; the latter is the steadier one on a busy machine."""
    return np.array([time.perf_counter(), time.process_time()])


def timed_ours(copies: int = 1, share: float = 1.0, repeats: int = 5) -> dict[str, Any]:
    """Our times in seconds, the least of a few; `copies` times the candidates, a `share` of the axioms."""
    n, train, test = interactions()
    test = test[np.random.default_rng(1).permutation(len(test))[: int(len(test) * share)]]
    model = placed(n * copies)
    ours(model, n * copies, train, test[:10])  # compiles
    costs = []
    for _ in range(repeats):
        started = clocks()
        ours(model, n * copies, train, test)
        costs.append(clocks() - started)
    seconds, cpu = np.min(costs, axis=0)
    return {"seconds": seconds, "cpu": cpu, "axioms": len(test), "candidates": n * copies}


def in_process(**options: Any) -> dict[str, Any]:
    """`timed_ours` in a process of its own, so that its peak memory is its own."""
    result = measured([sys.executable, str(Path(__file__).resolve()), "--only-ours", json.dumps(options)])
    return {**json.loads(result.output), "peak_MiB": result.peak_bytes / 2**20}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=500, help="axioms the plain evaluator is timed on")
    parser.add_argument("--only-ours", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.only_ours:
        print(json.dumps(timed_ours(**json.loads(options.only_ours))))
        return

    n, train, test = interactions()
    model = placed(n)
    part = test[np.random.default_rng(0).permutation(len(test))[: options.sample]]
    plain(model, n, train, part[:5])
    started = clocks()
    plain(model, n, train, part)
    per_axiom = (clocks() - started) / len(part)
    raw, filtered = plain(model, n, train, part[:100], double=True)
    same = ours(model, n, train, part[:100])
    off = max(np.abs(same.raw.average - raw).max(), np.abs(same.filtered.average - filtered).max())

    whole = in_process()
    wall, cpu = per_axiom * len(test)
    print(f"yeast interactions: {len(test):,} test axioms, {n:,} candidates, dimension {DIMENSION}, raw and filtered")
    print(f"  plain evaluator  {wall:8.1f} s, {cpu:8.1f} s of processor  (extrapolated from {len(part)} axioms)")
    print(
        f"  elgeo            {whole['seconds']:8.3f} s, {whole['cpu']:8.3f} s of processor"
        f"  peak {whole['peak_MiB']:.0f} MiB of the whole process"
    )
    print(f"  {wall / whole['seconds']:.0f} times faster, {cpu / whole['cpu']:.0f} times by processor time")
    print(f"  largest difference of a rank, on 100 axioms: {off:g}")
    print("growth of our time")
    for options_of in ({"share": 0.25}, {"share": 0.5}, {"copies": 2}, {"copies": 4}, {"copies": 8, "repeats": 2}):
        found = in_process(**options_of)
        print(
            f"  {found['axioms']:6,} axioms × {found['candidates']:6,} candidates  {found['seconds']:7.3f} s,"
            f" {found['cpu']:7.3f} s of processor  peak {found['peak_MiB']:.0f} MiB"
        )


if __name__ == "__main__":
    main()
