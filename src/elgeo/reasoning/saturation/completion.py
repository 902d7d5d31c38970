"""`Completion`: normal forms in, S(X) of every class at the fixed point; further rows continue from there."""

from __future__ import annotations

import copy
from collections.abc import Mapping

import numpy as np

from elgeo.arrays import Flags, Ints, Table
from elgeo.ontology.normal_forms import FORMS, NormalForms, empty_tables
from elgeo.ontology.vocabulary import TOP_ROLE, Kind
from elgeo.reasoning.saturation import nominals
from elgeo.reasoning.saturation.index import Hidden, Rules, rules_of
from elgeo.reasoning.saturation.order import targets_first
from elgeo.reasoning.saturation.readout import LinkTables
from elgeo.reasoning.saturation.roles import RoleBox
from elgeo.reasoning.saturation.state import SaturationState
from elgeo.threads import WORTH_THREADS, threads

ROLE_FORMS = ("subrole", "chain", "reflexive", "self", "left_self", "range")
"""Forms whose rows change how other rows are indexed."""


class Completion:
    """The state of a saturation with the rules it was made by."""

    def __init__(self, forms: NormalForms) -> None:
        self.n, self.nominal = _sizes(forms)
        self.tables: dict[str, Table] = dict(forms.tables)
        self.roles = RoleBox.of(forms)
        self.hidden = Hidden.of(self.tables, self.roles, bool(self.nominal.any()))
        rows = sum(len(table) for table in self.tables.values())
        several = threads()
        shared = self.n >= WORTH_THREADS and several > 1 and not self.nominal.any()
        # the system gives memory when it is used, so that room for threads never to wait for more costs nothing
        self.state = SaturationState(self.n, room=(1024 if shared else 32) * self.n + 8 * rows)
        self.rules = self._rules_of(self.tables)
        order = targets_first(self.rules.told, self.state.link_rows, self.n)
        if shared:
            # only large ontologies need the module
            from elgeo.reasoning.saturation.levels import saturate_levels

            saturate_levels(self.state, self.rules, order, several)
        else:
            self.state.enqueue(order)
        self._finish()

    def run(self, frozen: int = 0) -> None:
        """Process what is on the worklist."""
        self.state.run(self.rules, frozen)

    @property
    def link_tables(self) -> LinkTables:
        """What the links of contexts stand for; good until the table of links grows."""
        in_kernel = self.roles.in_kernel
        lower, above = np.nonzero(in_kernel)
        start = np.searchsorted(lower, np.arange(len(in_kernel) + 1))
        reflexive = np.flatnonzero(self.roles.reflexive)
        return LinkTables(
            self.hidden.first_loop,
            self.state.link_rows,
            start,
            np.ascontiguousarray(above),
            reflexive[reflexive != TOP_ROLE],
        )

    def extended(
        self, forms: NormalForms, class_map: Ints, role_map: Ints, rows: Mapping[str, Table]
    ) -> Completion | None:
        """One of its own for `forms`, which are the old ones under new ids (the maps) and `rows`, no role axioms.

        None where the hidden items or the linear roles change: then one has to start again.
        """
        if len(self.state.unknown):
            from elgeo.reasoning.saturation.levels import make_known

            make_known(self.state, self.rules)
        completion = copy.copy(self)
        completion.n, completion.nominal = _sizes(forms)
        completion.roles = RoleBox.of(forms)
        completion.hidden = Hidden.of(forms.tables, completion.roles, bool(completion.nominal.any()))
        kernel_map = self.roles.renumbered(role_map, completion.roles)
        if kernel_map is None:
            return None
        identity = _is_identity(class_map) and _is_identity(kernel_map)
        if self.hidden.in_use or completion.hidden.looping.any():
            if not (identity and completion.hidden.same_as(self.hidden)):
                return None
        else:
            completion.tables = {name: mapped(name, table, class_map, role_map) for name, table in self.tables.items()}
        completion.state = self.state.copy()
        if not identity:
            completion.state.renumber(class_map, kernel_map, completion.n)
        completion.state.enqueue(np.setdiff1d(np.arange(completion.n), class_map).astype(np.int32))
        completion._replay(rows)
        completion._finish()
        return completion

    def _finish(self) -> None:
        self.run()
        while len(learned := nominals.consequences(self.state, self.n, self.hidden, self.nominal)):
            self._replay({"subclass": learned})
            self.run()

    def _replay(self, rows: Mapping[str, Table]) -> None:
        """Fire the rules of further rows for what is there already."""
        added = self._rules_of({**empty_tables(), **rows})
        self.tables = {
            name: np.concatenate([table, rows[name]]) if name in rows else table for name, table in self.tables.items()
        }
        self.rules = self._rules_of(self.tables)
        self.state.run(added, replay=True)

    def _rules_of(self, tables: Mapping[str, Table]) -> Rules:
        links = self.state.links(tables["existential"][:, 1:])
        return rules_of(tables, self.roles, self.hidden, links, self.nominal)


def _sizes(forms: NormalForms) -> tuple[int, Flags]:
    kinds = forms.vocabulary.class_kinds
    return len(kinds), np.ascontiguousarray(kinds == Kind.INDIVIDUAL)


def mapped(name: str, table: Table, class_map: Ints, role_map: Ints) -> Table:
    """A table under new ids."""
    form = FORMS[name]
    return np.stack(
        [(role_map if i in form.role_columns else class_map)[table[:, i]] for i in range(form.width)], axis=1
    )


def _is_identity(mapping: Ints) -> bool:
    return bool((mapping == np.arange(len(mapping))).all())
