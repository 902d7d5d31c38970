"""The embedded datasets: every normal form, the paper's counts, and a best ranking that is really best."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from importlib.resources import files
from itertools import product

import numpy as np
import pytest

from elgeo import datasets
from elgeo.datasets import Dataset
from elgeo.datasets.embedded import cell
from elgeo.datasets.embedded.cell_latent import ANNOTATED, SIZES, TOGETHER, Latent
from elgeo.datasets.statistics import PAPER
from elgeo.errors import SettingError
from elgeo.ontology.vocabulary import Kind


@pytest.fixture(scope="module")
def family() -> Dataset:
    return datasets.load("family")


def rows_of(dataset: Dataset) -> list[set[tuple[int, ...]]]:
    return [set(map(tuple, part.tolist())) for part in (dataset.train, dataset.valid, dataset.test)]


@pytest.mark.parametrize("name", ["family", "cell-tiny", "cell-tiny-hf", "cell-small"])
def test_an_embedded_dataset_is_whole(name: str) -> None:
    dataset = datasets.load(name)
    train, valid, test = rows_of(dataset)
    assert train
    assert valid
    assert test
    assert not train & valid
    assert not train & test
    assert not valid & test
    stated = set(map(tuple, dataset.forms[dataset.target_form].tolist()))
    assert train <= stated
    assert not (valid | test) & stated
    of_class = dataset.kinds.of_class
    assert len(of_class) == dataset.vocabulary.n_classes
    names = np.array(dataset.kinds.names)
    everything = np.array(sorted(train | valid | test))
    assert set(names[of_class[everything[:, 0]]]) == {dataset.head_kind}
    assert set(names[of_class[everything[:, -1]]]) == {dataset.tail_kind}
    fresh = dataset.vocabulary.class_kinds == Kind.FRESH
    assert set(names[of_class[fresh]]) == {"fresh"}
    assert not fresh[dataset.candidates].any()
    if dataset.symmetric:
        for part in (train, valid, test):
            assert {row[::-1] for row in part} == part


def test_the_family_has_every_normal_form_of_the_literature(family: Dataset) -> None:
    counts = family.forms.counts()
    literature = ("GCI0", "GCI1", "GCI2", "GCI3", "GCI0-BOT", "GCI1-BOT", "GCI3-BOT", "RI0", "RI1")
    assert {code: counts[code] for code in literature if not counts[code]} == {}
    assert not family.forms.unsupported
    assert family.vocabulary.n_classes < 50


def test_the_family_is_asked_for_the_mothers_its_file_has(family: Dataset) -> None:
    """What is trained on stands in the file; what is held out does not."""
    text = (files("elgeo.datasets.embedded") / "family.ofn").read_text()
    told = {tuple(found) for found in re.findall(r"ObjectPropertyAssertion\(:has_mother :(\w+) :(\w+)\)", text)}
    names = [re.split("[/#]", name)[-1] for name in family.vocabulary.classes]
    train, valid, test = (
        {(names[c], names[d]) for c, _, d in part.tolist()} for part in (family.train, family.valid, family.test)
    )
    assert train == told
    assert len(valid) + len(test) == 3
    assert not (valid | test) & told


@pytest.mark.slow
def test_the_family_can_be_drawn_with_balls(family: Dataset) -> None:
    """Gradient descent in the plane finds balls in which all class axioms are true, disjoint ones included."""
    import torch

    torch.manual_seed(0)
    forms = {name: torch.from_numpy(table).long() for name, table in family.forms.tables.items()}
    sub, both, some, left, apart = (
        forms[name] for name in ("subclass", "conjunction", "existential", "left_existential", "disjoint")
    )
    centre = torch.randn(family.vocabulary.n_classes, 2, dtype=torch.float64, requires_grad=True)
    raw = torch.rand(family.vocabulary.n_classes, dtype=torch.float64, requires_grad=True)
    role = torch.randn(family.vocabulary.n_roles, 2, dtype=torch.float64, requires_grad=True)
    empty = torch.cat([forms["empty"][:, 0], forms["empty_existential"][:, 1]]).unique()
    real = torch.from_numpy(family.kinds.members("class")).long()
    real = real[~torch.isin(real, empty)]

    def gaps() -> torch.Tensor:
        """By how much each axiom is missed; true where it is not above zero."""
        radius = raw.abs().index_fill(0, empty, 0.0)

        def inside(c: torch.Tensor, shift: torch.Tensor | float, d: torch.Tensor) -> torch.Tensor:
            return (centre[c] + shift - centre[d]).norm(dim=1) + radius[c] - radius[d]

        distance = (centre[apart[:, 0]] - centre[apart[:, 1]]).norm(dim=1)
        return torch.cat(
            [
                inside(sub[:, 0], 0.0, sub[:, 1]),
                # where one ball is inside, the intersection is
                torch.minimum(inside(both[:, 0], 0.0, both[:, 2]), inside(both[:, 1], 0.0, both[:, 2])),
                inside(some[:, 0], role[some[:, 1]], some[:, 2]),
                inside(left[:, 1], -role[left[:, 0]], left[:, 2]),
                radius[apart[:, 0]] + radius[apart[:, 1]] - distance,
            ]
        )

    optimiser = torch.optim.Adam([centre, raw, role], lr=0.02)
    for _ in range(3000):
        missed = gaps()
        # classes must not shrink to nothing, or disjointness would be free
        small = 0.06 - raw[real].abs()
        if missed.max() <= 0 and small.max() <= 0.01:
            break
        loss = (missed + 0.01).relu().square().sum() + small.relu().square().sum()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    assert float(gaps().detach().max()) <= 0
    assert float(raw[real].detach().abs().min()) >= 0.05


@pytest.mark.slow
def test_a_cell_of_yeast_size_has_the_papers_counts() -> None:
    counts = datasets.load("cell-yeast").forms.counts()
    assert {code: counts[code] for code in PAPER["yeast"]} == PAPER["yeast"]


@pytest.mark.slow
def test_in_a_cell_of_yeast_size_parts_do_not_go_round_in_circles() -> None:
    """Else nearly every term would be part of every other, and what follows would not fit into memory."""
    terms = cell.generate("yeast", 5).terms
    rows = [*terms.relations.tolist(), *terms.definitions[:, [0, 2, 3]].tolist()]
    assert len({(r, e) for _, r, e in terms.definitions[:, 1:].tolist()}) == len(terms.definitions) - 2
    composed = 0
    for c, r, d in rows:
        if cell.ROLES[r] in ("part_of", "regulates"):
            composed += 1
            begins = -1 if terms.group_of[c] < 0 else terms.group_of[c] % 3
            assert terms.group_of[d] >= 0
            assert terms.group_of[d] % 3 > begins
    assert composed > 3_000


def test_a_cell_comes_from_its_seed() -> None:
    first, again, other = (cell.dataset("tiny", seed=seed) for seed in (3, 3, 4))
    assert all(np.array_equal(first.forms[form], again.forms[form]) for form in first.forms.tables)
    assert np.array_equal(first.test, again.test)
    assert rows_of(first)[2] != rows_of(other)[2]


@pytest.mark.parametrize(
    ("size", "seed", "digest", "background"),
    [
        ("tiny", 0, "6149e8bfc18dd0b0", (23, 53)),
        ("tiny", 3, "2f5cefc6e4f5d7bc", (0, 59)),
        ("small", 0, "da541c97fdd6efbc", (661, 751)),
    ],
)
def test_cells_stay_as_they_are(size: str, seed: int, digest: str, background: tuple[int, int]) -> None:
    """Figures in the docs, and runs that others have made, are of these very cells."""
    made = cell.generate(size, seed)
    terms, latent = made.terms, made.latent
    numbers = [terms.group_of, terms.parents, terms.definitions, terms.relations, terms.disjoint]
    numbers += [made.pairs, made.annotations, latent.complex_terms, latent.module_terms, latent.module_of]
    found = hashlib.sha256(b"".join(np.ascontiguousarray(each, np.int64).tobytes() for each in numbers)).hexdigest()
    assert found[:16] == digest
    assert (latent.background_pairs, latent.background_annotations) == background


@pytest.mark.parametrize("layered", [False, True])
def test_relations_of_a_cell_point_to_the_front_and_say_nothing_twice(layered: bool) -> None:
    """Eleven terms, the roots of three branches first: much of all that there could be is wanted."""
    generator = np.random.default_rng(5)
    group_of = np.array([-1, -1, -1, 2, 2, 1, 1, 5, 4, 0, 3])
    branch = [-1, -1, -1, 2, 2, 1, 1, 2, 1, 0, 0]
    drawn = generator.integers(0, [11, 11, 5, 11], (120, 4))
    definitions = np.unique(drawn, axis=0)
    every = np.array(list(product(range(11), range(5), range(11))))
    later = [cell.ROLES[r] not in ("part_of", "regulates") or branch[d] > branch[c] for c, r, d in every.tolist()]
    assert cell.leads_on(group_of, every).tolist() == later
    defined = {(c, r, e) for c, _, r, e in definitions.tolist()}
    known = np.array([[9, 4, 3], [definitions[0, 0], *definitions[0, 2:]], [4, 4, 10], [10, 4, 10]])
    wanted = 90 if layered else 130
    size = replace(SIZES["tiny"], terms=11, relations=wanted, layered=layered)
    rows = [tuple(row) for row in cell._relations(known, definitions, group_of, size, generator).tolist()]
    assert len(set(rows)) == len(rows) == wanted
    assert not set(rows) & defined
    free = {tuple(row) for row in known.tolist()} - defined
    assert len(free) > 1
    assert free <= set(rows)
    for c, r, d in set(rows) - free:
        assert c > d
        assert not layered or later[(c * 5 + r) * 11 + d]
    assert {r for _, r, _ in rows} == set(range(5))


def test_the_chances_of_pairs_and_functions_are_what_the_latent_says() -> None:
    """Proteins 0 and 1 share a complex, 2 is in another one of their module, 3 in another module."""
    latent = Latent(
        complex_of=np.array([0, 0, 1, 2]),
        module_of=np.array([0, 0, 1]),
        weight=np.array([0.5, 0.8, 1.2, 1.5]),
        complex_terms=np.array([[0, 1], [1, 2], [4, 3]]),
        module_terms=np.array([[5], [0]]),
        term_weight=np.array([0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.4]),
        background_pairs=3,
        background_annotations=2,
    )
    everyone = np.arange(4)
    interaction = latent.interaction(everyone[:, None], everyone)
    assert interaction[0, 1] == pytest.approx(TOGETHER["complex"] * 0.5 * 0.8)
    assert interaction[1, 2] == pytest.approx(TOGETHER["module"] * 0.8 * 1.2)
    assert interaction[0, 3] == pytest.approx(min(0.02, 2 * 3 * 0.5 * 1.5 / 4.0**2))
    assert not interaction.diagonal().any()
    annotation = latent.annotation(everyone[:, None], np.arange(7))
    own, shared, chance = ANNOTATED["complex"], ANNOTATED["module"], 2 / 4 * 0.1
    assert annotation[0] == pytest.approx([own, own, chance, chance, chance, shared, 2 / 4 * 0.4])
    assert annotation[3] == pytest.approx([shared, chance, chance, own, own, chance, 2 / 4 * 0.4])


def test_a_cell_has_no_unsatisfiable_class() -> None:
    from elgeo.reasoning import Reasoner

    for seed in range(3):
        reasoner = Reasoner(cell.dataset("tiny", seed=seed).forms)
        assert not reasoner.saturation.unsatisfiable[2:].any()


def hits(scores: np.ndarray, dataset: Dataset, k: int) -> float:
    """Hits@k of the test axioms, counted the plain way, training tails and the head left out."""
    candidates = dataset.candidates.tolist()
    known: dict[int, set[int]] = {}
    for head, _, tail in dataset.train.tolist():
        known.setdefault(head, set()).add(tail)
    found = []
    for (head, _, tail), row in zip(dataset.test.tolist(), scores, strict=True):
        true = row[candidates.index(tail)]
        rivals = [
            s for c, s in zip(candidates, row, strict=True) if c not in known.get(head, ()) and c not in (head, tail)
        ]
        above = sum(s > true for s in rivals)
        level = sum(s == true for s in rivals)
        found.append(above + level / 2 + 1 <= k)
    return float(np.mean(found))


@pytest.mark.slow
@pytest.mark.parametrize("target", ["interacts_with", "has_function"])
def test_the_best_ranking_beats_counting_and_is_beaten_by_nothing_simple(target: str) -> None:
    dataset = cell.dataset("small", target)
    best = cell.best_ranking(dataset)
    heads, candidates = dataset.test[:, 0], dataset.candidates
    scores = best.tails(heads, dataset.target_role, candidates)
    assert np.array_equal(
        scores[np.arange(len(heads)), np.searchsorted(candidates, dataset.test[:, 2])],
        best.pairs(heads, dataset.target_role, dataset.test[:, 2]),
    )
    assert np.array_equal(best.heads(heads[:7], None, candidates[:5]), best.tails(heads[:7], None, candidates[:5]).T)
    frequency = np.bincount(dataset.train[:, 2], minlength=dataset.vocabulary.n_classes)[candidates].astype(float)
    popular = np.tile(frequency, (len(heads), 1))
    noise = scores * np.random.default_rng(0).lognormal(0, 1.5, scores.shape)
    best_hits = hits(scores, dataset, 10)
    assert best_hits > 0.5
    assert best_hits > 3 * hits(popular, dataset, 10)
    assert best_hits > hits(noise, dataset, 10) + 0.05


def test_probabilities_come_true() -> None:
    """Of the pairs that are given a probability near p, a share near p interacts."""
    made = cell.generate("small", 5)
    n = len(made.latent.weight)
    one, other = np.triu_indices(n, 1)
    probability = made.latent.interaction(one, other)
    drawn = np.isin(one * n + other, made.pairs[:, 0] * n + made.pairs[:, 1])
    for low, high in ((0.0, 0.02), (0.05, 0.2), (0.2, 0.4), (0.5, 0.8)):
        among = (probability >= low) & (probability < high)
        spread = np.sqrt((probability[among] * (1 - probability[among])).sum())
        assert abs(drawn[among].sum() - probability[among].sum()) < 4 * spread + 3
    assert abs(probability.sum() - len(made.pairs)) < 150


def test_what_is_not_known_is_said() -> None:
    with pytest.raises(SettingError, match="embedded ones are family"):
        datasets.load("no-such-thing")
    with pytest.raises(SettingError, match="size"):
        cell.dataset("huge")
    with pytest.raises(SettingError, match="target"):
        cell.dataset("tiny", "part_of")
    with pytest.raises(SettingError, match="not known"):
        cell.best_ranking(datasets.load("family"))
