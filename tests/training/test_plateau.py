"""The learning rate's schedule against torch's, and early stopping."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from elgeo.training.plateau import BestEpoch, Plateau


@pytest.mark.slow
@pytest.mark.parametrize("higher_is_better", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_the_learning_rate_falls_as_in_torch(seed: int, higher_is_better: bool) -> None:
    random = np.random.default_rng(seed)
    patience, factor = int(random.integers(0, 4)), float(random.choice([0.1, 0.5]))
    optimiser = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=0.01)
    theirs = torch.optim.lr_scheduler.ReduceLROnPlateau(
        optimiser, mode="max" if higher_is_better else "min", patience=patience, factor=factor
    )
    ours = Plateau(0.01, patience, factor, higher_is_better)
    # small steps around the threshold, plateaus, and losses below zero
    values = np.cumsum(random.choice([0, 1e-5, -1e-5, 0.01, -0.02, -1], 200) * random.random(200))
    for value in values.tolist():
        theirs.step(value)
        ours.step(value)
        assert ours.learning_rate == optimiser.param_groups[0]["lr"]


@pytest.mark.parametrize(("sign", "little", "enough"), [(1, 2.00019, 2.0003), (-1, 1.99981, 1.9997)])
def test_what_is_hardly_better_is_not(sign: int, little: float, enough: float) -> None:
    """Better is better by more than a ten-thousandth of the best: with 2, by more than 0.0002."""
    for value, rate in ((little, 0.5), (enough, 1.0)):
        plateau = Plateau(1.0, 0, 0.5, higher_is_better=sign > 0)
        plateau.step(2.0)
        plateau.step(value)
        assert (plateau.learning_rate, plateau.best) == (rate, value if rate == 1 else 2.0)


def test_training_ends_when_nothing_improves() -> None:
    best = BestEpoch(patience=3)
    values = [5.0, 4.0, 4.5, 4.0, 4.1, 3.0]
    ended = []
    for epoch, value in enumerate(values, 1):
        best.step(epoch, value)
        ended.append(best.is_over(epoch))
    assert best.epoch == 6
    assert ended == [False, False, False, False, True, False]
    assert not BestEpoch(patience=0, epoch=1, value=0.0).is_over(1000)


def test_higher_can_be_better() -> None:
    best = BestEpoch(patience=2, higher_is_better=True)
    assert [best.step(e, v) for e, v in enumerate([0.1, 0.3, 0.3, 0.2], 1)] == [True, True, False, False]


def test_training_is_over_as_many_epochs_after_the_best_one_as_is_said_or_never() -> None:
    for patience, over in ((0, []), (1, [4, 5, 6]), (2, [5, 6]), (3, [6])):
        best = BestEpoch(patience, False)
        assert [best.step(epoch, value) for epoch, value in ((1, 5.0), (2, 4.0), (3, 2.0))] == [True] * 3
        assert [epoch for epoch in range(3, 7) if not best.step(epoch, 2.5) and best.is_over(epoch)] == over
