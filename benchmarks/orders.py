"""In which order pairs of many heads are best offered: precision among the first 100 and 1,000, several ways.

    python benchmarks/orders.py plant-ontology.obo.gz:part_of plant-ontology.obo.gz

Each argument is an ontology, with a role for C ⊑ ∃R.D or without one for C ⊑ D. 15 % of these axioms are held out,
`atlas` is fitted to the rest, and all pairs that `elgeo predict --all` would offer are ordered: by score, by rank among
the answers of their head, by probability (a softmax over these answers), by margin (what `predict` does), each
with and without pairs of a class and one above or below it. Precision is the share of test axioms; every other pair
counts as wrong.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import numpy as np

from elgeo import api
from elgeo.arrays import Flags, Floats
from elgeo.datasets import split
from elgeo.datasets.model import Dataset
from elgeo.evaluation.entailments import Entailments
from elgeo.evaluation.predictions.lineage import lineage
from elgeo.evaluation.predictions.offer import Offer
from elgeo.evaluation.predictions.words import EXCLUDABLE, GENERAL

DEPTHS = (100, 1_000)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tasks", nargs="+", metavar="FILE[:ROLE]")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    print("| task | heads | test | order | " + " | ".join(f"P@{depth}" for depth in DEPTHS) + " | without lineage |")
    for task in options.tasks:
        file, _, role = task.partition(":")
        shape = f"?C SubClassOf {role} some ?D" if role else "?C SubClassOf ?D"
        dataset = split(file, shape, shares="80:5:15", seed=options.seed)
        measure(f"{dataset.name} {role or 'SubClassOf'}", dataset, options.seed)


def measure(task: str, dataset: Dataset, seed: int) -> None:
    """A line for each order."""
    entailments = Entailments(dataset)
    offer = Offer(dataset, entailments, EXCLUDABLE, GENERAL)
    heads, tails = offer.classes("head"), offer.classes("tail")
    scorer = api.train(dataset, "atlas", seed=seed).predictor().scorer()
    scores = np.asarray(scorer.tails(heads, dataset.target_role, tails), np.float64)
    place = {side: np.full(dataset.vocabulary.n_classes, -1) for side in ("head", "tail")}
    place["head"][heads], place["tail"][tails] = np.arange(len(heads)), np.arange(len(tails))

    def grid(rows: np.ndarray) -> Flags:
        flags = np.zeros(scores.shape, np.bool_)
        ends = place["head"][rows[:, 0]], place["tail"][rows[:, -1]]
        inside = (ends[0] >= 0) & (ends[1] >= 0)
        flags[ends[0][inside], ends[1][inside]] = True
        return flags

    known = grid(dataset.train) | grid(entailments.axioms(heads, tails)) | (heads[:, None] == tails)
    impossible = entailments.reasoner.saturation.unsatisfiable
    left = ~known & ~impossible[heads][:, None] & ~impossible[tails]
    related = grid(lineage(dataset, entailments, heads, tails))
    truth = grid(dataset.test)
    found = [dict(orders(scores, some)) for some in (left, left & ~related)]
    for order in found[0]:
        shares = [precision(found[i][order], some, truth) for i, some in enumerate((left, left & ~related))]
        cells = [" | ".join(f"{share:.3f}" for share in shares[0]), ", ".join(f"{share:.3f}" for share in shares[1])]
        print(f"| {task} | {len(heads):,} | {int(truth.sum()):,} | {order} | {' | '.join(cells)} |", flush=True)


def orders(scores: Floats, left: Flags) -> Iterator[tuple[str, Floats]]:
    """What pairs may be ordered by, larger first."""
    only = np.where(left, scores, -np.inf)
    ordered = -np.sort(-only, axis=1)
    best = np.where(np.isfinite(ordered[:, :1]), ordered[:, :1], 0)
    ranks = (-only).argsort(axis=1).argsort(axis=1)
    spread = np.nanmean(np.nanstd(np.where(left, scores, np.nan), axis=1))
    weights = np.exp(np.where(left, scores - best, -np.inf) / spread)
    yield "score", scores
    yield "rank, then score", scores / (1 + np.abs(scores).max()) - ranks
    yield "probability", weights / np.maximum(weights.sum(axis=1, keepdims=True), 1e-300)
    yield "margin", np.where(only == best, scores - ordered[:, 1:2], scores - best)


def precision(order: Floats, left: Flags, truth: Flags) -> list[float]:
    """The share of true pairs among the first of those that are left."""
    flat = np.where(left, order, -np.inf).ravel()
    first = np.argpartition(-flat, max(DEPTHS))[: max(DEPTHS)]
    first = first[np.argsort(-flat[first], kind="stable")]
    return [float(truth.ravel()[first[:depth]].mean()) for depth in DEPTHS]


if __name__ == "__main__":
    main()
