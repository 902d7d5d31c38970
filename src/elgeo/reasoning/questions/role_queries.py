"""Role inclusions and compositions that follow: asked of elements of which nothing but the links is known."""

from __future__ import annotations

import numpy as np

from elgeo.arrays import Flags, Table
from elgeo.reasoning.questions.drafts import Draft, Drafts
from elgeo.reasoning.saturation.saturate import Saturation


def chains_entailed(saturation: Saturation, table: Table) -> Flags:
    """R₁ ∘ … ∘ Rₖ ⊑ S for each row (r₁, …, rₖ, s), k = 1 for R ⊑ S.

    A fresh element with such a path to another has an S-link to it, or cannot exist.
    """
    drafts = Drafts(saturation)
    chains = {chain: path(drafts, chain) for chain in dict.fromkeys(map(tuple, table[:, :-1].tolist()))}
    found = np.zeros(len(table), np.bool_)
    for i, row in enumerate(table.tolist()):
        first, last = chains[tuple(row[:-1])]
        role = row[-1]
        # all that exists is related by a role that the universal role is below of
        universal = saturation.completion.roles.universal[role]
        found[i] = universal or drafts.unsatisfiable(first) or _linked(drafts, first, role, last)
    return found


def _linked(drafts: Drafts, first: int, role: int, last: int) -> bool:
    """Whether a link leads to the last element of a path, maybe under another name."""
    targets = drafts.targets(first, role)
    return any(drafts.below(y, drafts.single(last)) for y in targets) if drafts.is_wider else last in targets


def path(drafts: Drafts, chain: tuple[int, ...]) -> tuple[int, int]:
    """The first and the last of fresh elements linked one to the next by the roles of a chain."""
    last = first = drafts.add(Draft(single=True))
    for role in reversed(chain):
        first = drafts.add(Draft(links=((role, first),)))
    return first, last
