"""Axioms that cannot be added without making their left side unsatisfiable."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from elgeo.arrays import Flags, Ints, Longs, Places, Starts, Table
from elgeo.compilation import kernel
from elgeo.errors import SettingError
from elgeo.keys import lower_bound
from elgeo.ontology.normal_forms import FORMS, TAILED
from elgeo.ontology.vocabulary import BOTTOM, Kind
from elgeo.reasoning.closure.modules import Modules
from elgeo.reasoning.questions.drafts import DraftRows, ranges, saturate_drafts
from elgeo.reasoning.saturation.queries import saturate_queries
from elgeo.reasoning.saturation.saturate import Saturation, saturate

_BATCH = 1 << 16
_MOST_MET = 16


class Contradictions:
    """Decides for rows of the normal forms whether their addition makes a satisfiable left side unsatisfiable.

    An element of the left side that is told the right side too is saturated first: if it cannot exist, the axiom
    contradicts. If it can, and nothing it leads to is in the left side, there is a model of the axiom with that
    element in it, so it does not. Where it leads to others of the left side, these are told the right side too: if one
    of them cannot exist, the axiom contradicts; if nobody can hear of what they learn, it does not. What remains is
    decided by adding the axiom to the part that matters.
    """

    def __init__(self, saturation: Saturation) -> None:
        self.saturation = saturation
        self._n = saturation.forms.vocabulary.n_classes

    def rows(self, form: str, table: Table) -> Flags:
        """Whether each row contradicts."""
        if not FORMS[form].left_classes:
            raise SettingError(f"{form} axioms have no class on the left that could become unsatisfiable")
        if not FORMS[form].has_tail:
            return self._possible(form, table)
        distinct, index = np.unique(table, axis=0, return_inverse=True)
        found = [self._batch(form, distinct[i : i + _BATCH]) for i in range(0, len(distinct), _BATCH)]
        return np.concatenate([np.empty(0, np.bool_), *found])[index.reshape(-1)]

    def _batch(self, form: str, table: Table) -> Flags:
        possible = self._possible(form, table)
        if not self._anything_impossible and (table[:, -1] != BOTTOM).all():
            return np.zeros(len(table), np.bool_)
        contradicts = np.zeros(len(table), np.bool_)
        if form == "existential":
            # nothing follows from a link by an inert role but that its target exists
            inert = np.flatnonzero(possible & self._inert[table[:, 1]])
            contradicts[inert] = ~self._possible("left_existential", table[inert, 1:])
            possible[inert] = False
        some = np.flatnonzero(possible)
        contradicts[some] = self._told_both(form, table[some])
        return contradicts

    def _told_both(self, form: str, table: Table) -> Flags:
        """Of rows with a satisfiable left side."""
        drafts = self._drafts(form, table)
        contradicts = drafts.unsatisfiable[: len(table)]
        left = list(FORMS[form].left_classes)
        doubtful = ~contradicts & self._has_instance[table[:, left]].all(axis=1)
        rest = np.flatnonzero(~contradicts & ~doubtful)
        if len(left) == 2 or form == "left_existential":
            doubtful[rest] = self._leads_to_left(form, table, drafts, rest)
        else:
            contradicts[rest], doubtful[rest] = self._met_again(form, table, drafts, rest)
        for i in np.flatnonzero(doubtful).tolist():
            contradicts[i] = self._added(form, table[i].tolist())
        return contradicts

    def _possible(self, form: str, table: Table) -> Flags:
        """Whether the left side is satisfiable now."""
        if form in ("subclass", "existential", "empty"):
            return ~self.saturation.unsatisfiable[table[:, 0]]
        left, index = np.unique(table[:, :2], axis=0, return_inverse=True)
        number = np.arange(len(left), dtype=np.int32)
        if FORMS[form].unordered:
            both = np.concatenate([np.stack([number, left[:, j]], axis=1) for j in (0, 1)])
            rows = saturate_queries(self.saturation, len(left), subsumers=both)
        else:
            asked = np.concatenate([number[:, None], left], axis=1)
            rows = saturate_queries(self.saturation, len(left), existentials=asked)
        return np.asarray(~rows.unsatisfiable[index.reshape(-1)])

    def _drafts(self, form: str, table: Table) -> DraftRows:
        """Elements 0, 1, … of the left sides that are told the right sides too; fillers follow after them."""
        x = self._n + np.arange(len(table), dtype=np.int32)
        if form in ("subclass", "conjunction"):
            told = np.concatenate([np.stack([x, column], axis=1) for column in table.T])
            return saturate_drafts(self.saturation, len(table), told, np.empty((0, 3), np.int32))
        role, filler, known = (1, 2, 0) if form == "existential" else (0, 1, 2)
        pairs, index = np.unique(table[:, [role, filler]], axis=0, return_inverse=True)
        y = self._n + len(table) + np.arange(len(pairs), dtype=np.int32)
        in_range = [(int(y[j]), c) for j, r in enumerate(pairs[:, 0].tolist()) for c in ranges(self.saturation, r)]
        told = np.concatenate(
            [
                np.stack([x, table[:, known]], axis=1),
                np.stack([y, pairs[:, 1]], axis=1),
                np.array(in_range, np.int32).reshape(-1, 2),
            ]
        )
        links = np.stack([x, table[:, role], y[index.reshape(-1)]], axis=1)
        return saturate_drafts(self.saturation, len(table) + len(pairs), told, links)

    def _leads_to_left(self, form: str, table: Table, drafts: DraftRows, rows: Places) -> Flags:
        """Whether something that the element of each row leads to is in the left side too."""
        s = self.saturation
        found = _leads_to_left(
            form == "left_existential",
            table,
            rows,
            self._n,
            s.subsumer_start,
            s.subsumers,
            s.link_start,
            s.link_roles,
            s.link_targets,
            *drafts[:5],
        )
        if form == "left_existential":
            # a universal role leads to everything there is
            found |= s.completion.roles.universal[table[rows, 0]]
        return np.asarray(found)

    def _met_again(self, form: str, table: Table, drafts: DraftRows, rows: Places) -> tuple[Flags, Flags]:
        """Which of the rows contradict because of another element of the left side, and which cannot be told yet."""
        s, roles = self.saturation, table[:, 1] if form == "existential" else np.zeros(len(table), np.int32)
        last = np.full(len(table), -1, np.int32) if form == "existential" else np.ascontiguousarray(table[:, 1])
        met, heard, composed = _met_in_left(
            np.ascontiguousarray(table[:, 0]),
            last,
            np.ascontiguousarray(roles),
            rows,
            self._n,
            ~self._inert,
            self._composing,
            s.subsumer_start,
            s.subsumers,
            s.link_start,
            s.link_roles,
            s.link_targets,
            *drafts[:5],
        )
        # more than there is room for, or a filler in the range of its role: that is no class
        unclear = (met[:, -1] >= 0) | (met >= self._n).any(axis=1)
        if len(s.completion.hidden.universal):
            unclear |= met[:, 0] >= 0
        met[unclear] = -1
        i, place = np.nonzero(met >= 0)
        again = table[rows[i]]
        again[:, 0] = met[i, place]
        asked, index = np.unique(again, axis=0, return_inverse=True)
        found = self._drafts(form, asked)
        more = np.diff(found.subsumer_start)[: len(asked)] != np.diff(s.subsumer_start)[asked[:, 0]]
        impossible, learned = np.zeros(len(rows), np.bool_), np.zeros(len(rows), np.bool_)
        impossible[i[found.unsatisfiable[index.reshape(-1)]]] = True
        learned[i[more[index.reshape(-1)]]] = True
        return impossible, ~impossible & (unclear | np.where(learned, heard, composed))

    def _added(self, form: str, row: list[int]) -> bool:
        """The axiom added to the part of the ontology that matters, saturated from the start."""
        roles = FORMS[form].role_columns
        module = self._modules.of(c for j, c in enumerate(row) if j not in roles)
        own = [v if j in roles else module.id(v) for j, v in enumerate(row)]
        x = len(module.classes)
        rows: dict[str, list[tuple[int, ...]]] = {form: [tuple(own)], "subclass": []}
        if form == "conjunction":
            rows["subclass"] = [(x, own[0]), (x, own[1])]
        elif form == "existential":
            # the new link leads into the range of its role
            rows["subclass"] = [(x, own[2]), *((x, module.id(c)) for c in ranges(self.saturation, row[1]))]
            rows["existential"] = [(own[0], own[1], x)]
        elif form == "left_existential":
            rows["subclass"] = [(x + 1, own[1]), *((x + 1, module.id(c)) for c in ranges(self.saturation, row[0]))]
            rows["existential"] = [(x, own[0], x + 1)]
        else:
            rows["subclass"] = [(own[0], own[1])]
        after = saturate(module.with_rows(rows, new=2))
        return bool(after.unsatisfiable[x if form in ("conjunction", "left_existential") else own[0]])

    @cached_property
    def _modules(self) -> Modules:
        return Modules(self.saturation.forms)

    @cached_property
    def _anything_impossible(self) -> bool:
        forms = self.saturation.forms
        if any(len(forms[form.with_bottom]) for form in FORMS.values() if form.with_bottom):
            return True
        # an irreflexive role is ∃r.Self ⊑ ⊥
        return any((forms[form][:, -1] == BOTTOM).any() for form in (*TAILED, "left_self", "range"))

    @cached_property
    def _inert(self) -> Flags:
        """Roles from whose links nothing follows."""
        forms, below = self.saturation.forms, self.saturation.completion.roles.below
        if (forms.vocabulary.class_kinds == Kind.INDIVIDUAL).any():
            return np.zeros(forms.vocabulary.n_roles, np.bool_)
        used = np.zeros(forms.vocabulary.n_roles, np.bool_)
        used[forms["left_existential"][:, 0]] = True
        used[forms["empty_existential"][:, 0]] = True
        used[forms["chain"][:, :2].reshape(-1)] = True
        return np.asarray(~below[:, used].any(axis=1))

    @cached_property
    def _composing(self) -> Flags:
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
    def _has_instance(self) -> Flags:
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


@kernel
def _in(starts: Starts, values: Ints, x: int, value: int) -> bool:
    at = lower_bound(values, starts[x], starts[x + 1], value)
    return bool(at < starts[x + 1] and values[at] == value)


@kernel
def _leads_to_left(
    by_role: bool,
    table: Table,
    rows: Places,
    n: int,
    subsumer_start: Starts,
    subsumers: Ints,
    link_start: Starts,
    link_roles: Ints,
    link_targets: Ints,
    draft_subsumer_start: Starts,
    draft_subsumers: Ints,
    draft_link_start: Starts,
    draft_link_roles: Ints,
    draft_link_targets: Ints,
) -> Flags:
    """Whether draft i leads to another element that is in the left side of row i and not seen to be in the right.

    For C ⊓ D ⊑ E or, `by_role`, ∃R.C ⊑ D.
    """
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
def _met_in_left(
    left: Ints,
    right: Ints,
    role: Ints,
    rows: Places,
    n: int,
    heard_by: Flags,
    composing: Flags,
    subsumer_start: Starts,
    subsumers: Ints,
    link_start: Starts,
    link_roles: Ints,
    link_targets: Ints,
    draft_subsumer_start: Starts,
    draft_subsumers: Ints,
    draft_link_start: Starts,
    draft_link_roles: Ints,
    draft_link_targets: Ints,
) -> tuple[Longs, Flags, Flags]:
    """The first elements that draft i leads to and that are in `left[i]` and not in `right[i]` (-1: in no matter what).

    Also whether something leads to one of them by a role that rules listen to (`heard_by`), and by one that composes
    with `role[i]`.
    """
    met = np.full((rows.size, _MOST_MET), -1, np.int64)
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
        while size and count < _MOST_MET:
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
                    if wanted[z] and count < _MOST_MET:
                        met[number, count] = z
                        count += 1
                if wanted[z]:
                    heard[number] |= heard_by[roles[k]]
                    composed[number] |= composing[roles[k], role[i]]
    return met, heard, composed
