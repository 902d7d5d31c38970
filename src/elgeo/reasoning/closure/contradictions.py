"""Axioms that cannot be added without making their left side unsatisfiable."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from elgeo.arrays import Flags, Ints, Places, Starts, Table
from elgeo.errors import SettingError
from elgeo.keys import row_numbers
from elgeo.ontology.normal_forms import FORMS, TAILED
from elgeo.ontology.vocabulary import BOTTOM
from elgeo.reasoning.closure.limited import NO_LIMIT, Limited
from elgeo.reasoning.closure.listening import Listening
from elgeo.reasoning.closure.modules import Modules
from elgeo.reasoning.closure.reached_elements import MOST_MET, Elements, leads_to_left, met_in_left
from elgeo.reasoning.closure.tail_rows import ranges as ranges_of
from elgeo.reasoning.questions.drafts import DraftRows, ranges, saturate_drafts, tells_more
from elgeo.reasoning.saturation.queries import saturate_queries
from elgeo.reasoning.saturation.saturate import Saturation, completed, saturate

_BATCH = 1 << 16


class Contradictions:
    """Decides for rows of the normal forms whether their addition makes a satisfiable left side unsatisfiable.

    An element of the left side that is told the right side too is saturated first: if it cannot exist, the axiom
    contradicts. If it can, and nothing it leads to is in the left side, there is a model of the axiom with that
    element in it, so it does not. Where it leads to others of the left side, these are told the right side too: if one
    of them cannot exist, the axiom contradicts; if nobody can hear of what they learn, it does not. What remains is
    decided by adding the axiom to the part that matters.

    What EL++ cannot say but the ontology does (`Limited`) contradicts too, as far as that element alone breaks it.
    """

    def __init__(self, saturation: Saturation) -> None:
        self.saturation = saturation
        self._n = saturation.forms.vocabulary.n_classes
        self._listening = Listening(saturation)
        self.limited = Limited(saturation)

    def rows(self, form: str, table: Table) -> Flags:
        """Whether each row contradicts."""
        if not FORMS[form].left_classes:
            raise SettingError(f"{form} axioms have no class on the left that could become unsatisfiable")
        if not FORMS[form].has_tail:
            return self._possible(form, table)
        distinct, index = np.unique(table, axis=0, return_inverse=True)
        found = [self._batch(form, distinct[i : i + _BATCH]) for i in range(0, len(distinct), _BATCH)]
        contradicts = np.concatenate([np.empty(0, np.bool_), *found])
        contradicts |= self.broken(form, distinct) != NO_LIMIT
        return contradicts[index.ravel()]

    @property
    def anything_is_said(self) -> bool:
        """Whether any axiom says that something cannot be; where none does, only C ⊑ ⊥ contradicts."""
        return self._anything_impossible or len(self.limited.limits) > 0

    def broken(self, form: str, table: Table) -> Ints:
        """The limit that the left side of each row, satisfiable now, breaks with its right side; -1 for none."""
        found = np.full(len(table), NO_LIMIT, np.int32)
        if len(self.limited.limits) and form in ("subclass", "existential"):
            left = table[:, 0]
            rows = np.flatnonzero(~self.saturation.unsatisfiable[left] & (self.limited.of_classes[left] == NO_LIMIT))
            for some in (rows[i : i + _BATCH] for i in range(0, len(rows), _BATCH)):
                drafts = self._drafts(form, table[some])
                found[some] = self.limited.of_drafts(Elements(*drafts[:5]))[: len(some)]
        return found

    def _batch(self, form: str, table: Table) -> Flags:
        possible = self._possible(form, table)
        if not self._anything_impossible and (table[:, -1] != BOTTOM).all():
            return np.zeros(len(table), np.bool_)
        contradicts = np.zeros(len(table), np.bool_)
        if form == "existential":
            # nothing follows from a link by an inert role, or to what no rule looks at, but that its target exists
            alone = possible & (
                self._listening.inert[table[:, 1]]
                | (self._listening.unheard[table[:, 2]] & ~self._listening.ranged[table[:, 1]])
            )
            contradicts[alone] = ~self._possible("left_existential", table[alone, 1:])
            possible &= ~alone
        elif form == "subclass":
            # nor from being in a class that no rule looks at
            alone = possible & self._listening.unheard[table[:, 1]] & ~self._listening.joined[table[:, 1]]
            contradicts[alone] = self.saturation.unsatisfiable[table[alone, 1]]
            possible &= ~alone
        some = np.flatnonzero(possible)
        contradicts[some] = self._told_both(form, table[some])
        return contradicts

    def _told_both(self, form: str, table: Table) -> Flags:
        """Of rows with a satisfiable left side."""
        drafts = self._drafts(form, table)
        contradicts = drafts.unsatisfiable[: len(table)]
        left = list(FORMS[form].left_classes)
        doubtful = ~contradicts & self._listening.has_instance[table[:, left]].all(axis=1)
        rest = np.flatnonzero(~contradicts & ~doubtful)
        if len(left) == 2 or form == "left_existential":
            doubtful[rest] = self._leads_to_left(form, table, drafts, rest)
        else:
            contradicts[rest], doubtful[rest] = self._met_again(form, table, drafts, rest)
        if self.saturation.may_have_conditions:
            doubtful |= ~contradicts & self._tells_more(drafts)[: len(table)]
        for i in np.flatnonzero(doubtful).tolist():
            contradicts[i] = self._added(form, table[i].tolist())
        return contradicts

    def _tells_more(self, drafts: DraftRows) -> Flags:
        """Which elements would tell more of others if they existed, or link to one that would."""
        found = tells_more(self.saturation, drafts, np.zeros(len(drafts.subsumer_start) - 1, np.bool_))
        owners = np.repeat(np.arange(len(found)), np.diff(drafts.link_start))
        inner = drafts.link_targets >= self._n
        found[owners[inner][found[drafts.link_targets[inner] - self._n]]] = True
        return found

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
        return np.asarray(~rows.unsatisfiable[index.ravel()])

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
        links = np.stack([x, table[:, role], y[index.ravel()]], axis=1)
        return saturate_drafts(self.saturation, len(table) + len(pairs), told, links)

    def _leads_to_left(self, form: str, table: Table, drafts: DraftRows, rows: Places) -> Flags:
        """Whether something that the element of each row leads to is in the left side too."""
        found = leads_to_left(form == "left_existential", table, rows, self._classes, Elements(*drafts[:5]))
        if form == "left_existential":
            # a universal role leads to everything there is
            found |= self.saturation.completion.roles.universal[table[rows, 0]]
        return np.asarray(found)

    def _met_again(self, form: str, table: Table, drafts: DraftRows, rows: Places) -> tuple[Flags, Flags]:
        """Which of the rows contradict because of another element of the left side, and which cannot be told yet."""
        s, linking = self.saturation, form == "existential"
        right = np.full(len(table), -1, np.int32) if linking else np.ascontiguousarray(table[:, 1])
        roles = np.ascontiguousarray(table[:, 1]) if linking else np.zeros(len(table), np.int32)
        i, y, heard, composed = met_in_left(
            np.ascontiguousarray(table[:, 0]),
            right,
            roles,
            rows,
            ~self._listening.inert,
            self._listening.composing & linking,
            self._classes,
            Elements(*drafts[:5]),
        )
        unclear = np.zeros(len(rows), np.bool_)
        # too many; or a filler in the range of its role, which is no class; or everything hears of it
        unclear[i[(np.bincount(i, minlength=len(rows))[i] > MOST_MET) | (y >= self._n)]] = True
        unclear[i] |= len(s.completion.hidden.universal) > 0
        clear = ~unclear[i]
        i, again = i[clear], table[rows[i[clear]]]
        again[:, 0] = y[clear]
        asked, index = np.unique(again, axis=0, return_inverse=True)
        found = self._drafts(form, asked)
        learned, loud = self._learned(found, asked[:, 0])
        impossible, heeded = np.zeros(len(rows), np.bool_), np.zeros(len(rows), np.bool_)
        impossible[i[found.unsatisfiable[index.ravel()]]] = True
        heeded[i[loud[index.ravel()]]] = True
        silent = np.ones(len(rows), np.bool_)
        silent[i[learned[index.ravel()]]] = False
        return impossible, ~impossible & (unclear | (heeded & heard) | (silent & composed))

    def _learned(self, drafts: DraftRows, classes: Ints) -> tuple[Flags, Flags]:
        """Which drafts, each told a class and more, are in further classes; and of these, which rules may listen to.

        Rules listen to classes that are fillers on a left side, and to links that come second in a chain.
        """
        s, count = self.saturation, len(classes)
        all_of_them = np.arange(count, dtype=np.int32)
        learned, loud = np.zeros(count, np.bool_), np.zeros(count, np.bool_)
        owners, members = _rows_at(drafts.subsumer_start, all_of_them), drafts.subsumers
        old_owners, at = _rows_at(s.subsumer_start, classes), _places(s.subsumer_start, classes)
        further = ~np.isin(owners << 32 | members[: len(owners)], old_owners << 32 | s.subsumers[at])
        learned[owners[further]] = True
        loud[owners[further & self._listening.fillers[members[: len(owners)]]]] = True
        owners, roles, targets = (
            _rows_at(drafts.link_start, np.arange(count, dtype=np.int32)),
            drafts.link_roles,
            drafts.link_targets,
        )
        old_owners, at = _rows_at(s.link_start, classes), _places(s.link_start, classes)
        second = self._listening.second[roles[: len(owners)]]
        mine = np.stack([owners, roles[: len(owners)], targets[: len(owners)]], axis=1)[second]
        before, now = row_numbers(np.stack([old_owners, s.link_roles[at], s.link_targets[at]], axis=1), mine)
        loud[mine[~np.isin(now, before), 0]] = True
        return learned, learned & loud

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
        asked = x if form in ("conjunction", "left_existential") else own[0]
        after = completed(saturate(module.with_rows(rows, new=2)), np.array([asked]))
        return bool(after.unsatisfiable[asked])

    @cached_property
    def _classes(self) -> Elements:
        s = self.saturation
        return Elements(s.subsumer_start, s.subsumers, s.link_start, s.link_roles, s.link_targets)

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


def _places(start: Starts, owners: Ints) -> Places:
    """Where the parts of some owners are."""
    return ranges_of(start[owners], start[owners + 1])


def _rows_at(start: Starts, owners: Ints) -> Places:
    """For each of those places, whose part it is, by number in `owners`."""
    return np.repeat(np.arange(len(owners)), np.diff(start)[owners])
