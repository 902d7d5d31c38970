"""The part of normal forms that can matter for given classes, as a small ontology of its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from elgeo.arrays import Longs, Table
from elgeo.keys import distinct
from elgeo.ontology.normal_forms import FORMS, NormalForms
from elgeo.ontology.vocabulary import BOTTOM, TOP, Kind, Vocabulary
from elgeo.reasoning.closure.tail_rows import ranges

_FIRED_BY = {name: form.left_classes for name, form in FORMS.items() if form.left_classes}
"""The columns whose classes all have to be there for a row to say something; the rest are few rows, taken whole."""

_BRINGING = {name for name, form in FORMS.items() if form.has_tail}
"""The forms whose rows bring in the class of their last column."""


@dataclass(frozen=True, eq=False)
class Module:
    """Rows over few classes; class i of the module is `classes[i]` of the ontology, or new from there on."""

    classes: list[int]
    tables: Mapping[str, Table]
    forms: NormalForms

    def id(self, class_id: int) -> int:
        """The id in the module of a class of the ontology that was asked for."""
        return self._ids[class_id]

    @property
    def _ids(self) -> dict[int, int]:
        return {c: i for i, c in enumerate(self.classes)}

    def with_rows(self, rows: Mapping[str, list[tuple[int, ...]]], new: int) -> NormalForms:
        """The module with further rows, which may speak of `new` more classes."""
        kinds = self.forms.vocabulary.class_kinds[self.classes]
        words = self.forms.vocabulary
        size = len(self.classes) + new
        tables = {
            name: np.concatenate([table, np.array(rows.get(name, []), np.int32).reshape(-1, table.shape[1])])
            for name, table in self.tables.items()
        }
        vocabulary = Vocabulary(
            classes=range(size),  # type: ignore[arg-type]  # names play no part here
            class_kinds=np.append(kinds, np.full(new, Kind.FRESH)).astype(np.uint8),
            roles=words.roles,
            role_kinds=words.role_kinds,
        )
        return NormalForms(vocabulary, tables)


class Modules:
    """Extracts modules from the same normal forms again and again."""

    def __init__(self, forms: NormalForms) -> None:
        self.forms = forms
        self._rows: dict[tuple[str, int], tuple[Longs, Longs]] = {}
        for form, columns in _FIRED_BY.items():
            for column in columns:
                keys = forms[form][:, column]
                start = np.searchsorted(np.sort(keys), np.arange(forms.vocabulary.n_classes + 1))
                self._rows[form, column] = np.argsort(keys, kind="stable"), start
        always = np.zeros(forms.vocabulary.n_classes, np.bool_)
        always[[TOP, BOTTOM]] = True
        always[forms.vocabulary.class_kinds == Kind.INDIVIDUAL] = True
        for form in ("range", "left_self"):
            always[forms[form][:, 1]] = True
        self._always = always

    def of(self, seeds: Iterable[int]) -> Module:
        """All rows that can fire for elements that start with the given classes."""
        reached = self._always.copy()
        reached[list(seeds)] = True
        frontier = np.flatnonzero(reached)
        taken: dict[str, list[Longs]] = {form: [np.empty(0, np.int64)] for form in _FIRED_BY}
        while len(frontier):
            brought: list[Longs] = [frontier[:0]]
            for (form, _), (order, start) in self._rows.items():
                numbers = order[ranges(start[frontier], start[frontier + 1])]
                if not len(numbers):
                    continue
                table = self.forms[form][numbers]
                fires = reached[table[:, list(_FIRED_BY[form])]].all(axis=1)
                taken[form].append(numbers[fires])
                if form in _BRINGING:
                    brought.append(table[fires, -1].astype(np.int64))
            frontier = distinct(np.concatenate(brought))
            frontier = frontier[~reached[frontier]]
            reached[frontier] = True
        rows = {form: np.unique(np.concatenate(parts)) for form, parts in taken.items()}
        return self._module(np.flatnonzero(reached).tolist(), rows)

    def _module(self, classes: list[int], taken: Mapping[str, Longs]) -> Module:
        renumbered = np.zeros(self.forms.vocabulary.n_classes, np.int32)
        renumbered[classes] = np.arange(len(classes), dtype=np.int32)
        tables = {}
        for name, form in FORMS.items():
            table = self.forms[name]
            if name in _FIRED_BY:
                table = table[taken[name]]
            columns = [table[:, j] if j in form.role_columns else renumbered[table[:, j]] for j in range(form.width)]
            tables[name] = np.stack(columns, axis=1).astype(np.int32)
        return Module(classes, tables, self.forms)
