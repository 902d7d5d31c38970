"""Role inclusions and compositions that follow: asked of elements of which nothing but the links is known."""

from __future__ import annotations

import numpy as np

from elgeo.ontology.normal_forms import Table
from elgeo.ontology.vocabulary import TOP_ROLE
from elgeo.reasoning.closure.rows import Flags
from elgeo.reasoning.questions.drafts import Contexts, Draft
from elgeo.reasoning.saturation.saturate import Saturation


def subroles_entailed(saturation: Saturation, table: Table) -> Flags:
    """R ⊑ S for each row (r, s): a fresh X with an R-link to a fresh Y has an S-link to it, or cannot exist."""
    return chains_entailed(saturation, table)


def chains_entailed(saturation: Saturation, table: Table) -> Flags:
    """R₁ ∘ … ∘ Rₖ ⊑ S for each row (r₁, …, rₖ, s)."""
    contexts = Contexts(saturation)
    chains = {tuple(chain): (0, 0) for chain in table[:, :-1].tolist()}
    for chain in chains:
        chains[chain] = path(contexts, chain)
    found = np.zeros(len(table), np.bool_)
    for i, row in enumerate(table.tolist()):
        first, last = chains[tuple(row[:-1])]
        role = row[-1]
        found[i] = role == TOP_ROLE or contexts.unsatisfiable(first) or last in contexts.targets(first, role)
        # all that exists is related by a role that the universal role is below of
        found[i] |= saturation.engine.roles.universal[role]
    return found


def path(contexts: Contexts, chain: tuple[int, ...]) -> tuple[int, int]:
    """The first and the last of fresh elements linked one to the next by the roles of a chain."""
    last = first = contexts.fresh()
    for role in reversed(chain):
        first = contexts.add(Draft(links=((role, first),)))
    return first, last
