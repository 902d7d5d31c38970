"""Proposals: what they may touch, how they are varied, and that what worked is tried more often."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from elgeo.models.boxes.halves import Halves
from elgeo.models.boxes.numbers import LAST
from elgeo.models.boxes.pool import AxiomPool, PoolPart
from elgeo.models.boxes.problem import Problem
from elgeo.models.boxes.proposals import (
    DENSITIES,
    FLOOR,
    LEVELS,
    SHAPES,
    SIZES,
    WAYS,
    BoxProposal,
    Experience,
    Proposer,
    heads_of,
    together,
)
from elgeo.reasoning.closure.modes import closure_of
from elgeo.reasoning.saturation.saturate import saturate
from tests.small_dataset import small_dataset

Ints = NDArray[np.int32]


def ints(*numbers: int) -> Ints:
    return np.array(numbers, np.int32)


@pytest.fixture
def proposer() -> Proposer:
    dataset = small_dataset(6, n_things=34, n_people=9, n_links=40)
    saturation = saturate(dataset.forms)
    pool = AxiomPool(dataset, closure_of(saturation, "complete"), 40, np.random.default_rng(1))
    pool.refill(Halves.unplaced(dataset.vocabulary.n_classes, dataset.vocabulary.n_roles, 1))
    return Proposer(pool, Problem.of(saturation))


def only(size: int, option: int) -> NDArray[np.float64]:
    return (np.arange(size) == option).astype(np.float64)


def always(proposer: Proposer, **options: int) -> None:
    """Let every part of the pool know of one option alone."""
    for experience in proposer.experience:
        for what, option in options.items():
            experience.counts[what] = only(len(experience.counts[what]), option)


def test_left_sides_by_form() -> None:
    rows = np.array([[1, 2, 3], [4, 5, 6]], np.int32)
    heads = {form: heads_of(PoolPart(form, 1, rows), rows).tolist() for form in ("conjunction", "existential")}
    assert heads == {"conjunction": [1, 2, 4, 5], "existential": [1, 4]}
    assert heads_of(PoolPart("left_existential", 1, rows), rows).tolist() == [2, 5]
    assert heads_of(PoolPart("subclass", -1, rows[:, :2]), rows[:, :2]).tolist() == [1, 4]


def flags(*some: int) -> NDArray[np.bool_]:
    return np.array(some, np.bool_)


def test_proposals_are_put_together_one_after_the_other() -> None:
    none = np.empty(0, np.int32)
    found = together(
        [
            BoxProposal(ints(1, 2), flags(0, 1), 0, ints(5, 6, 7), ints(1, 2, 3), ()),
            BoxProposal(ints(3, 4), flags(0, 0), 9, none, none, ()),
            BoxProposal(ints(5, 6), flags(1, 0), 2, ints(8), ints(4), ()),
        ]
    )
    assert [found.classes[a:b].tolist() for a, b in zip(found.start, found.start[1:], strict=False)] == [
        [5, 6, 7],
        [],
        [8],
    ]
    assert found.values.tolist() == [1, 2, 3, 4]
    assert found.tables.tolist() == [[SHAPES[a].tolist(), SHAPES[b].tolist()] for a, b in ((1, 2), (3, 4), (5, 6))]
    assert found.tight.tolist() == [[False, True], [False, False], [True, False]]
    assert found.base.tolist() == [0, 9, 2]


def test_tables_to_begin_with_never_fall_and_are_all_different() -> None:
    assert (np.diff(SHAPES, axis=1) >= 0).all()
    assert len(np.unique(SHAPES, axis=0)) == len(SHAPES)
    assert SHAPES.min() == 0
    assert SHAPES.max() == LAST
    first_levels = [row[:6].tolist() for row in SHAPES]
    for shape in ([0] * 6, [0, 0, 1, 2, 3, 4], [0, 1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 6], [1, 1, 3, 3, 5, 5], [LAST] * 6):
        assert shape in first_levels


def test_options_are_drawn_as_often_as_they_are_known_to_work() -> None:
    known, generator = Experience(3), np.random.default_rng(0)
    counts = np.array([1.0, 0.0, 5.0])
    known.counts["way"] = counts
    drawn = np.bincount([known.draw("way", generator) for _ in range(3000)], minlength=3)
    assert drawn / 3000 == pytest.approx(counts / 6, abs=0.03)
    each = np.array([[0, 0, 0, 1.0], [1.0, 0, 0, 0], [1.0, 0, 3.0, 0]])
    options = np.array([known.draw_each(each, generator) for _ in range(2000)])
    assert set(options[:, 0].tolist()) == {3}
    assert set(options[:, 1].tolist()) == {0}
    assert set(options[:, 2].tolist()) == {0, 2}
    assert (options[:, 2] == 2).mean() == pytest.approx(0.75, abs=0.04)


def test_what_worked_counts_for_more_and_what_is_long_ago_for_less() -> None:
    known = Experience(2)
    known.counts["level"] = FLOOR + np.array([0, 0, 10.0, 0, 0, 0])
    chosen = BoxProposal(ints(3, 0), flags(1, 0), 0, ints(2), ints(1), (("way", 2), ("level", 0)))
    known.learn(chosen)
    assert (known.counts["way"] - FLOOR).tolist() == pytest.approx([0, 0, 1, 0, 0])
    assert known.counts["level"] - FLOOR == pytest.approx([1, 0, 9, 0, 0, 0])  # a tenth is forgotten
    assert known.counts["size"].tolist() == [FLOOR] * len(SIZES)
    assert (known.shapes - FLOOR)[:, :4].tolist() == [pytest.approx([0, 0, 0, 1]), pytest.approx([1, 0, 0, 0])]
    assert (known.tight - FLOOR).tolist() == [pytest.approx([0, 1]), pytest.approx([1, 0])]
    known.learn(chosen)
    assert known.shapes[0, 3] - FLOOR == pytest.approx(1.9)


def test_each_part_learns_from_the_proposal_that_made_most_of_it_false(proposer: Proposer) -> None:
    nothing = np.zeros(proposer.n_roles, np.int32)
    made = [BoxProposal(nothing, nothing > 0, 0, ints(2), ints(1), (("way", k),)) for k in range(3)]
    refuted = np.zeros((3, len(proposer.pool.parts)), np.int64)
    refuted[:, 0], refuted[:, 1] = [1, 5, 4], [0, 0, 1]
    proposer.learn(made, refuted)
    learned = [(each.counts["way"] - FLOOR).round(9).tolist()[:3] for each in proposer.experience]
    assert learned[0] == [0, 1, 0]
    assert learned[1] == [0, 0, 1]
    assert learned[2] == [0, 0, 0], "nothing was false: nothing to learn"


@pytest.mark.parametrize("way", WAYS)
def test_a_proposal_touches_what_its_way_says(proposer: Proposer, way: str) -> None:
    level, generator = 2, np.random.default_rng(5)
    always(proposer, way=WAYS.index(way), level=level, size=4, density=5)
    tails, heads = set(), set()
    for number, part in enumerate(proposer.pool.parts):
        rows = proposer.pool.of_part(number)
        tails |= set(rows[:, -1].tolist())
        heads |= set(heads_of(part, rows).tolist())
    steps, top = set(), LEVELS[level]
    for _ in range(20):
        made = proposer.propose(generator)
        touched = set(made.classes.tolist())
        assert len(touched) == len(made.classes) == len(made.values), "no class twice"
        assert ("way", WAYS.index(way)) in made.options
        assert ("level", level) in made.options
        assert made.shapes.shape == made.tight.shape == (proposer.n_roles,)
        assert set(made.shapes.tolist()) <= set(range(len(SHAPES)))
        steps |= set(made.values.tolist())
        assert made.base == (top if way.startswith("lower") else 0)
        if way == "grade":
            assert touched == set(range(2, proposer.n_classes)), "all but ⊤ and ⊥, at a density of 1"
            continue
        assert touched <= (tails if made.base else heads)
        assert 0 < len(touched) <= (1 if made.base else 2) * SIZES[4]
    assert (
        steps
        == {
            "lower": {0},
            "raise": {top},
            "grade": set(range(top + 1)),
            "lower in steps": set(range(top)),
            "raise in steps": set(range(1, top + 1)),
        }[way]
    )


@pytest.mark.parametrize("tight", [False, True])
def test_tables_are_tight_where_that_is_known_to_work(proposer: Proposer, tight: bool) -> None:
    for experience in proposer.experience:
        experience.tight[:] = [0, 1] if tight else [1, 0]
        experience.tight[1] = [1, 0] if tight else [0, 1]
    for seed in range(5):
        found = proposer.propose(np.random.default_rng(seed)).tight.tolist()
        assert found == [tight != (role == 1) for role in range(proposer.n_roles)]


def test_as_many_classes_come_as_a_share_of_those_that_stay(proposer: Proposer) -> None:
    """A fifth, half, or as many rows; at least one. Of a form with one class on the left each row brings one."""
    number = next(k for k, part in enumerate(proposer.pool.parts) if part.form == "subclass")
    proposer.pool.shares[:] = np.arange(len(proposer.pool.parts)) == number
    generator, seen = np.random.default_rng(3), set()
    for size in (0, 1, 10):
        before = BoxProposal(
            ints(*[0] * proposer.n_roles),
            np.zeros(proposer.n_roles, np.bool_),
            0,
            np.full(size, 77),
            ints(*[3] * size),
            (),
        )
        for _ in range(60):
            after = proposer.vary(before, generator)
            if after.classes is not before.classes:
                stay = int((after.classes == 77).sum())
                come = len(after.classes) - stay
                assert come in {max(1, int(share * stay)) for share in (0.2, 0.5, 1)}
                assert set(after.values.tolist()) == {3 if size else 1}, (
                    "a number of those that were there, or the least"
                )
                seen.add((size, come))
    assert seen >= {(0, 1), (1, 1), (10, 2), (10, 5), (10, 10)}


def test_about_as_many_classes_are_graded_as_the_density_says(proposer: Proposer) -> None:
    generator = np.random.default_rng(0)
    always(proposer, way=WAYS.index("grade"), density=4)
    sizes = [len(proposer.propose(generator).classes) for _ in range(200)]
    assert np.mean(sizes) / (proposer.n_classes - 2) == pytest.approx(DENSITIES[4], abs=0.03)


def test_one_thing_is_varied(proposer: Proposer) -> None:
    """Either the table of one role, or some classes go and others come, with a number that touched classes have."""
    generator = np.random.default_rng(2)
    kinds = set()
    for turn in range(250):
        always(proposer, way=turn % 2)
        before = proposer.propose(generator)
        after = proposer.vary(before, generator)
        assert (after.base, after.options) == (before.base, before.options)
        changed = (int((after.shapes != before.shapes).sum()), int((after.tight != before.tight).sum()))
        if after.classes is before.classes:
            assert sum(changed) <= 1
            kinds.add({(1, 0): "shape", (0, 1): "tight", (0, 0): "shape"}[changed])
            continue
        assert changed == (0, 0)
        assert len(after.classes) == len(after.values)
        kept = len(set(before.classes.tolist()) & set(after.classes.tolist()))
        kinds.add("fewer" if kept < len(before.classes) else "more")
        assert set(after.values.tolist()) <= set(before.values.tolist())
        assert len(after.classes) > 0
    assert kinds == {"shape", "tight", "fewer", "more"}


def test_parts_with_more_left_are_chosen_more_often(proposer: Proposer) -> None:
    pool, generator = proposer.pool, np.random.default_rng(0)
    pool.shares[:] = 0
    pool.shares[0], pool.shares[1], pool.shares[2] = 0.2, 0.6, 5.0
    pool._rows[2] = pool._rows[2][:0]
    chosen = np.bincount([proposer._some_part(generator) for _ in range(2000)], minlength=len(pool.parts))
    assert chosen[:3] / 2000 == pytest.approx([0.25, 0.75, 0], abs=0.04)
    assert chosen[2:].sum() == 0
