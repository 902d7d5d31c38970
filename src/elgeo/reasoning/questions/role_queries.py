"""Role inclusions and compositions that follow: asked of elements of which nothing but the links is known."""

from __future__ import annotations

import numpy as np

from elgeo.arrays import Flags, Table
from elgeo.reasoning.questions.drafts import Contexts, Draft
from elgeo.reasoning.saturation.saturate import Saturation


def chains_entailed(saturation: Saturation, table: Table) -> Flags:
    """R₁ ∘ … ∘ Rₖ ⊑ S for each row (r₁, …, rₖ, s), k = 1 for R ⊑ S.

    A fresh element with such a path to another has an S-link to it, or cannot exist.
    """
    contexts = Contexts(saturation)
    chains = {tuple(chain): (0, 0) for chain in table[:, :-1].tolist()}
    for chain in chains:
        chains[chain] = path(contexts, chain)
    found = np.zeros(len(table), np.bool_)
    for i, row in enumerate(table.tolist()):
        first, last = chains[tuple(row[:-1])]
        role = row[-1]
        # all that exists is related by a role that the universal role is below of
        universal = saturation.engine.roles.universal[role]
        found[i] = universal or contexts.unsatisfiable(first) or last in contexts.targets(first, role)
    return found


def path(contexts: Contexts, chain: tuple[int, ...]) -> tuple[int, int]:
    """The first and the last of fresh elements linked one to the next by the roles of a chain."""
    last = first = contexts.fresh()
    for role in reversed(chain):
        first = contexts.add(Draft(links=((role, first),)))
    return first, last
