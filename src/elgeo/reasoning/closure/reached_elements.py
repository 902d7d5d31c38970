"""Kernels that walk from an element of a question along links, and say whom of a left side they meet."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from elgeo.arrays import Flags, Ints, Longs, Places, Starts, Table
from elgeo.compilation import kernel
from elgeo.keys import lower_bound

MOST_MET = 1024
"""Elements of the left side after which the walk of a row ends."""


class Elements(NamedTuple):
    """Subsumers and links of classes, or of drafts by their number; a walk goes from the ones to the others.

    As target of a link, draft i is the number of classes + i.
    """

    subsumer_start: Starts
    subsumers: Ints
    link_start: Starts
    link_roles: Ints
    link_targets: Ints


@kernel
def _in(starts: Starts, values: Ints, x: int, value: int) -> bool:
    at = lower_bound(values, starts[x], starts[x + 1], value)
    return bool(at < starts[x + 1] and values[at] == value)


@kernel
def leads_to_left(by_role: bool, table: Table, rows: Places, classes: Elements, drafts: Elements) -> Flags:
    """Whether draft i leads to another element that is in the left side of row i and not seen to be in the right.

    For C ⊓ D ⊑ E or, `by_role`, ∃R.C ⊑ D.
    """
    subsumer_start, subsumers, link_start, link_roles, link_targets = classes
    draft_subsumer_start, draft_subsumers, draft_link_start, draft_link_roles, draft_link_targets = drafts
    n = subsumer_start.size - 1
    found = np.zeros(rows.size, np.bool_)
    seen = np.full(n + draft_link_start.size - 1, -1, np.int64)
    stack = np.empty(seen.size, np.int64)
    for number in range(rows.size):
        i = rows[number]
        stack[0] = n + i
        seen[n + i] = i
        size = 1
        while size and not found[number]:
            size -= 1
            y = stack[size]
            starts, roles, targets = link_start, link_roles, link_targets
            s_start, s = subsumer_start, subsumers
            place = y
            if y >= n:
                starts, roles, targets = draft_link_start, draft_link_roles, draft_link_targets
                s_start, s = draft_subsumer_start, draft_subsumers
                place = y - n
            linked = False
            for k in range(starts[place], starts[place + 1]):
                z = targets[k]
                if by_role and roles[k] == table[i, 0]:
                    if z < n:
                        linked |= _in(subsumer_start, subsumers, z, table[i, 1])
                    else:
                        linked |= _in(draft_subsumer_start, draft_subsumers, z - n, table[i, 1])
                if seen[z] != i:
                    seen[z] = i
                    stack[size] = z
                    size += 1
            if y == n + i:
                continue
            if not by_role:
                linked = _in(s_start, s, place, table[i, 0]) and _in(s_start, s, place, table[i, 1])
            found[number] = linked and not _in(s_start, s, place, table[i, 2])
    return found


@kernel
def met_in_left(
    left: Ints,
    right: Ints,
    role: Ints,
    rows: Places,
    heard_by: Flags,
    composing: Flags,
    classes: Elements,
    drafts: Elements,
) -> tuple[Places, Longs, Flags, Flags]:
    """The elements that draft i leads to and that are in `left[i]` and not in `right[i]` (-1: in no matter what).

    As pairs of a place in `rows` and an element, not many more than `MOST_MET` for a row. Also whether something leads
    to one of them by a role that rules listen to (`heard_by`), and by one that composes with `role[i]`.
    """
    subsumer_start, subsumers, link_start, link_roles, link_targets = classes
    draft_subsumer_start, draft_subsumers, draft_link_start, draft_link_roles, draft_link_targets = drafts
    n = subsumer_start.size - 1
    owners, met = np.empty(rows.size + 16, np.int64), np.empty(rows.size + 16, np.int64)
    total = 0
    heard, composed = np.zeros(rows.size, np.bool_), np.zeros(rows.size, np.bool_)
    seen = np.full(n + draft_link_start.size - 1, -1, np.int64)
    wanted = np.zeros(seen.size, np.bool_)
    stack = np.empty(seen.size, np.int64)
    for number in range(rows.size):
        i = rows[number]
        stack[0] = n + i
        seen[n + i] = i
        wanted[n + i] = False
        size, count = 1, 0
        while size and count <= MOST_MET:
            size -= 1
            y = stack[size]
            starts, roles, targets = link_start, link_roles, link_targets
            place = y
            if y >= n:
                starts, roles, targets = draft_link_start, draft_link_roles, draft_link_targets
                place = y - n
            for k in range(starts[place], starts[place + 1]):
                z = targets[k]
                if seen[z] != i:
                    seen[z] = i
                    stack[size] = z
                    size += 1
                    s_start, s, at = subsumer_start, subsumers, z
                    if z >= n:
                        s_start, s, at = draft_subsumer_start, draft_subsumers, z - n
                    wanted[z] = _in(s_start, s, at, left[i]) and not (right[i] >= 0 and _in(s_start, s, at, right[i]))
                    if wanted[z]:
                        if total == met.size:
                            owners = np.concatenate((owners, owners))
                            met = np.concatenate((met, met))
                        owners[total], met[total] = number, z
                        total += 1
                        count += 1
                if wanted[z]:
                    heard[number] |= heard_by[roles[k]]
                    composed[number] |= composing[roles[k], role[i]]
    return owners[:total].copy(), met[:total].copy(), heard, composed
