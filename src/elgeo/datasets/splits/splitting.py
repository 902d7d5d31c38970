"""Who is trained on and who is held out: a random split from a seed, with twins kept together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Longs, Table
from elgeo.documents import shown
from elgeo.errors import SettingError
from elgeo.keys import row_numbers

_WHOLES = (1, 10, 100)
"""What shares usually add up to."""


class Split(NamedTuple):
    """Row numbers of each part, ascending."""

    train: NDArray[np.int64]
    valid: NDArray[np.int64]
    test: NDArray[np.int64]


def parse_shares(text: str, say: Callable[[str], None] = lambda _: None) -> tuple[float, float, float]:
    """`90:5:5` as three shares that add up to one; `say` is told where the numbers do not add up to a whole."""
    try:
        parts = [float(part) for part in text.split(":")]
    except ValueError:
        parts = []
    if len(parts) != 3 or min(parts) < 0 or not sum(parts) < float("inf"):
        raise SettingError(f"--split {shown(text)}: give three numbers train:valid:test, for example 90:5:5")
    if parts[0] == 0:
        raise SettingError(f"--split {shown(text)}: nothing would be left to train on")
    train, valid, test = (part / sum(parts) for part in parts)
    if not any(abs(sum(parts) - whole) < 1e-6 for whole in _WHOLES):
        say(f"--split {text} adds up to {sum(parts):g}: taken as {train:.1%}, {valid:.1%} and {test:.1%}")
    return train, valid, test


def as_shares(shares: str | Sequence[float]) -> tuple[float, float, float]:
    """Shares in words (`90:5:5`) or as three numbers of any sum."""
    return parse_shares(shares if isinstance(shares, str) else ":".join(map(str, shares)))


def split(
    pairs: Longs | Table, shares: Sequence[float] = (0.9, 0.05, 0.05), seed: int = 0, twins_together: bool = True
) -> Split:
    """Split rows at random; (a, b) and (b, a) fall into the same part when `twins_together`.

    Shares are of pairs, twins counted once. The part a pair falls into depends on its rank among the sorted pairs and
    on the seed, not on the order of the rows; with names numbered alphabetically the order of a file does not matter.
    """
    if seed < 0:
        raise SettingError(f"the seed is {seed}, but cannot be below 0")
    keys = np.sort(pairs, axis=1) if twins_together else pairs
    group_of_row = row_numbers(keys)[0]
    n = int(group_of_row.max(initial=-1)) + 1
    n_valid, n_test = round(n * shares[1]), round(n * shares[2])
    part = np.zeros(n, np.int8)
    order = np.random.default_rng(seed).permutation(n)
    part[order[:n_valid]] = 1
    part[order[n_valid : n_valid + n_test]] = 2
    part_of_row = part[group_of_row]
    return Split(*(np.flatnonzero(part_of_row == k) for k in range(3)))


def both_directions(pairs: Longs) -> Longs:
    """The pairs and their inverses, each once, sorted."""
    return np.unique(np.concatenate([pairs, pairs[:, ::-1]]), axis=0)
