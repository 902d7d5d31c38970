"""Normal forms with further fresh classes and rows; what was there keeps its ids and row numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from elgeo.arrays import Table
from elgeo.ontology.name_lists import NameList
from elgeo.ontology.normal_forms import FORMS, NormalForms
from elgeo.ontology.vocabulary import Kind

NewRow = tuple[tuple[int, ...], tuple[int, ...]]
"""A row, and the axioms that give it, each by itself; none where it defines a fresh name."""


class MoreNames(NameList):
    """Names, and some more after them."""

    def __init__(self, names: Sequence[str], more: Sequence[str]) -> None:
        self._names, self._more = names, more

    def __len__(self) -> int:
        return len(self._names) + len(self._more)

    def name(self, index: int) -> str:
        return self._names[index] if index < len(self._names) else self._more[index - len(self._names)]


def extended(
    forms: NormalForms, names: Sequence[str], rows: Mapping[str, Sequence[NewRow]], kinds: Sequence[Kind] | None = None
) -> NormalForms:
    """The forms with a class more for each of `names` (fresh ones, unless `kinds` says otherwise) and more rows."""
    words = forms.vocabulary
    new_kinds = np.array([Kind.FRESH] * len(names) if kinds is None else list(kinds), np.uint8)
    tables, origins = dict(forms.tables), dict(forms.origins)
    for name, added in rows.items():
        first = len(tables[name])
        tables[name] = np.concatenate([tables[name], new_table(name, added)])
        pairs = [(first + i, axiom) for i, (_, axioms) in enumerate(added) for axiom in sorted(axioms)]
        known = origins.get(name, np.empty((0, 2), np.int32))
        origins[name] = np.concatenate([known, np.array(pairs, np.int32).reshape(-1, 2)])
    vocabulary = replace(
        words, classes=MoreNames(words.classes, list(names)), class_kinds=np.append(words.class_kinds, new_kinds)
    )
    return replace(forms, vocabulary=vocabulary, tables=tables, origins=origins)


def new_table(form: str, rows: Sequence[NewRow]) -> Table:
    """The rows alone."""
    return np.array([row for row, _ in rows], np.int32).reshape(-1, FORMS[form].width)
