"""`Closed`: a geometry in which every EL expression has a place, so that whole axioms are true or false in it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

from elgeo.models.contract import Scorer
from elgeo.reasoning.questions.expressions import Expression


class Inclusion(NamedTuple):
    """Whether one expression lies in another, how far it is outside, and a score by which axioms are ranked."""

    true: bool
    distance: float
    score: float


class Closed(ABC):
    """A geometry with a set for every EL expression."""

    @abstractmethod
    def with_expressions(self, expressions: Sequence[Expression]) -> Scorer:
        """Its scorer, in which expressions are more classes, numbered after all others."""

    @abstractmethod
    def includes(self, left: Expression, right: Expression, tolerance: float = 1e-5) -> Inclusion:
        """Of left ⊑ right; `UnsupportedError` where an expression is not in EL."""
