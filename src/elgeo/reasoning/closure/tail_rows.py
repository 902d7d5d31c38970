"""Entailed tails as sorted rows in memory, and the kernels that search them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from elgeo.arrays import Flags, Ints, Longs, Starts
from elgeo.compilation import kernel
from elgeo.keys import lower_bound
from elgeo.prefetch import prefetch

_AHEAD = 8


class TailRows(NamedTuple):
    """The entailed last classes of an axiom, by its head and role; what kernels search and draw from.

    The tails of head c and role r are `tails[start[k]:start[k + 1]]` with k = c · n_roles + r, ascending. Forms without
    a role have the role 0 alone and `n_roles` 1. Kernels take the four fields apart: numba keeps arrays in registers
    that it would reload from a tuple.
    """

    start: Starts
    tails: Ints
    unsatisfiable: Flags
    """An unsatisfiable head entails every tail, whatever its rows say."""
    n_roles: int


class Links(NamedTuple):
    """The closed role links behind `TailRows`: entry e of class c reaches `targets[row_start[e]:row_start[e + 1]]`.

    Together with the subsumers they answer the same questions in less memory: D is a tail of an entry if it subsumes
    one of its targets.
    """

    entry_start: Starts
    roles: Ints
    row_start: Starts
    targets: Ints


@kernel(inline="always")
def has_tail(start: Starts, tails: Ints, unsatisfiable: Flags, n_roles: int, c: int, r: int, d: int) -> bool:
    """Whether D is among the entailed tails of head C and role R. Callable from other kernels."""
    key = np.int64(c) * n_roles + r
    end = start[key + 1]
    at = lower_bound(tails, start[key], end, d)
    return bool(unsatisfiable[c] or (at < end and tails[at] == d))


@kernel
def has_tail_many(
    start: Starts, tails: Ints, unsatisfiable: Flags, n_roles: int, heads: Ints, roles: Ints, last: Ints
) -> Flags:
    """`has_tail` of each head, role and last class."""
    found = np.empty(heads.size, np.bool_)
    for i in range(heads.size):
        # rows lie anywhere: ask for the ends of a later one and the middle of a sooner one
        if i + 2 * _AHEAD < heads.size:
            prefetch(start, np.int64(heads[i + 2 * _AHEAD]) * n_roles + roles[i + 2 * _AHEAD])
        if i + _AHEAD < heads.size:
            key = np.int64(heads[i + _AHEAD]) * n_roles + roles[i + _AHEAD]
            prefetch(tails, (start[key] + start[key + 1]) >> 1)
        found[i] = has_tail(start, tails, unsatisfiable, n_roles, heads[i], roles[i], last[i])
    return found


@kernel
def reaches_many(
    entry_start: Starts,
    entry_roles: Ints,
    row_start: Starts,
    targets: Ints,
    start: Starts,
    tails: Ints,
    unsatisfiable: Flags,
    queries: Ints,
) -> Flags:
    """Whether some R-target of C is below D, for each row (c, r, d): the same answer from `Links` and subsumers."""
    found = np.empty(queries.shape[0], np.bool_)
    for i in range(queries.shape[0]):
        c, r, d = queries[i]
        found[i] = unsatisfiable[c]
        if found[i]:
            continue
        entry = lower_bound(entry_roles, entry_start[c], entry_start[c + 1], r)
        if entry == entry_start[c + 1] or entry_roles[entry] != r:
            continue
        for k in range(row_start[entry], row_start[entry + 1]):
            end = start[targets[k] + 1]
            at = lower_bound(tails, start[targets[k]], end, d)
            if at < end and tails[at] == d:
                found[i] = True
                break
    return found


@kernel
def count_tails(targets: Ints, target_start: Starts, start: Starts, members: Ints) -> Starts:
    """How many different subsumers the targets of each group have together."""
    counts = np.zeros(target_start.size - 1, np.int64)
    seen = np.full(start.size, -1, np.int64)
    for group in range(counts.size):
        for k in range(target_start[group], target_start[group + 1]):
            target = targets[k]
            for j in range(start[target], start[target + 1]):
                if seen[members[j]] != group:
                    seen[members[j]] = group
                    counts[group] += 1
    return counts


@kernel
def fill_tails(targets: Ints, target_start: Starts, start: Starts, members: Ints, row_start: Starts) -> Ints:
    """The subsumers counted by `count_tails`, each group's ascending."""
    tails = np.empty(row_start[-1], np.int32)
    seen = np.full(start.size, -1, np.int64)
    for group in range(row_start.size - 1):
        at = row_start[group]
        for k in range(target_start[group], target_start[group + 1]):
            target = targets[k]
            for j in range(start[target], start[target + 1]):
                if seen[members[j]] != group:
                    seen[members[j]] = group
                    tails[at] = members[j]
                    at += 1
        # the row of a single target is in order already
        if target_start[group + 1] - target_start[group] > 1:
            tails[row_start[group] : at].sort()
    return tails


def starts_of(sizes: Longs) -> Starts:
    """Where each of consecutive groups of the given sizes starts, and the end."""
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])


def ranges(first: Starts, last: Starts) -> Starts:
    """The numbers of all ranges first[i]..last[i], one after the other."""
    sizes = last - first
    return np.repeat(first - starts_of(sizes)[:-1], sizes) + np.arange(int(sizes.sum()))


def plain_rows(start: Starts, tails: Ints, unsatisfiable: Flags) -> TailRows:
    """Rows of a form without role: head h has `tails[start[h]:start[h + 1]]`."""
    return TailRows(start, tails, unsatisfiable, 1)


def grouped_links(class_start: Starts, roles: Ints, targets: Ints) -> Links:
    """Links of each class, sorted by role then target, as one entry for each class and role."""
    owners = np.repeat(np.arange(len(class_start) - 1), np.diff(class_start))
    first = np.ones(len(roles), np.bool_)
    first[1:] = (owners[1:] != owners[:-1]) | (roles[1:] != roles[:-1])
    entries = np.flatnonzero(first)
    return Links(
        entry_start=np.searchsorted(owners[entries], np.arange(len(class_start))).astype(np.int64),
        roles=np.ascontiguousarray(roles[entries], np.int32),
        row_start=np.append(entries, len(roles)).astype(np.int64),
        targets=np.ascontiguousarray(targets, np.int32),
    )


def materialised(links: Links, subsumers: TailRows, n_roles: int, budget: int) -> TailRows | None:
    """All entailed tails in memory, or None where they would take more than `budget` bytes."""
    n_classes = len(subsumers.unsatisfiable)
    budget -= 8 * (n_classes * n_roles + 1)
    # the sum over targets counts shared subsumers again and again: only a hopeless excess ends the matter here
    if budget < 0 or 4 * int(np.diff(subsumers.start)[links.targets].sum()) > 32 * budget:
        return None
    counts = count_tails(links.targets, links.row_start, subsumers.start, subsumers.tails)
    if 4 * int(counts.sum()) > budget:
        return None
    tails = fill_tails(links.targets, links.row_start, subsumers.start, subsumers.tails, starts_of(counts))
    owners = np.repeat(np.arange(n_classes), np.diff(links.entry_start))
    sizes = np.zeros(n_classes * n_roles, np.int64)
    sizes[owners * n_roles + links.roles] = counts
    return TailRows(starts_of(sizes), tails, subsumers.unsatisfiable, n_roles)


def rows_of_pairs(links: Links, subsumers: TailRows, heads: Ints, roles: Ints) -> TailRows:
    """The entailed tails of given heads and roles alone, as plain rows: row i of head i and role i."""
    owners = np.repeat(np.arange(len(links.entry_start) - 1), np.diff(links.entry_start))
    span = np.int64(1) + max(links.roles.max(initial=0), roles.max(initial=0))
    keys = owners * span + links.roles
    wanted = heads * span + roles
    entry = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))
    found = keys[entry] == wanted if len(keys) else np.zeros(len(wanted), np.bool_)
    entry = np.where(found, entry, 0)
    low = np.where(found, links.row_start[entry], 0)
    high = np.where(found, links.row_start[np.minimum(entry + 1, len(links.row_start) - 1)], 0)
    targets, target_start = links.targets[ranges(low, high)], starts_of(high - low)
    row_start = starts_of(count_tails(targets, target_start, subsumers.start, subsumers.tails))
    tails = fill_tails(targets, target_start, subsumers.start, subsumers.tails, row_start)
    return plain_rows(row_start, tails, subsumers.unsatisfiable[heads])
