"""The complete closure listed: which axioms of each form are written and counted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from elgeo.arrays import Flags, Ints, Starts, Table
from elgeo.ontology.normal_forms import FORMS
from elgeo.ontology.vocabulary import TOP_ROLE
from elgeo.reasoning.closure.tail_rows import rows_of_pairs, starts_of

if TYPE_CHECKING:
    from elgeo.reasoning.closure.complete import CompleteClosure

_CHUNK = 1 << 18


def listed(closure: CompleteClosure, form: str, allowed: Flags) -> Iterator[Table]:
    """The axioms of a form between allowed classes."""
    sound = allowed & ~closure.saturation.unsatisfiable[: closure.n_classes]
    if form == "subclass":
        yield from _subclass(closure, allowed, sound)
    elif form == "existential":
        yield from _existential(closure, allowed, sound)
    elif form == "empty":
        yield np.flatnonzero(allowed & ~sound).astype(np.int32)[:, None]
    elif form == "subrole":
        pairs = np.stack(np.nonzero(closure.saturation.completion.roles.below), axis=1).astype(np.int32)
        yield pairs[(pairs[:, 0] != pairs[:, 1]) & (pairs != TOP_ROLE).all(axis=1)]
    elif form == "chain":
        yield _chains(closure)
    else:
        yield from _asked(closure, form, allowed, sound)


def _subclass(closure: CompleteClosure, allowed: Flags, sound: Flags) -> Iterator[Table]:
    start, members = closure.subsumers[:2]
    for low in range(0, closure.n_classes, _CHUNK):
        high = min(low + _CHUNK, closure.n_classes)
        c = np.repeat(np.arange(low, high, dtype=np.int32), np.diff(start[low : high + 1]))
        d = members[start[low] : start[high]]
        keep = sound[c] & allowed[d] & (c != d)
        yield np.stack([c[keep], d[keep]], axis=1)


def _existential(closure: CompleteClosure, allowed: Flags, sound: Flags) -> Iterator[Table]:
    links, universal = closure.links, closure.saturation.completion.roles.universal
    of_known = links.entry_start[closure.n_classes]
    owners = np.repeat(
        np.arange(closure.n_classes, dtype=np.int32), np.diff(links.entry_start[: closure.n_classes + 1])
    )
    entries = np.flatnonzero(sound[owners] & ~universal[links.roles[:of_known]])
    for some in np.array_split(entries, 1 + len(entries) // _CHUNK):
        rows = rows_of_pairs(links, closure.subsumers, owners[some], links.roles[some])
        yield _with_tails(owners[some], links.roles[some], rows.start, rows.tails, allowed)
    # a role above the universal one reaches further than links do
    for role in np.flatnonzero(universal)[1:].tolist():
        heads = np.flatnonzero(sound).astype(np.int32)
        for part in np.array_split(heads, 1 + len(heads) // _CHUNK):
            roles = np.full(len(part), role, np.int32)
            start, tails, _ = closure.entailed_tails("existential", np.stack([part, roles], axis=1))
            yield _with_tails(part, roles, start, tails, allowed)


def _with_tails(heads: Ints, roles: Ints, start: Starts, tails: Ints, allowed: Flags) -> Table:
    """C ⊑ ∃R.D for the given C and R and their tails D, where those are allowed."""
    keep = allowed[tails]
    c, r = (np.repeat(ids, np.diff(start))[keep] for ids in (heads, roles))
    return np.stack([c, r, tails[keep]], axis=1)


def _asked(closure: CompleteClosure, form: str, allowed: Flags, sound: Flags) -> Iterator[Table]:
    """Asserted left sides that are satisfiable class by class, with what only both parts together entail."""
    general = FORMS[FORMS[form].general]
    left = np.concatenate([closure.forms[name][:, :2] for name in (general.name, general.with_bottom)])
    pair = general.unordered
    left = np.unique(np.sort(left, axis=1) if pair else left, axis=0)
    left = left[sound[left].all(axis=1) if pair else sound[left[:, 1]]]
    for some in np.array_split(left, 1 + len(left) // _CHUNK):
        found = closure.left(general.name, some)
        empty = found.rows.unsatisfiable[found.heads]
        if form == general.with_bottom:
            yield some[empty]
            continue
        sizes = np.where(empty, 0, np.diff(found.rows.start)[found.heads])
        place = np.repeat(found.rows.start[found.heads] - starts_of(sizes)[:-1], sizes) + np.arange(int(sizes.sum()))
        tails = found.rows.tails[place]
        table = np.concatenate([np.repeat(some, sizes, axis=0), tails[:, None]], axis=1)
        table = table[allowed[tails]]
        if pair:
            trivial = closure.contains("subclass", table[:, [0, 2]]) | closure.contains("subclass", table[:, [1, 2]])
            table = table[~trivial]
        yield table


def _chains(closure: CompleteClosure) -> Table:
    """Asserted compositions with smaller roles on the left and larger ones on the right."""
    below = closure.saturation.completion.roles.below.astype(np.bool_)
    roles = np.arange(closure.n_roles)
    found = [np.empty((0, 3), np.int64)]
    for r, s, t in closure.forms.chain.tolist():
        lower = np.meshgrid(roles[below[:, r]], roles[below[:, s]], roles[below[t]], indexing="ij")
        found.append(np.stack([part.ravel() for part in lower], axis=1))
    table: Table = np.unique(np.concatenate(found), axis=0).astype(np.int32)
    return np.asarray(table[(table != TOP_ROLE).all(axis=1)])
