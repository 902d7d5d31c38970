"""`Engine`: normal forms in, contexts at their fixed point; further rows continue from there."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from elgeo.ontology.normal_forms import NormalForms, Table, empty_tables
from elgeo.ontology.vocabulary import Kind
from elgeo.reasoning import nominals
from elgeo.reasoning.index import Hidden, Index, build
from elgeo.reasoning.roles import Roles
from elgeo.reasoning.state import State

ROLE_FORMS = ("subrole", "chain", "reflexive", "self", "left_self", "range")
"""Forms whose rows change how other rows are indexed."""


class Engine:
    """The state of a saturation with the rules it was made by."""

    def __init__(self, forms: NormalForms) -> None:
        vocabulary = forms.vocabulary
        self.n = vocabulary.n_classes
        self.nominal: NDArray[np.bool_] = vocabulary.class_kinds == Kind.INDIVIDUAL
        self.tables: dict[str, Table] = dict(forms.tables)
        self.roles = Roles.of(forms)
        self.hidden = Hidden.of(self.tables, self.roles, bool(self.nominal.any()))
        rows = sum(len(table) for table in self.tables.values())
        self.state = State(self.n, room=8 * self.n + 2 * rows)
        self.index = self._indexed(self.tables)
        self.state.add_contexts(self.n, own_item=True)
        self._finish()

    def add(self, n: int, nominal: NDArray[np.bool_], rows: Mapping[str, Table]) -> bool:
        """Go on with further rows over n classes, the first of them as before; False where that is not possible.

        Role axioms change the rules for everything there is, and with them one has to start again.
        """
        hidden = Hidden.of({**self.tables, **_joined(self.tables, rows)}, self.roles, bool(nominal.any()))
        same = np.array_equal(hidden.universal, self.hidden.universal) and (hidden.looping == self.hidden.looping).all()
        if not same or any(len(rows.get(name, ())) for name in ROLE_FORMS):
            return False
        self.state.add_contexts(n - self.n, own_item=True)
        self.n, self.nominal = n, nominal
        self._replay(rows)
        self._finish()
        return True

    def run(self, frozen: int = 0) -> None:
        """Process what is on the worklist."""
        self.state.run(self.n, self.index, self.hidden, self.nominal, frozen)

    def _finish(self) -> None:
        self.run()
        while len(learned := nominals.consequences(self.state, self.n, self.hidden, self.nominal)):
            self._replay({"subclass": learned})
            self.run()

    def _replay(self, rows: Mapping[str, Table]) -> None:
        added = self._indexed({**empty_tables(), **rows})
        self.tables.update(_joined(self.tables, rows))
        self.index = self._indexed(self.tables)
        self.state.run(self.n, added, self.hidden, self.nominal, replay=True)

    def _indexed(self, tables: Mapping[str, Table]) -> Index:
        links = self.state.links(tables["existential"][:, 1:])
        return build(self.n, tables, self.roles, self.hidden, links)


def _joined(tables: Mapping[str, Table], rows: Mapping[str, Table]) -> dict[str, Table]:
    return {name: np.concatenate([tables[name], table]) for name, table in rows.items()}
