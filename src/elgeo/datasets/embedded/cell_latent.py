"""The hidden truth behind the generated `cell` datasets: who is in which complex, how likely that makes an axiom."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from elgeo.arrays import Floats, Longs


@dataclass(frozen=True)
class Size:
    """How much of everything a generated cell has."""

    terms: int
    groups: int
    """Subtrees of the ontology that no class is in two of."""
    parents: int
    """C ⊑ D axioms, genus of definitions included."""
    definitions: int
    """C ≡ D ⊓ ∃R.E axioms."""
    shared: int
    """Definitions whose ∃R.E another one has too."""
    relations: int
    """Further C ⊑ ∃R.D axioms between terms."""
    disjoint: int
    proteins: int
    complex_size: int
    complexes_per_module: int
    pairs: int
    """Interacting pairs of proteins, each counted once."""
    annotations: int
    terms_per_complex: int
    terms_per_module: int
    layered: bool = False
    """Whether roles that compose lead only from one branch to a later one: where there are thousands of terms, else
    nearly each is part of every other, and what follows does not fit into memory."""


SIZES = {
    "tiny": Size(90, 9, 120, 15, 1, 30, 4, 60, 5, 3, 180, 200, 2, 2),
    "small": Size(900, 18, 1_500, 220, 2, 400, 12, 480, 8, 4, 3_000, 2_800, 4, 3),
    # with 90:5:5 of the pairs in training these come to the counts of the paper's yeast table
    "yeast": Size(44_000, 36, 81_068, 11_825, 2, 18_674, 31, 6_160, 20, 5, 117_988, 50_766, 6, 4, True),
}
"""tiny is for tests, small trains in seconds, yeast has the paper's counts of every normal form."""

TOGETHER = {"complex": 0.75, "module": 0.2}
"""How likely two proteins of average weight interact that share a complex, or only a module."""
ANNOTATED = {"complex": 0.7, "module": 0.5}
"""How likely a protein has a function of its complex, or of its module."""


@dataclass(frozen=True, eq=False)
class Latent:
    """Complexes, modules, weights and typical functions; all axioms are drawn independently given these."""

    complex_of: Longs
    """The complex of each protein."""
    module_of: Longs
    """The module of each complex."""
    weight: Floats
    """How prone a protein is to interact; mean about 1."""
    complex_terms: Longs
    """(complexes, k): the terms typical of each complex."""
    module_terms: Longs
    term_weight: Floats
    """How often a term is used beside the typical ones; adds up to 1."""
    background_pairs: int = 0
    background_annotations: int = 0

    def interaction(self, one: Longs, other: Longs) -> Floats:
        """The probability that two proteins interact (broadcasts); 0 for a protein with itself."""
        a, b = self.complex_of[one], self.complex_of[other]
        base = np.where(a == b, TOGETHER["complex"], TOGETHER["module"])
        near = np.minimum(base * self.weight[one] * self.weight[other], 0.98)
        share = self.weight / self.weight.sum()
        far = 2 * self.background_pairs * share[one] * share[other]
        probability = np.where(self.module_of[a] == self.module_of[b], near, np.minimum(far, 0.02))
        return np.where(np.asarray(one) == np.asarray(other), 0.0, probability)

    def annotation(self, protein: Longs, term: Longs) -> Floats:
        """The probability that a protein has a function (broadcasts)."""
        complexes = self.complex_of[protein]
        in_module = (self.module_terms[self.module_of[complexes]] == np.asarray(term)[..., None]).any(-1)
        in_complex = (self.complex_terms[complexes] == np.asarray(term)[..., None]).any(-1)
        background = self.background_annotations / len(self.complex_of) * self.term_weight[term]
        typical = np.where(in_complex, ANNOTATED["complex"], np.where(in_module, ANNOTATED["module"], 0.0))
        return np.maximum(typical, background)


def draw_latent(size: Size, generator: np.random.Generator) -> Latent:
    """Put proteins into complexes, complexes into modules, and choose the functions typical of each."""
    complexes = max(2, size.proteins // size.complex_size)
    # every complex has at least two proteins; the rest fall where they fall, so sizes differ
    fixed = np.tile(np.arange(complexes), 2)
    rest = generator.integers(0, complexes, size.proteins - len(fixed))
    modules = max(2, complexes // size.complexes_per_module)
    popular = 1.0 / (1.0 + generator.permutation(size.terms))
    return Latent(
        complex_of=generator.permutation(np.concatenate([fixed, rest])),
        module_of=generator.permutation(np.arange(complexes) % modules),
        weight=np.clip(generator.lognormal(-0.06, 0.35, size.proteins), 0.3, 3.0),
        complex_terms=_choices(generator, size.terms, complexes, size.terms_per_complex),
        module_terms=_choices(generator, size.terms, modules, size.terms_per_module),
        term_weight=popular / popular.sum(),
    )


def draw_pairs(latent: Latent, total: int, generator: np.random.Generator) -> tuple[Latent, Longs]:
    """Interacting pairs (a < b): every pair within a module by its probability, and chance pairs up to `total`."""
    module_of_protein = latent.module_of[latent.complex_of]
    near = []
    for module in range(int(latent.module_of.max()) + 1):
        members = np.flatnonzero(module_of_protein == module)
        one, other = (members[index] for index in np.triu_indices(len(members), 1))
        drawn = generator.random(len(one)) < latent.interaction(one, other)
        near.append((one * len(latent.weight) + other)[drawn])
    n, share = len(latent.weight), latent.weight / latent.weight.sum()

    def chance(count: int) -> Longs:
        a, b = generator.choice(n, (2, count), p=share)
        apart = module_of_protein[a] != module_of_protein[b]
        return np.asarray((np.minimum(a, b) * n + np.maximum(a, b))[apart])

    planted = np.concatenate(near)
    pairs = _filled_up(planted, total, chance, generator)
    return replace(latent, background_pairs=max(0, total - len(planted))), np.column_stack(np.divmod(pairs, n))


def draw_annotations(latent: Latent, total: int, generator: np.random.Generator) -> tuple[Latent, Longs]:
    """(protein, term): typical functions by their probability, and chance ones up to `total`."""
    n, n_terms = len(latent.complex_of), len(latent.term_weight)
    terms = np.hstack([latent.complex_terms, latent.module_terms[latent.module_of]])[latent.complex_of]
    typical = np.unique(np.arange(n)[:, None] * n_terms + terms)
    drawn = generator.random(len(typical)) < latent.annotation(*np.divmod(typical, n_terms))

    def chance(count: int) -> Longs:
        proteins = generator.integers(0, n, count)
        keys = proteins * n_terms + generator.choice(n_terms, count, p=latent.term_weight)
        return keys[~np.isin(keys, typical)]

    keys = _filled_up(typical[drawn], total, chance, generator)
    latent = replace(latent, background_annotations=max(0, total - int(drawn.sum())))
    return latent, np.column_stack(np.divmod(keys, n_terms))


def _filled_up(planted: Longs, total: int, chance: Callable[[int], Longs], generator: np.random.Generator) -> Longs:
    """The planted keys and as many different chance keys as make up the total, sorted.

    Should more be planted than wanted, some are left out, all with the same probability: the best ranking stays best.
    """
    keys = generator.permutation(planted)[:total]
    while (missing := total - len(keys)) > 0:
        drawn = chance(2 * missing + 10)
        _, first = np.unique(drawn, return_index=True)
        drawn = drawn[np.sort(first)]
        keys = np.concatenate([keys, drawn[~np.isin(drawn, keys)][:missing]])
    return np.sort(keys)


def _choices(generator: np.random.Generator, n: int, rows: int, k: int) -> Longs:
    """k different numbers below n in each row."""
    return np.stack([generator.choice(n, k, replace=False) for _ in range(rows)])
