"""`Engine`: normal forms in, contexts at their fixed point; further rows continue from there."""

from __future__ import annotations

import copy
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from elgeo.ontology.normal_forms import FORMS, NormalForms, Table, empty_tables
from elgeo.ontology.vocabulary import Kind
from elgeo.reasoning.saturation import nominals
from elgeo.reasoning.saturation.index import Hidden, Index, build
from elgeo.reasoning.saturation.order import targets_first
from elgeo.reasoning.saturation.roles import Roles
from elgeo.reasoning.saturation.state import State

Ints = NDArray[np.int32]

ROLE_FORMS = ("subrole", "chain", "reflexive", "self", "left_self", "range")
"""Forms whose rows change how other rows are indexed."""


class Engine:
    """The state of a saturation with the rules it was made by."""

    def __init__(self, forms: NormalForms) -> None:
        self.n, self.nominal = _sizes(forms)
        self.tables: dict[str, Table] = dict(forms.tables)
        self.roles = Roles.of(forms)
        self.hidden = Hidden.of(self.tables, self.roles, bool(self.nominal.any()))
        rows = sum(len(table) for table in self.tables.values())
        self.state = State(self.n, room=32 * self.n + 8 * rows)
        self.index = self._indexed(self.tables)
        order = targets_first(self.index.told_start, self.index.told, self.state.link_rows, self.n)
        self.state.enqueue(order)
        self._finish()

    def run(self, frozen: int = 0) -> None:
        """Process what is on the worklist."""
        self.state.run(self.n, self.index, self.hidden, self.nominal, frozen)

    def extended(self, forms: NormalForms, class_map: Ints, role_map: Ints, rows: Mapping[str, Table]) -> Engine | None:
        """An engine of its own for `forms`, which are the old ones under new ids (the maps) and `rows`, no role axioms.

        None where the hidden items change: then one has to start again.
        """
        engine = copy.copy(self)
        engine.n, engine.nominal = _sizes(forms)
        engine.roles = Roles.of(forms)
        engine.hidden = Hidden.of(forms.tables, engine.roles, bool(engine.nominal.any()))
        identity = _is_identity(class_map) and _is_identity(role_map)
        if self.hidden.in_use or engine.hidden.looping.any():
            if not (identity and engine.hidden.same_as(self.hidden)):
                return None
        else:
            engine.tables = {name: mapped(name, table, class_map, role_map) for name, table in self.tables.items()}
        engine.state = self.state.copy()
        if not identity:
            engine.state.renumber(class_map, role_map, engine.n)
        engine.state.enqueue(np.setdiff1d(np.arange(engine.n), class_map).astype(np.int32))
        engine._replay(rows)
        engine._finish()
        return engine

    def _finish(self) -> None:
        self.run()
        while len(learned := nominals.consequences(self.state, self.n, self.hidden, self.nominal)):
            self._replay({"subclass": learned})
            self.run()

    def _replay(self, rows: Mapping[str, Table]) -> None:
        """Fire the rules of further rows for what is there already."""
        added = self._indexed({**empty_tables(), **rows})
        self.tables = {
            name: np.concatenate([table, rows[name]]) if name in rows else table for name, table in self.tables.items()
        }
        self.index = self._indexed(self.tables)
        self.state.run(self.n, added, self.hidden, self.nominal, replay=True)

    def _indexed(self, tables: Mapping[str, Table]) -> Index:
        links = self.state.links(tables["existential"][:, 1:])
        return build(self.n, tables, self.roles, self.hidden, links)


def _sizes(forms: NormalForms) -> tuple[int, NDArray[np.bool_]]:
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
