"""What a model is to the rest of the house: parameters, a loss for each normal form, scores, truth.

Training talks to an `Engine`, evaluation to a `Scorer`; neither knows which geometry is behind them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np
import torch
from numpy.typing import NDArray

from elgeo.datasets.model import Dataset
from elgeo.ontology.normal_forms import Table

Ids = NDArray[np.int32]
Floats = NDArray[np.float32] | NDArray[np.float64]


class Scorer(Protocol):
    """Scores of target axioms; higher is better. Ids are class ids; `role` is None for C ⊑ D."""

    def pairs(self, heads: Ids, role: int | None, tails: Ids) -> NDArray[np.float64]:
        """Exact scores of (heads[i], tails[i])."""

    def tails(self, heads: Ids, role: int | None, tails: Ids) -> Floats:
        """Scores of every head against every tail, shape (heads, tails); see `tolerance`."""

    def heads(self, heads: Ids, role: int | None, tails: Ids) -> Floats:
        """Scores of every tail against every head, shape (tails, heads)."""

    tolerance: float
    """How far `tails` and `heads` may be from `pairs`, absolutely; 0 where they are exact. Whoever counts ranks
    recomputes with `pairs` what lies within it."""


class Batch(NamedTuple):
    """Rows of one normal form for one step, and the weight of that form in the total loss."""

    positives: Table
    negatives: Table | None
    weight: float


class Engine(Protocol):
    """Takes optimisation steps on a model's parameters, in place."""

    def step(self, batch: Mapping[str, Batch], learning_rate: float) -> dict[str, float]:
        """One Adam step on Σ weight · (mean positive + mean negative loss).

        Returns the mean losses before the step: `{"existential": …, "existential-": …}`, negatives with a minus.
        """

    def state(self) -> dict[str, NDArray[Any]]:
        """What must be saved beside the parameters so that training goes on to the same bits (Adam's moments …)."""

    def load_state(self, state: Mapping[str, NDArray[Any]]) -> None: ...


@dataclass(frozen=True)
class Sizes:
    """How many classes and roles there are to place."""

    classes: int
    roles: int


class Predictor(ABC):
    """Anything that can rank target axioms: a geometric model or a baseline."""

    name: ClassVar[str]
    paper: ClassVar[str]

    @abstractmethod
    def scorer(self) -> Scorer: ...


class Baseline(Predictor):
    """A predictor that is counted from the training axioms, not optimised."""

    @classmethod
    @abstractmethod
    def fit(cls, dataset: Dataset) -> Baseline: ...


class Model(Predictor):
    """A geometric model: parameters placed by minimising a loss for each normal form."""

    positive_forms: ClassVar[tuple[str, ...]]
    """The normal forms it has a loss for."""
    negative_forms: ClassVar[tuple[str, ...]]
    """The normal forms it has a loss for corrupted axioms of."""

    parameters: dict[str, torch.Tensor]

    @abstractmethod
    def loss(self, form: str, rows: torch.Tensor, negative: bool = False) -> torch.Tensor:
        """The loss of each row, differentiable by autograd: the definition every faster kernel is tested against."""

    @abstractmethod
    def holds(self, form: str, rows: Table) -> NDArray[np.bool_]:
        """Whether each axiom is true in the geometric model."""

    @abstractmethod
    def engine(self, device: str = "cpu") -> Engine:
        """The quickest way to train it on a device."""
