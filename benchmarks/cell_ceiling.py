"""How far `atlas` comes on `cell-small`, and how far anything could that sees training alone.

`best_ranking` knows the probabilities that the axioms were drawn from. A predictor sees training axioms, and what these
leave open no method can know. So a predictor is put beside it that knows how cells are generated, which complex is in
which module and which functions are typical of both, and infers from training only what is hidden of each protein: its
complex and its weight, by Gibbs sampling from the truth on. In expectation nothing that is told less does better.
"""

from __future__ import annotations

import argparse

import numpy as np
from numpy.typing import NDArray

from atlas import BASELINES, fitted, ranks
from elgeo.arrays import Longs
from elgeo.datasets.embedded import cell
from elgeo.datasets.embedded.cell_latent import ANNOTATED, TOGETHER, Latent
from elgeo.datasets.model import Dataset
from elgeo.models import find

Real = NDArray[np.float64]
TRAINED = 0.9
"""The share of the pairs that is in training."""
SWEEPS, BURN, EVERY = 250, 100, 3
STRIDE = 0.3
"""Of the proposals for a weight, as a logarithm."""
MEAN, SPREAD, LOW, HIGH = -0.06, 0.35, 0.3, 3.0
"""Of the weights that cells are generated with."""


class Posterior:
    """Complexes and weights of the proteins of a cell, drawn from what training leaves open."""

    def __init__(self, generated: cell.Cell, joined: NDArray[np.bool_], generator: np.random.Generator) -> None:
        latent = generated.latent
        self._joined, self._generator, self._latent = joined, generator, latent
        self.weight, self.complex_of = latent.weight.copy(), latent.complex_of.copy()
        far = 2 * latent.background_pairs / latent.weight.sum() ** 2
        self._base, self._most = np.array([far, TOGETHER["module"], TOGETHER["complex"]]), np.array([0.02, 0.98, 0.98])
        self._annotated = annotation_likelihood(latent, generated.annotations)

    def probability(self, one: Real, other: Real, kind: Longs) -> Real:
        """Of a pair; kind 2 shares a complex, 1 a module, 0 neither."""
        return np.asarray(np.minimum(self._base[kind] * one * other, self._most[kind]))

    def _likelihood(self, i: int, weight: float, kind: Longs) -> Real:
        chance = TRAINED * self.probability(np.asarray(weight), self.weight, kind)
        found = np.where(self._joined[i], np.log(chance), np.log1p(-chance))
        found[i] = 0
        return found

    def _kinds(self, one: Longs, other: Longs) -> Longs:
        module = self._latent.module_of
        return np.where(one == other, 2, np.where(module[one] == module[other], 1, 0))

    def sweep(self) -> None:
        """Each protein's weight, then its complex, given all others."""
        n, modules = len(self.weight), self._latent.module_of
        for i in range(n):
            kind = self._kinds(self.complex_of, self.complex_of[i])
            proposed = float(np.clip(self.weight[i] * np.exp(self._generator.normal(0, STRIDE)), LOW, HIGH))
            gain = [
                self._likelihood(i, weight, kind).sum() - 0.5 * ((np.log(weight) - MEAN) / SPREAD) ** 2
                for weight in (proposed, self.weight[i])
            ]
            if np.log(self._generator.random()) < gain[0] - gain[1]:
                self.weight[i] = proposed
            far, module, same = (self._likelihood(i, self.weight[i], np.full(n, k)) for k in range(3))
            total = np.bincount(modules[self.complex_of], module - far, modules.max() + 1)[modules]
            total += np.bincount(self.complex_of, same - module, len(modules)) + self._annotated[i]
            chance = np.exp(total - total.max())
            self.complex_of[i] = self._generator.choice(len(modules), p=chance / chance.sum())

    def held_out(self) -> Real:
        """How likely each pair is there though training has it not."""
        kind = self._kinds(self.complex_of[:, None], self.complex_of[None])
        chance = self.probability(self.weight[:, None], self.weight[None], kind)
        return np.asarray((1 - TRAINED) * chance / (1 - TRAINED * chance))


def annotation_likelihood(latent: Latent, annotations: Longs) -> Real:
    """(protein, complex): how likely the functions of each protein are in each complex, as a logarithm."""
    n, modules = len(latent.weight), latent.module_of
    has = np.zeros((n, len(latent.term_weight)), np.bool_)
    has[annotations[:, 0], annotations[:, 1]] = True
    made = np.zeros((n, len(modules)))
    for k, module in enumerate(modules):
        chance = np.minimum(latent.background_annotations / n * latent.term_weight, 0.9)
        chance[latent.module_terms[module]] = ANNOTATED["module"]
        chance[latent.complex_terms[k]] = ANNOTATED["complex"]
        made[:, k] = has @ np.log(chance) + ~has @ np.log1p(-chance)
    return made


class Informed(cell.BestRanking):
    """Scores pairs by a matrix instead of the probabilities they were drawn from."""

    def __init__(self, latent: Latent, number_of: Longs, scores: Real) -> None:
        super().__init__(latent, "interacts_with", number_of)
        self._probability = lambda one, other: scores[one, other]


class Scored:
    """A scorer as a predictor."""

    def __init__(self, scorer: cell.BestRanking) -> None:
        self._scorer = scorer

    def scorer(self) -> cell.BestRanking:
        return self._scorer


def informed(dataset: Dataset, seed: int) -> Informed:
    generated = cell.generate("small", seed)
    number = {name: i for i, name in enumerate(cell.protein_names(generated))}
    number_of = np.array([number.get(name, 0) for name in dataset.vocabulary.classes], np.int64)
    joined = np.zeros((len(number), len(number)), np.bool_)
    joined[number_of[dataset.train[:, 0]], number_of[dataset.train[:, -1]]] = True
    posterior = Posterior(generated, joined, np.random.default_rng([seed, 1]))
    total = np.zeros(joined.shape)
    for sweep in range(SWEEPS):
        posterior.sweep()
        if sweep >= BURN and sweep % EVERY == 0:
            total += posterior.held_out()
    np.fill_diagonal(total, 0)
    return Informed(generated.latent, number_of, total)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=5, help="cells to generate [5]")
    parser.add_argument("--first", type=int, default=0, help="the seed of the first [0]")
    parser.add_argument(
        "--quick", action="store_true", help="without the informed predictor, which takes the most time"
    )
    options = parser.parse_args()
    whose = ["best baseline", "atlas", "best ranking", *([] if options.quick else ["informed"])]
    ways = [f"{name}, of the way" for name in ("atlas", *whose[3:])]
    print(f"| seed | {' | '.join([*whose, *ways])} |\n|{'---|' * (1 + len(whose) + len(ways))}")
    rows = []
    for seed in range(options.first, options.first + options.seeds):
        dataset = cell.dataset("small", seed=seed)
        predictors = [
            [find(name).fit(dataset) for name in BASELINES],  # type: ignore[attr-defined]
            [fitted(dataset, seed)],
            [Scored(cell.best_ranking(dataset))],
            *([] if options.quick else [[Scored(informed(dataset, seed))]]),
        ]
        rows.append([max(float(np.mean(1 / ranks(each, dataset).average)) for each in some) for some in predictors])
        show(str(seed), np.array(rows[-1]))
    show("mean", np.mean(rows, axis=0))
    found = np.array([ways_of(np.array(row)) for row in rows])
    if len(found) > 1:
        errors = found.std(axis=0, ddof=1) / np.sqrt(len(found))
        shown = [
            f"{name} {way:.3f} ± {error:.3f}" for name, way, error in zip(ways, found.mean(axis=0), errors, strict=True)
        ]
        print(f"mean of the seeds: {'; '.join(shown)}")


def ways_of(found: Real) -> Real:
    """How far from the best baseline to the best ranking those come that are neither."""
    low, high = found[0], found[2]
    return np.asarray((np.delete(found, [0, 2]) - low) / (high - low))


def show(name: str, found: Real) -> None:
    figures = [*(f"{value:.3f}" for value in found), *(f"{way:.2f}" for way in ways_of(found))]
    print(f"| {name} | {' | '.join(figures)} |", flush=True)


if __name__ == "__main__":
    main()
