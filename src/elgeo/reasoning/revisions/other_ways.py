"""`OtherWays`: whether axioms of an ontology may follow from the others too, without working out why."""

from __future__ import annotations

import numpy as np

from elgeo.arrays import Bytes, Flags, Ints, Table
from elgeo.compilation import announce
from elgeo.ontology.normal_forms import NormalForms
from elgeo.reasoning.closure.tail_rows import starts_of
from elgeo.reasoning.revisions.context import AxiomsByOwner, Consequences, RowsByOwner, Working, derive_without
from elgeo.reasoning.saturation.saturate import Saturation


class OtherWays:
    """Derives a class anew without an axiom.

    Only what follows of the class itself is derived; all that follows of other classes is taken as given, and so is
    what rules about individuals, loops and the universal role may give. So no way is overlooked, but one may be seen
    that rests on the axiom after all.
    """

    def __init__(self, saturation: Saturation) -> None:
        s = self._saturation = saturation
        self._known = Consequences(s.subsumer_start, s.subsumers, s.link_start, s.link_roles, s.link_targets)
        self._axioms = _axioms(s)
        self._given = _given(s)
        announce(derive_without, "other ways")

    def may_follow(self, rows: Table, axioms: Ints) -> Flags:
        """Whether each A ⊑ D (row A, -1, D) or A ⊑ ∃R.D (row A, R, D) may follow without the axiom of this number."""
        s = self._saturation
        most, links = (int(np.diff(start).max(initial=0)) for start in (s.subsumer_start, s.link_start))
        reached, linked = (np.zeros(max(n, 1), np.uint8) for n in (most, links))
        classes, waiting, counts = (np.zeros(max(n, 1), np.int32) for n in (most, links, 2))
        work = Working(reached, linked, classes, waiting, counts)
        found = np.zeros(len(rows), np.bool_)
        asked = np.ascontiguousarray(rows, np.int32)
        derive_without(self._known, self._axioms, self._given, asked, axioms.astype(np.int32), work, found)
        # what is asked of such a class is answered by another one, and these roles hold of themselves
        elsewhere = np.isin(rows[:, 0], [x for x, given in s.given if x == given])
        special = s.reflexive | s.completion.roles.universal
        return np.asarray(found | elsewhere | (special[rows[:, 1]] & (rows[:, 1] >= 0)))


def _axioms(saturation: Saturation) -> AxiomsByOwner:
    forms, roles = saturation.forms, saturation.completion.roles
    n = len(saturation.unsatisfiable)
    pairs = forms["conjunction"]
    above = np.argwhere(roles.below).astype(np.int32)
    return AxiomsByOwner(
        _by_owner(n, forms["subclass"][:, [0, 1, 1]], _only_axiom(forms, "subclass")),
        _by_owner(n, np.concatenate([pairs, pairs[:, [1, 0, 2]]])),
        _by_owner(n, forms["existential"], _only_axiom(forms, "existential")),
        _by_owner(n, forms["left_existential"][:, [1, 0, 2]]),
        _by_owner(roles.n, above[:, [0, 1, 1]]),
        roles.left_signature,
        roles.right_signature,
        roles.right_signatures,
        RowsByOwner(roles.composed_start.astype(np.int64), *[roles.composed] * 3),
    )


def _by_owner(n: int, table: Table, axiom: Ints | None = None) -> RowsByOwner:
    """The last two columns by the first one."""
    order = np.argsort(table[:, 0], kind="stable")
    start = starts_of(np.bincount(table[:, 0], minlength=n))
    axiom = np.full(len(table), -1, np.int32) if axiom is None else axiom
    return RowsByOwner(start, table[order, 1].copy(), table[order, 2].copy(), axiom[order])


def _only_axiom(forms: NormalForms, form: str) -> Ints:
    """The axiom behind each row of a form; -1 where there is none, or another one too."""
    found = np.full(len(forms[form]), -1, np.int32)
    pairs = forms.origins.get(form, np.empty((0, 2), np.int32))
    alone = np.bincount(pairs[:, 0], minlength=len(found))[pairs[:, 0]] == 1
    found[pairs[alone, 0]] = pairs[alone, 1]
    return found


def _given(saturation: Saturation) -> Bytes:
    """The classes that rules about loops, individuals and the universal role may give."""
    forms, completion = saturation.forms, saturation.completion
    given = np.zeros(len(saturation.unsatisfiable), np.uint8)
    for form in ("range", "left_self"):
        given[forms[form][:, 1]] = 1
    left = forms["left_existential"]
    given[left[(saturation.reflexive | completion.roles.universal)[left[:, 0]], 2]] = 1
    owners = np.repeat(np.arange(len(given)), np.diff(saturation.subsumer_start))
    given[owners[completion.nominal[saturation.subsumers] & (saturation.subsumers != owners)]] = 1
    return given
