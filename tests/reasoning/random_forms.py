"""Random normal forms with every construct, small enough for a slow reasoner."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from hypothesis import strategies as st
from slow_reasoner import make_forms

N, R = 9, 4
classes, roles = st.integers(0, N - 1), st.integers(1, R - 1)
some = st.integers(2, N - 1)


@st.composite
def ontologies(draw: Any) -> Any:
    def table(*columns: Any, most: int) -> Any:
        return draw(st.lists(st.tuples(*columns), max_size=most))

    return make_forms(
        N,
        R,
        fresh=2,
        subclass=table(some, some, most=8),
        conjunction=table(some, some, some, most=3),
        existential=table(some, roles, some, most=8),
        left_existential=table(roles, some, some, most=3),
        disjoint=table(some, some, most=1),
        empty=table(some, most=1),
        empty_existential=table(roles, some, most=1),
        subrole=table(roles, roles, most=2),
        chain=table(roles, roles, roles, most=2),
        self=table(some, roles, most=1),
        left_self=table(roles, some, most=1),
        reflexive=table(roles, most=1),
    )


def all_rows(*sizes: int) -> np.ndarray[Any, Any]:
    return np.array(list(itertools.product(*map(range, sizes))))
