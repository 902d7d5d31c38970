"""`Listening`: which classes and roles the rules of an ontology look at, and which say nothing to anybody."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from elgeo.arrays import Flags, Starts
from elgeo.ontology.vocabulary import Kind
from elgeo.reasoning.saturation.saturate import Saturation


class Listening:
    """Facts about the rules of one saturated ontology, found when first asked for."""

    def __init__(self, saturation: Saturation) -> None:
        self.saturation = saturation
        self._n = saturation.forms.vocabulary.n_classes

    @cached_property
    def inert(self) -> Flags:
        """Roles from whose links nothing follows."""
        forms, below = self.saturation.forms, self.saturation.completion.roles.below
        if (forms.vocabulary.class_kinds == Kind.INDIVIDUAL).any():
            return np.zeros(forms.vocabulary.n_roles, np.bool_)
        used = np.zeros(forms.vocabulary.n_roles, np.bool_)
        used[forms["left_existential"][:, 0]] = True
        used[forms["empty_existential"][:, 0]] = True
        used[forms["chain"][:, :2].ravel()] = True
        return np.asarray(~below[:, used].any(axis=1))

    @cached_property
    def fillers(self) -> Flags:
        """The classes C of ∃R.C ⊑ D."""
        found = np.zeros(self._n, np.bool_)
        for form in ("left_existential", "empty_existential"):
            found[self.saturation.forms[form][:, 1]] = True
        return found

    @cached_property
    def unheard(self) -> Flags:
        """The classes that a link to says nothing: no filler is above them, and no link of theirs comes second."""
        s = self.saturation
        if self.has_instance.any() or len(s.completion.hidden.universal):
            return np.zeros(self._n, np.bool_)
        return ~(
            _any_of(self.fillers[s.subsumers], s.subsumer_start) | _any_of(self.second[s.link_roles], s.link_start)
        )

    @cached_property
    def joined(self) -> Flags:
        """The classes with one above them that is a part of C ⊓ D ⊑ E."""
        s, parts = self.saturation, np.zeros(self._n, np.bool_)
        for form in ("conjunction", "disjoint"):
            parts[s.forms[form][:, :2].ravel()] = True
        return _any_of(parts[s.subsumers], s.subsumer_start)

    @cached_property
    def ranged(self) -> Flags:
        """The roles with a range."""
        s = self.saturation
        return np.asarray(s.completion.roles.below[:, s.forms["range"][:, 0]].any(axis=1))

    @cached_property
    def second(self) -> Flags:
        """The roles that may come second in a chain."""
        below = self.saturation.completion.roles.below.astype(np.bool_)
        return np.asarray(below[:, self.saturation.forms["chain"][:, 1]].any(axis=1))

    @cached_property
    def composing(self) -> Flags:
        """For roles q, r: whether one who has a q-link to X may get a link when X gets an r-link."""
        forms, below = self.saturation.forms, self.saturation.completion.roles.below.astype(np.bool_)
        # what an r-link may become when it is composed with links of its target
        becomes = below.copy()
        for r, _, t in forms["chain"].tolist() * len(forms["chain"]):
            becomes |= becomes[:, r, None] & below[t]
        found = np.zeros_like(below)
        for q, r, _ in forms["chain"].tolist():
            found |= below[:, q, None] & becomes[:, r]
        return found

    @cached_property
    def has_instance(self) -> Flags:
        """The classes that something is in that exists in every model: what individuals are and lead to."""
        s = self.saturation
        found = np.zeros(self._n, np.bool_)
        waiting = np.flatnonzero(s.forms.vocabulary.class_kinds == Kind.INDIVIDUAL).tolist()
        seen = set(waiting)
        while waiting:
            y = waiting.pop()
            found[s.subsumers_of(y)] = True
            targets = set(s.link_targets[s.link_start[y] : s.link_start[y + 1]].tolist())
            waiting += targets - seen
            seen |= targets
        return found


def _any_of(flags: Flags, start: Starts) -> Flags:
    """Whether any flag in the part of each owner is set."""
    before = np.concatenate([np.zeros(1, np.int64), np.cumsum(flags)])
    return np.asarray(before[start[1:]] > before[start[:-1]])
