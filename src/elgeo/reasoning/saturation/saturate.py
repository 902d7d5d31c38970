"""`Saturation`: every subsumer and every link of every class; `saturate` makes it of normal forms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from elgeo.arrays import Flags, Ints, Longs, Places, Table
from elgeo.ontology.normal_forms import NormalForms
from elgeo.ontology.vocabulary import BOTTOM, TOP
from elgeo.reasoning.saturation.completion import Completion
from elgeo.reasoning.saturation.readout import link_rows, subsumer_rows


@dataclass(frozen=True, eq=False)
class Saturation:
    """The least sets S(X) and links that the completion rules of EL++ allow.

    For class names C and D: C ⊑ D follows iff D ∈ S(C) or C is unsatisfiable; C ⊑ ∃r.D iff C is unsatisfiable or some
    link (C, r, E) has D ∈ S(E). Rows of unsatisfiable classes hold what the rules derived for them, ⊥ included.
    """

    forms: NormalForms
    completion: Completion
    """What can answer further queries and take further axioms."""
    subsumer_start: Longs
    subsumers: Ints
    """S(X), ascending, is `subsumers[subsumer_start[x]:subsumer_start[x + 1]]`; X itself and ⊤ are in it."""
    unsatisfiable: Flags
    given: Mapping[tuple[int, int], int] = field(default_factory=dict)
    """The class X ⊓ ∃U.G for pairs (X, G): what holds of X where G has an instance (`conditions.py`)."""
    unconditional: Saturation | None = None
    """The saturation before such classes had names, where there are any."""

    @property
    def consistent(self) -> bool:
        """Whether there is a model at all; without one every class is unsatisfiable."""
        return not self.unsatisfiable[TOP]

    @property
    def link_start(self) -> Longs:
        """The links of X are at `link_start[x]:link_start[x + 1]` of `link_roles` and `link_targets`."""
        return self._links[0]

    @property
    def link_roles(self) -> Ints:
        return self._links[1]

    @property
    def link_targets(self) -> Ints:
        """Links are closed under role inclusions and chains, and sorted by role, then target.

        A self-loop of X is a link to X too; the universal role occurs only where an axiom has it on the right.
        """
        return self._links[2]

    @cached_property
    def self_loops(self) -> Table:
        """Rows (X, r), sorted, with X ⊑ ∃r.Self for roles that are not reflexive for every class."""
        completion = self.completion
        starts, items = subsumer_rows(completion.state.arena, completion.state.head, 0, completion.n, 2**62)
        first = completion.hidden.first_loop
        rows = np.repeat(np.arange(completion.n), np.diff(starts))
        loops = (items >= first) & (items < first + completion.roles.n)
        table = np.stack([rows[loops], items[loops] - first], axis=1).astype(np.int32)
        return table[~completion.roles.reflexive[table[:, 1]]]

    @property
    def reflexive(self) -> Flags:
        """The roles with ⊤ ⊑ ∃r.Self, the universal role among them."""
        return self.completion.roles.reflexive

    @property
    def n_known(self) -> int:
        """How many classes the normal forms had before such classes got names: those come after them."""
        return len((self.unconditional or self).unsatisfiable)

    @property
    def may_have_conditions(self) -> bool:
        """Whether anything could hold only where some class has an instance."""
        completion = self.completion
        return self.consistent and bool(completion.nominal.any() or len(completion.hidden.universal))

    @cached_property
    def conditional(self) -> Flags:
        """Which classes lead to something that would tell others more if it had an instance."""
        # only ontologies that may have such classes need the module
        from elgeo.reasoning.saturation.conditions import conditional

        return conditional(self)

    def subsumers_of(self, class_id: int) -> Ints:
        """S(X), ascending."""
        return self.subsumers[self.subsumer_start[class_id] : self.subsumer_start[class_id + 1]]

    def subsumees_of(self, class_id: int) -> Ints:
        """The X with C ∈ S(X), ascending, C itself among them."""
        places = np.flatnonzero(self.subsumers == class_id)
        return (np.searchsorted(self.subsumer_start, places, side="right") - 1).astype(np.int32)

    @cached_property
    def _links(self) -> tuple[Longs, Ints, Ints]:
        completion, state = self.completion, self.completion.state
        return link_rows(state.arena, state.head, 0, completion.n, completion.link_tables)


def saturate(forms: NormalForms) -> Saturation:
    """Apply the completion rules to `forms` until nothing new follows.

    The forms of the result may have more fresh classes than `forms`, after all others.
    """
    return completed(read_out(forms, Completion(forms)))


def completed(saturation: Saturation, asked: Places | None = None) -> Saturation:
    """With what holds only where a named class, or one of the classes `asked`, has an instance."""
    if not saturation.may_have_conditions:
        return saturation
    from elgeo.reasoning.saturation.conditions import under_conditions

    return under_conditions(saturation, asked)


def read_out(forms: NormalForms, completion: Completion) -> Saturation:
    """The rows of a finished completion."""
    start, items = subsumer_rows(completion.state.arena, completion.state.head, 0, completion.n, completion.n)
    unsatisfiable = np.zeros(completion.n, np.bool_)
    # ⊥ is id 1: second in a row after ⊤
    second = np.minimum(start[:-1] + 1, len(items) - 1)
    unsatisfiable[:] = (items[second] == BOTTOM) & (np.diff(start) > 1)
    return Saturation(forms, completion, start, items, unsatisfiable)
