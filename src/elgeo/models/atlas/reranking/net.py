"""The net: a linear score and a small correction, taught to put held-out axioms before what no axiom says."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elgeo.deferred import functional, torch
from elgeo.errors import SettingError
from elgeo.models.atlas.operators.dense import Dense
from elgeo.models.atlas.reranking.examples import Examples
from elgeo.models.contract import Arrays
from elgeo.models.engines.adam import Adam

HIDDEN = (64, 32)
"""Hidden units of the two layers, unless told otherwise."""
DROPPED = 26
"""Of 256 hidden units, how many are left out by chance while learning."""
EPOCHS, HEADS, RATE, DECAY, RISING = 8, 32, 2e-3, 1e-4, 0.3
"""Times through the examples, heads a step, the largest learning rate, how weights shrink, share of rising steps."""
NONE = np.float32(-1e4)
"""ln of how many a candidate stands for that is none: a head may have no other, and -inf has no slope."""
POINTS = 64
"""Places between nothing and a pair where slopes are taken."""


@contextmanager
def one_torch_thread() -> Iterator[None]:
    """Sums are taken in one order, however many processors there are."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


NAMES = ("mean", "deviation", "linear", "first", "first_bias", "second", "second_bias", "last")
Parameters = Mapping[str, "torch.Tensor"]


class Net:
    """s(x) = w·z + v·g(U g(V z)), z = (x − mean) / deviation, g = GELU."""

    def __init__(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        self._parameters = {name: torch.from_numpy(np.array(arrays[name], np.float32)) for name in NAMES}

    @classmethod
    def shapes(cls, columns: int, hidden: tuple[int, int] = HIDDEN) -> dict[str, tuple[int, ...]]:
        first, second = hidden
        sizes = ((columns,), (columns,), (columns,), (columns, first), (first,), (first, second), (second,), (second,))
        return dict(zip(NAMES, sizes, strict=True))

    def arrays(self) -> Arrays:
        return {name: value.detach().numpy().copy() for name, value in self._parameters.items()}

    @classmethod
    def restore(cls, arrays: Mapping[str, NDArray[Any]], columns: int, hidden: tuple[int, int] = HIDDEN) -> Net:
        """What `arrays` gave; anything else is refused."""
        for name, shape in cls.shapes(columns, hidden).items():
            if name not in arrays or arrays[name].shape != shape or arrays[name].dtype.kind != "f":
                raise SettingError(f"the run's {name} is not that of a net for {columns} kinds of evidence")
        return cls(arrays)

    @classmethod
    def learn(
        cls,
        examples: Examples,
        generator: np.random.Generator,
        say: Callable[[str], None],
        hidden: tuple[int, int] = HIDDEN,
    ) -> Net:
        """Gradient steps over the examples, the learning rate rising and falling once."""
        columns = examples.true.shape[1]
        mean, deviation = _moments(examples)
        arrays = {"mean": mean, "deviation": deviation, "linear": np.zeros(columns, np.float32)}
        for name, shape in cls.shapes(columns, hidden).items():
            if name not in arrays:
                spread = np.sqrt(1 / shape[0]) if len(shape) == 2 or name == "last" else 0.0
                arrays[name] = (spread * generator.standard_normal(shape)).astype(np.float32)
        net = cls(arrays)
        with one_torch_thread():
            net._descend(examples, generator, say)
        return net

    def _descend(self, examples: Examples, generator: np.random.Generator, say: Callable[[str], None]) -> None:
        trained = {name: self._parameters[name].requires_grad_() for name in NAMES[2:]}
        optimiser = Adam(trained, decay=DECAY)
        n = len(examples.others)
        steps = EPOCHS * -(-n // HEADS)
        order = np.argsort(examples.head, kind="stable")
        start = np.searchsorted(examples.head[order], np.arange(n + 1))
        for epoch in range(EPOCHS):
            say(f"learning to rank: {epoch + 1} of {EPOCHS}")
            shuffled = generator.permutation(n)
            for first in range(0, n, HEADS):
                heads = shuffled[first : first + HEADS]
                axioms = np.concatenate([order[start[h] : start[h + 1]] for h in heads])
                owner = np.repeat(np.arange(len(heads)), [start[h + 1] - start[h] for h in heads])
                others = torch.from_numpy(examples.others[heads].astype(np.float32))
                weights = torch.from_numpy(np.maximum(examples.weights[heads], NONE))
                true = _scores(self._parameters, torch.from_numpy(examples.true[axioms]), generator)
                rivals = torch.logsumexp(_scores(self._parameters, others, generator) + weights, dim=1)[
                    torch.from_numpy(owner)
                ]
                loss = functional.softplus(rivals - true).mean()
                optimiser.forget()
                loss.backward()  # type: ignore[no-untyped-call]
                optimiser.step(*one_cycle(optimiser.steps, steps))
        for value in trained.values():
            value.requires_grad_(False)

    def scores(self, rows: Dense) -> Dense:
        """Of rows (column, head, tail), head by head: a row has the same bits whatever it is computed with."""
        with one_torch_thread(), torch.no_grad():
            each = [
                _scores(self._parameters, torch.from_numpy(np.ascontiguousarray(rows[:, i].T)))
                for i in range(rows.shape[1])
            ]
            return np.stack([score.numpy() for score in each])

    def shares(self, x: NDArray[np.float32]) -> tuple[NDArray[np.float64], float]:
        """How much each column adds to the score of a pair, beyond that of an average pair; and that score.

        Integrated gradients: slopes on the straight way from the mean to the pair, times the way.
        """
        parameters = {name: value.double() for name, value in self._parameters.items()}
        mean, end = parameters["mean"], torch.from_numpy(x).double()
        places, weights = np.polynomial.legendre.leggauss(POINTS)
        along = torch.from_numpy((places + 1) / 2)[:, None]
        with one_torch_thread():
            way = (mean + along * (end - mean)).requires_grad_()
            (slopes,) = torch.autograd.grad(_scores(parameters, way).sum(), way)
            found = (torch.from_numpy(weights / 2)[:, None] * slopes).sum(dim=0) * (end - mean)
            return found.numpy(), float(_scores(parameters, mean[None])[0])


def one_cycle(step: int, steps: int) -> tuple[float, float]:
    """Learning rate and share of the old mean: half a cosine up in the first of the steps, then one down."""
    top = RISING * steps - 1
    if step <= top:
        start, end, way = (RATE / 25, 0.95), (RATE, 0.85), step / top
    else:
        start, end, way = (RATE, 0.85), (RATE / 25 / 1e4, 0.95), (step - top) / (steps - 1 - top)
    left = (math.cos(math.pi * way) + 1) / 2
    return end[0] + (start[0] - end[0]) * left, end[1] + (start[1] - end[1]) * left


def _scores(p: Parameters, x: torch.Tensor, generator: np.random.Generator | None = None) -> torch.Tensor:
    """With a generator, some hidden units are left out."""
    z = (x - p["mean"]) / p["deviation"]
    hidden = _some(functional.gelu(z @ p["first"] + p["first_bias"]), generator)
    hidden = _some(functional.gelu(hidden @ p["second"] + p["second_bias"]), generator)
    return z @ p["linear"] + hidden @ p["last"]


def _some(values: torch.Tensor, generator: np.random.Generator | None) -> torch.Tensor:
    if generator is None:
        return values
    chance = np.frombuffer(generator.bytes(values.numel()), np.uint8).reshape(values.shape)
    return values * torch.from_numpy(np.where(chance < DROPPED, np.float32(0), np.float32(256 / (256 - DROPPED))))


def _moments(examples: Examples) -> tuple[Dense, Dense]:
    """Mean and standard deviation of each column over all candidates and axioms."""
    count = float(np.isfinite(examples.weights).sum() + len(examples.true))
    sums, squares = (np.zeros(examples.true.shape[1]) for _ in range(2))
    candidates = (rows[np.isfinite(weights)] for rows, weights in zip(examples.others, examples.weights, strict=True))
    for rows in (*candidates, examples.true):
        part = rows.astype(np.float64)
        sums += part.sum(axis=0)
        squares += (part**2).sum(axis=0)
    mean = sums / count
    deviation = np.sqrt(np.maximum(squares / count - mean**2, 0))
    return mean.astype(np.float32), np.where(deviation > 1e-4, deviation, 1).astype(np.float32)
