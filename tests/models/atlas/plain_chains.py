"""Chains of axioms again, written plainly from their formulas with dense loops in double precision."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from elgeo.models.atlas.evidence import Evidence

Real = NDArray[np.float64]


def regressed_alone(x: Real, power: float, ridge: float) -> Real:
    """X̂R of a regression of each tail on those it shares heads with, tail by tail."""
    rows, columns = np.maximum(x.sum(axis=1), 1), np.maximum(x.sum(axis=0), 1)
    scaled = x * rows[:, None] ** -power * columns**-power
    warm = np.flatnonzero(x.sum(axis=0))
    size = np.mean([(scaled[:, t] ** 2).sum() for t in warm])
    made = np.zeros_like(x)
    for t in warm:
        others = [u for u in warm if u != t and scaled[:, u] @ scaled[:, t] > 0]
        a = scaled[:, others]
        weights = np.linalg.solve(a.T @ a + size * ridge * np.eye(len(others)), a.T @ scaled[:, t])
        made[:, t] = a @ weights
    return made


def truncated(matrix: Real, rank: int) -> Real:
    u, values, v = np.linalg.svd(matrix, full_matrices=False)
    return (u[:, :rank] * values[:rank]) @ v[:rank]


def cosine(rows: Real) -> Real:
    """Of each two rows; 0 of a row with itself."""
    n = len(rows)
    length = [max(np.sqrt((row**2).sum()), 1) for row in rows]
    return np.array([[rows[i] @ rows[j] / length[i] / length[j] * (i != j) for j in range(n)] for i in range(n)])


def best_among(lists: list[list[int]], values: Real) -> Real:
    """For each list the largest value of each column among its rows."""
    return np.array([values[each].max(axis=0) if each else np.zeros(values.shape[1]) for each in lists])


def plain_chains(evidence: Evidence, contexts: Real, rank: int) -> dict[str, Real]:
    """By name, heads by tails; `contexts` has a row for each class id."""
    target = evidence.target
    x = target.axioms.toarray().astype(np.float64)
    dh, dt = np.maximum(x.sum(axis=1), 1), np.maximum(x.sum(axis=0), 1)
    even = x / np.sqrt(dh)[:, None] / np.sqrt(dt)
    three = even @ even.T @ even
    own_tails, own_heads = ([np.flatnonzero(row).tolist() for row in rows] for rows in (x, x.T))
    tails_alike, heads_alike = cosine(x.T), cosine(x)
    tail_contexts, head_contexts = (contexts[ids] @ contexts[ids].T for ids in (target.tails, target.heads))
    for kernel in (tail_contexts, head_contexts):
        np.fill_diagonal(kernel, 0)
    paths = even + three / 4 + (even @ even / 2 if target.symmetric else 0)
    often = np.log(np.maximum(x.sum() * paths / np.sqrt(np.outer(dh, dt)), 0.1) / 0.1)
    found = {
        "three steps": three,
        "low rank": truncated(even, rank),
        "surprise": often,
        "surprise, low rank": truncated(often, rank),
        "closest own tail": best_among(own_tails, tails_alike),
        "closest own head": best_among(own_heads, heads_alike).T,
        "own tails alike, squared": even @ tails_alike**2,
        "own heads alike, squared": heads_alike**2 @ even,
        "own tail most like it": best_among(own_tails, tail_contexts),
        "own head most like it": best_among(own_heads, head_contexts).T,
        "own tails like it, squared": even @ tail_contexts**2,
        "own heads like it, squared": head_contexts**2 @ even,
    }
    if target.symmetric:
        found |= {
            "two steps": even @ even,
            "four steps": three @ even,
            "common neighbours": x @ x,
            "rare common neighbours": x @ (x / np.log(np.maximum(dh, 2))[:, None]),
            "shared out": x @ (x / dh[:, None]),
            "spread": np.linalg.inv(1.02 * np.eye(len(x)) - 0.9 * even),
        }
    return found
