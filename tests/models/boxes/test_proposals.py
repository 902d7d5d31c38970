"""Proposals: what they may touch, how they are varied, and that what worked is tried more often."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from elgeo.models.boxes.halves import Halves
from elgeo.models.boxes.numbers import INFINITE
from elgeo.models.boxes.pool import AxiomPool, PoolPart
from elgeo.models.boxes.problem import Problem
from elgeo.models.boxes.proposals import (
    DENSITIES,
    LEVELS,
    LIMITS,
    SIZES,
    WAYS,
    WIDTHS,
    BoxProposal,
    Experience,
    Proposer,
    heads_of,
    together,
)
from elgeo.reasoning.closure.modes import closure_of
from elgeo.reasoning.saturation.saturate import saturate
from tests.models.boxes.small_forms import with_tables
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


def always(proposer: Proposer, half: int, **options: int) -> None:
    """Let every part of the pool know of one option alone."""
    for experience in proposer.experience[half]:
        for what, option in options.items():
            experience.counts[what] = only(len(experience.counts[what]), option)


def test_left_sides_by_form() -> None:
    rows = np.array([[1, 2, 3], [4, 5, 6]], np.int32)
    heads = {form: heads_of(PoolPart(form, 1, rows), rows).tolist() for form in ("conjunction", "existential")}
    assert heads == {"conjunction": [1, 2, 4, 5], "existential": [1, 4]}
    assert heads_of(PoolPart("left_existential", 1, rows), rows).tolist() == [2, 5]
    assert heads_of(PoolPart("subclass", -1, rows[:, :2]), rows[:, :2]).tolist() == [1, 4]


def test_proposals_are_put_together_one_after_the_other() -> None:
    none = np.empty(0, np.int32)
    found = together(
        [
            BoxProposal(ints(1, 2), 0, ints(5, 6, 7), ints(1, 2, 3), ints(0, 0), ()),
            BoxProposal(ints(3, 4), 9, none, none, ints(0, 0), (), 20),
            BoxProposal(ints(5, 6), 2, ints(8), ints(4), ints(0, 0), ()),
        ]
    )
    assert [found.classes[a:b].tolist() for a, b in zip(found.start, found.start[1:], strict=False)] == [
        [5, 6, 7],
        [],
        [8],
    ]
    assert found.values.tolist() == [1, 2, 3, 4]
    assert found.widths.tolist() == [[1, 2], [3, 4], [5, 6]]
    assert found.base.tolist() == [0, 9, 2]
    assert found.limits.tolist() == [INFINITE, 20, INFINITE]


def test_options_are_drawn_as_often_as_they_are_known_to_work() -> None:
    known, generator = Experience(3, 2), np.random.default_rng(0)
    counts = np.array([1.0, 0.0, 5.0])
    known.counts["way"] = counts
    drawn = np.bincount([known.draw("way", generator) for _ in range(3000)], minlength=3)
    assert drawn / 3000 == pytest.approx(counts / 6, abs=0.03)
    known.widths = np.array([[0, 0, 0, 1.0], [1.0, 0, 0, 0], [1.0, 0, 3.0, 0]])
    widths = np.array([known.draw_widths(generator) for _ in range(2000)])
    assert set(widths[:, 0].tolist()) == {INFINITE}
    assert set(widths[:, 1].tolist()) == {-1}
    assert set(widths[:, 2].tolist()) == {-1, 1}
    assert (widths[:, 2] == 1).mean() == pytest.approx(0.75, abs=0.04)


def test_what_worked_counts_for_more_and_what_is_long_ago_for_less() -> None:
    known = Experience(2, 1)
    known.counts["level"] = np.array([1, 1, 11.0, 1, 1, 1])
    chosen = BoxProposal(ints(0, 0), 0, ints(2), ints(1), ints(INFINITE, -1), (("way", 2), ("level", 0)))
    known.learn(chosen)
    assert known.counts["way"].tolist() == [1, 1, 2]
    assert known.counts["level"] == pytest.approx([2, 1, 10, 1, 1, 1])  # a tenth of what is above 1 is forgotten
    assert known.counts["size"].tolist() == [1] * len(SIZES)
    assert known.widths.tolist() == [[1, 1, 1, 2], [2, 1, 1, 1]]
    known.learn(chosen)
    assert known.widths[0] == pytest.approx([1, 1, 1, 2.9])


def test_each_part_learns_from_the_proposal_that_made_most_of_it_false(proposer: Proposer) -> None:
    made = [
        BoxProposal(ints(0), 0, ints(2), ints(1), np.zeros(proposer.n_roles, np.int32), (("way", k),)) for k in range(3)
    ]
    refuted = np.zeros((3, len(proposer.pool.parts)), np.int64)
    refuted[:, 0], refuted[:, 1] = [1, 5, 4], [0, 0, 1]
    proposer.learn(made, refuted, 1)
    assert proposer.experience[1][0].counts["way"].tolist() == [1, 2, 1]
    assert proposer.experience[1][1].counts["way"].tolist() == [1, 1, 2]
    assert proposer.experience[1][2].counts["way"].tolist() == [1, 1, 1], "nothing was false: nothing to learn"
    assert all(each.counts["way"].tolist() == [1, 1, 1] for each in proposer.experience[0])


@pytest.mark.parametrize("way", WAYS)
def test_a_proposal_touches_what_its_way_says(proposer: Proposer, way: str) -> None:
    level, generator = 2, np.random.default_rng(5)
    always(proposer, 1, way=WAYS.index(way), level=level, size=4, density=5)
    tails, heads = set(), set()
    for number, part in enumerate(proposer.pool.parts):
        rows = proposer.pool.of_part(number)
        tails |= set(rows[:, -1].tolist())
        heads |= set(heads_of(part, rows).tolist())
    least = np.full(proposer.n_roles, -1, np.int32)
    for _ in range(20):
        made = proposer.propose(least, 1, generator)
        touched = set(made.classes.tolist())
        assert len(touched) == len(made.classes), "no class twice"
        assert ("way", WAYS.index(way)) in made.options
        assert ("level", level) in made.options
        assert made.limit in proposer.limits
        assert set(made.asked.tolist()) <= set(WIDTHS)
        assert made.widths.tolist() == proposer.axioms.closed(made.asked).tolist()
        if way == "lower":
            assert (made.base, set(made.values.tolist())) == (LEVELS[level], {0})
            assert touched <= tails
            assert 0 < len(touched) <= SIZES[4]
        elif way == "raise":
            assert (made.base, set(made.values.tolist())) == (0, {LEVELS[level]})
            assert touched <= heads
            assert 0 < len(touched) <= 2 * SIZES[4]
        else:
            assert made.base == 0
            assert touched == set(range(2, proposer.n_classes)), "all but ⊤ and ⊥, at a density of 1"
            assert set(made.values.tolist()) == set(range(LEVELS[level] + 1))


def test_about_as_many_classes_are_graded_as_the_density_says(proposer: Proposer) -> None:
    generator, least = np.random.default_rng(0), np.full(proposer.n_roles, -1, np.int32)
    always(proposer, 0, way=WAYS.index("grade"), density=4)
    sizes = [len(proposer.propose(least, 0, generator).classes) for _ in range(200)]
    assert np.mean(sizes) / (proposer.n_classes - 2) == pytest.approx(DENSITIES[4], abs=0.03)


def test_no_role_is_narrower_than_it_has_to_be(proposer: Proposer) -> None:
    generator, least = np.random.default_rng(0), np.full(proposer.n_roles, 1, np.int32)
    made = [proposer.propose(least, 0, generator) for _ in range(20)]
    varied = [proposer.vary(each, least, generator) for each in made]
    assert all((each.widths >= 1).all() for each in made + varied)
    assert any((each.asked < 1).any() for each in made)


def test_a_bound_of_the_domain_is_tried_only_where_there_are_domains(proposer: Proposer) -> None:
    assert proposer.limits == (INFINITE,)
    dataset = small_dataset(6, n_things=34, n_people=9, n_links=40)
    left = np.concatenate([dataset.forms["left_existential"], [[1, 0, 3]]]).astype(np.int32)
    problem = Problem.of(saturate(with_tables(dataset, left_existential=left).forms))
    assert problem.bounded
    assert Proposer(proposer.pool, problem).limits == LIMITS


def test_one_thing_is_varied(proposer: Proposer) -> None:
    """Either the width of one role, or some classes go and others come, with the number that touched classes have."""
    generator, least = np.random.default_rng(2), np.full(proposer.n_roles, -1, np.int32)
    kinds = set()
    for turn in range(150):
        always(proposer, 0, way=turn % 2)
        before = proposer.propose(least, 0, generator)
        after = proposer.vary(before, least, generator)
        assert (after.base, after.options, after.limit) == (before.base, before.options, before.limit)
        if after.classes is before.classes:
            kinds.add("width")
            assert (after.asked != before.asked).sum() <= 1
            assert after.widths.tolist() == proposer.axioms.closed(after.asked).tolist()
            continue
        assert after.asked.tolist() == before.asked.tolist()
        assert after.widths.tolist() == before.widths.tolist()
        assert len(after.classes) == len(after.values)
        kept = len(set(before.classes.tolist()) & set(after.classes.tolist()))
        kinds.add("fewer" if kept < len(before.classes) else "more")
        assert set(after.values.tolist()) <= ({0} if before.base else set(before.values.tolist()))
        assert len(after.classes) > 0
    assert kinds == {"width", "fewer", "more"}


def test_parts_with_more_left_are_chosen_more_often(proposer: Proposer) -> None:
    pool, generator = proposer.pool, np.random.default_rng(0)
    pool.shares[:] = 0
    pool.shares[0], pool.shares[1], pool.shares[2] = 0.2, 0.6, 5.0
    pool._rows[2] = pool._rows[2][:0]
    chosen = np.bincount([proposer._some_part(generator) for _ in range(2000)], minlength=len(pool.parts))
    assert chosen[:3] / 2000 == pytest.approx([0.25, 0.75, 0], abs=0.04)
    assert chosen[2:].sum() == 0
