"""`cell`: a GO-like ontology with proteins, generated from a seed, whose best possible ranking is known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Flags, Longs
from elgeo.datasets.assemble import assemble
from elgeo.datasets.embedded.cell_latent import (
    SIZES,
    Latent,
    Size,
    draw_annotations,
    draw_latent,
    draw_pairs,
)
from elgeo.datasets.model import Dataset
from elgeo.datasets.splits.splitting import both_directions, split
from elgeo.errors import SettingError
from elgeo.ontology.expressions import Op
from elgeo.ontology.model import Builder, Ontology

PREFIX = "http://example.org/cell/"
BRANCHES = ("process", "activity", "component")
ROLES = ("part_of", "regulates", "has_part", "occurs_in", "involved_in")
COMPOSED = ("part_of", "regulates")
"""The roles with chains: what they lead to leads on."""
TARGETS = {"interacts_with": "protein", "has_function": "term"}
"""The roles that can be completed, and the kind of their tails."""


@dataclass(frozen=True, eq=False)
class CellTerms:
    """The ontology part of a cell, as numbers of terms and of `ROLES`."""

    group_of: Longs
    """The subtree of each term; -1 for the roots of the branches."""
    parents: Longs
    definitions: Longs
    """Columns C, D, R, E: C ≡ D ⊓ ∃R.E."""
    relations: Longs
    """Columns C, R, D: C ⊑ ∃R.D."""
    disjoint: Longs


@dataclass(frozen=True, eq=False)
class Cell:
    """Everything generated for one size and seed."""

    size: str
    seed: int
    terms: CellTerms
    latent: Latent
    pairs: Longs
    annotations: Longs


def generate(size: str = "small", seed: int = 0) -> Cell:
    """Draw a cell: ontology, hidden complexes, interactions and annotations."""
    if size not in SIZES:
        raise SettingError(f"no cell has the size {size!r}; there are {', '.join(SIZES)}")
    if seed < 0:
        raise SettingError(f"the seed is {seed}, but cannot be below 0")
    generator = np.random.default_rng([seed, list(SIZES).index(size)])
    latent = draw_latent(SIZES[size], generator)
    terms = draw_terms(SIZES[size], latent, generator)
    latent, pairs = draw_pairs(latent, SIZES[size].pairs, generator)
    latent, annotations = draw_annotations(latent, SIZES[size].annotations, generator)
    return Cell(size, seed, terms, latent, pairs, annotations)


def draw_terms(size: Size, latent: Latent, generator: np.random.Generator) -> CellTerms:
    """A hierarchy in disjointable subtrees, definitions and relations between its terms."""
    roots = len(BRANCHES)
    # at least two terms in every subtree
    inner = generator.integers(0, size.groups, size.terms - roots - 2 * size.groups)
    grouped = np.sort(np.concatenate([np.tile(np.arange(size.groups), 2), inner]))
    group_of = np.concatenate([np.full(roots, -1), grouped])
    start = np.searchsorted(group_of, np.arange(size.groups))
    place = np.arange(size.terms) - np.where(group_of < 0, 0, start[group_of])
    inside = np.flatnonzero((group_of >= 0) & (place > 0))
    tops = np.column_stack([start, np.arange(size.groups) % roots])

    def earlier(terms: Longs) -> Longs:
        """For each term a random one before it in the same subtree: so there are no cycles."""
        return np.asarray(start[group_of[terms]] + (generator.random(len(terms)) * place[terms]).astype(np.int64))

    tree = np.column_stack([inside, earlier(inside)])
    parents = np.unique(np.concatenate([tops, tree]), axis=0)
    while (missing := size.parents - len(parents)) > 0:
        child = generator.choice(inside, missing)
        parents = np.unique(np.concatenate([parents, np.column_stack([child, earlier(child)])]), axis=0)

    defined = generator.choice(len(tree), size.definitions, replace=False)
    fillers = generator.choice(size.terms * len(ROLES), size.definitions, replace=False)
    first, second = slice(size.shared), slice(size.shared, 2 * size.shared)
    while True:
        fillers[first] = fillers[second]
        definitions = np.column_stack([tree[defined], *np.divmod(fillers, size.terms)])
        wrong = ~leads_on(group_of, definitions[:, [0, 2, 3]])
        if not (size.layered and wrong.any()):
            break
        wrong[second] |= wrong[first]
        free = np.setdiff1d(np.arange(size.terms * len(ROLES)), fillers)
        fillers[wrong] = generator.choice(free, np.count_nonzero(wrong), replace=False)

    # a complex's first term is involved in its module's first: the ontology knows of the modules, too
    known = np.column_stack([latent.complex_terms[:, 0], latent.module_terms[latent.module_of, 0]])
    known = np.insert(known[known[:, 0] != known[:, 1]], 1, ROLES.index("involved_in"), axis=1)
    known = np.unique(known, axis=0)[: size.relations]
    relations = _relations(known, definitions, group_of, size, generator)
    one, other = np.triu_indices(size.groups, 1)
    chosen = generator.choice(len(one), size.disjoint, replace=False)
    return CellTerms(
        group_of, parents, definitions, relations, np.column_stack([start[one[chosen]], start[other[chosen]]])
    )


def leads_on(group_of: Longs, rows: Longs) -> Flags:
    """Of C, R, D: whether D is of a later branch than C, if R composes. The roots of the branches are before all."""
    branch = np.where(group_of < 0, -1, group_of % len(BRANCHES))
    composed = np.isin(rows[:, 1], [ROLES.index(name) for name in COMPOSED])
    return np.asarray(~composed | (branch[rows[:, 2]] > branch[rows[:, 0]]))


def _relations(known: Longs, definitions: Longs, group_of: Longs, size: Size, generator: np.random.Generator) -> Longs:
    """Relations up to the number wanted; none twice, none that a definition says already."""

    def packed(rows: Longs) -> Longs:
        return np.asarray((rows[:, 0] * len(ROLES) + rows[:, 1]) * size.terms + rows[:, 2])

    said = packed(definitions[:, [0, 2, 3]])
    rows = known[~np.isin(packed(known), said)]
    while (missing := size.relations - len(rows)) > 0:
        a, b = generator.integers(0, size.terms, (2, missing))
        # towards the front of the hierarchy, as parts point to wholes
        drawn = np.column_stack([np.maximum(a, b), generator.integers(0, len(ROLES), missing), np.minimum(a, b)])
        drawn = drawn[(a != b) & ~np.isin(packed(drawn), said)]
        if size.layered:
            drawn = drawn[leads_on(group_of, drawn)]
        rows = np.unique(np.concatenate([rows, drawn]), axis=0)
    return rows


def ontology(cell: Cell, pairs: Longs | None = None, annotations: Longs | None = None) -> Ontology:
    """The cell as axioms; all proteins are declared, whichever of the pairs and annotations it is to say."""
    pairs = both_directions(cell.pairs) if pairs is None else pairs
    annotations = cell.annotations if annotations is None else annotations
    builder, terms = Builder(), cell.terms
    term = [builder.entity(Op.Class, name) for name in term_names(cell)]
    protein = [builder.entity(Op.Class, name) for name in protein_names(cell)]
    role = {name: builder.entity(Op.ObjectProperty, PREFIX + name) for name in (*ROLES, *TARGETS)}
    for node in (*term, *protein, *role.values()):
        builder.declare(node)
    for number, name in enumerate(term_names(cell)):
        branch = number if number < len(BRANCHES) else int(terms.group_of[number]) % len(BRANCHES)
        builder.labels[name] = BRANCHES[branch] if number < len(BRANCHES) else f"{BRANCHES[branch]} {number}"

    def some(role_name: str, filler: int) -> int:
        return builder.node(Op.ObjectSomeValuesFrom, role[role_name], filler)

    for c, d in terms.parents.tolist():
        builder.axiom(Op.SubClassOf, term[c], term[d])
    for c, d, r, e in terms.definitions.tolist():
        both = builder.node(Op.ObjectIntersectionOf, term[d], some(ROLES[r], term[e]))
        builder.axiom(Op.EquivalentClasses, term[c], both)
    for c, r, d in terms.relations.tolist():
        builder.axiom(Op.SubClassOf, term[c], some(ROLES[r], term[d]))
    for c, d in terms.disjoint.tolist():
        builder.axiom(Op.DisjointClasses, term[c], term[d])
    builder.axiom(Op.TransitiveObjectProperty, role["part_of"])
    chain = builder.node(Op.ObjectPropertyChain, role["regulates"], role["part_of"])
    builder.axiom(Op.SubObjectPropertyOf, chain, role["regulates"])
    builder.axiom(Op.SubObjectPropertyOf, role["occurs_in"], role["involved_in"])
    for p, t in annotations.tolist():
        builder.axiom(Op.SubClassOf, protein[p], some("has_function", term[t]))
    for p, q in pairs.tolist():
        builder.axiom(Op.SubClassOf, protein[p], some("interacts_with", protein[q]))
    builder.prefixes["cell"] = PREFIX
    return builder.finish(iri=PREFIX + cell.size, format="generated")


def term_names(cell: Cell) -> list[str]:
    """The IRI of each term, by number."""
    return [f"{PREFIX}T_{number:07d}" for number in range(len(cell.terms.group_of))]


def protein_names(cell: Cell) -> list[str]:
    """The IRI of each protein, by number."""
    return [f"{PREFIX}p{number:05d}" for number in range(len(cell.latent.weight))]


def dataset(size: str = "small", target: str = "interacts_with", seed: int = 0) -> Dataset:
    """A generated cell as a dataset: 90:5:5 of the target role held out, both directions of a pair in one part."""
    if target not in TARGETS:
        raise SettingError(f"no target of a cell is called {target!r}; there are {', '.join(TARGETS)}")
    cell = generate(size, seed)
    proteins, terms = protein_names(cell), term_names(cell)
    symmetric = target == "interacts_with"
    rows = both_directions(cell.pairs) if symmetric else cell.annotations
    parts = split(rows, seed=seed, twins_together=symmetric)
    trained = {"pairs": rows[parts.train]} if symmetric else {"annotations": rows[parts.train]}
    tails = proteins if symmetric else terms
    return assemble(
        name=f"cell-{size}" + ("" if symmetric else "-hf"),
        ontology=ontology(cell, **trained),
        role=PREFIX + target,
        parts={
            part: [(proteins[p], tails[q]) for p, q in rows[numbers].tolist()]
            for part, numbers in parts._asdict().items()
        },
        kind_of=lambda iri, _: "protein" if iri.startswith(PREFIX + "p") else "term",
        head_kind="protein",
        tail_kind=TARGETS[target],
        symmetric=symmetric,
        record={"embedded": {"generator": "cell", "size": size, "target": target, "seed": seed}},
    )


class BestRanking:
    """Scores of the target by the probabilities it was drawn from: in expectation no ranking does better.

    Given the hidden complexes all axioms are drawn independently, so that what is in training tells nothing more.
    Offers what evaluation asks of a scorer.
    """

    tolerance = 0.0

    def __init__(self, latent: Latent, target: str, number_of: NDArray[np.int64]) -> None:
        self._probability = latent.interaction if target == "interacts_with" else latent.annotation
        self._number_of = number_of

    def pairs(self, heads: NDArray[np.int32], role: int | None, tails: NDArray[np.int32]) -> NDArray[np.float64]:
        """The probability of each (heads[i], tails[i])."""
        return self._probability(self._number_of[heads], self._number_of[tails])

    def tails(self, heads: NDArray[np.int32], role: int | None, tails: NDArray[np.int32]) -> NDArray[np.float64]:
        """The probability of every tail for every head: (heads, tails)."""
        return self._probability(self._number_of[heads][:, None], self._number_of[tails][None, :])

    def heads(self, heads: NDArray[np.int32], role: int | None, tails: NDArray[np.int32]) -> NDArray[np.float64]:
        """The probability of every head for every tail: (tails, heads)."""
        return self._probability(self._number_of[heads][None, :], self._number_of[tails][:, None])


def best_ranking(dataset: Dataset) -> BestRanking:
    """The best possible scorer of a generated dataset, for heads and tails of the target's kinds."""
    origin = dataset.record.get("embedded", {})
    if origin.get("generator") != "cell":
        raise SettingError(f"the best ranking of {dataset.name!r} is not known: it was not generated by `cell`")
    cell = generate(origin["size"], origin["seed"])
    numbers = {name: i for names in (protein_names(cell), term_names(cell)) for i, name in enumerate(names)}
    number_of = np.array([numbers.get(name, 0) for name in dataset.vocabulary.classes], np.int64)
    return BestRanking(cell.latent, origin["target"], number_of)
