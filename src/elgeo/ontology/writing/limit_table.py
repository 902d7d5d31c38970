"""The table of limits, among the tables of normal forms: a row for each class that a limit speaks of."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from elgeo.documents import shown
from elgeo.errors import ReadError
from elgeo.ontology.limits import ANY_ROLE, COLUMNS, LimitKind, Limits
from elgeo.ontology.normal_forms import NormalForms
from elgeo.ontology.vocabulary import Vocabulary
from elgeo.ontology.writing.table_formats import Coded, Columns

LIMITS = "limits"


def limit_columns(forms: NormalForms) -> Columns:
    """As they are written, with each limit in words."""
    rows = forms.limits.table
    columns = dict(zip(COLUMNS, rows.T, strict=True))
    kinds = [kind.name.lower() for kind in LimitKind]
    texts = [limit.text(forms.vocabulary) for limit in forms.limits]
    return {**columns, "kind": Coded(kinds, columns["kind"]), "text": Coded(texts, columns["limit"])}


def read_limits(table: Callable[..., Columns], words: Vocabulary, root: Path) -> Limits:
    """What was written, checked."""
    columns, path = table(LIMITS, **{name: Coded if name == "kind" else int for name in COLUMNS}), str(root / LIMITS)
    kinds = {kind.name.lower(): int(kind) for kind in LimitKind}
    if unknown := [word for word in columns["kind"].words if word not in kinds]:
        raise ReadError(f"kind: none is called {shown(unknown[0])}", path)
    columns["kind"] = np.array([kinds[word] for word in columns["kind"].words], np.int64)[columns["kind"].numbers]
    rows = np.stack([columns[name] for name in COLUMNS], axis=1)
    most = [len(rows), len(kinds), words.n_classes, words.n_roles, words.n_classes, 2**31]
    if len(rows) and ((rows < [0, 0, 0, ANY_ROLE, -1, -1]) | (rows >= most)).any():
        raise ReadError("has ids that no class or role has", path)
    of_one = [0, 1, 2, 3, 5]
    if len(np.unique(rows[:, of_one], axis=0)) != len(np.unique(rows[:, 0])):
        raise ReadError("limit: rows of one limit speak of different classes, roles or axioms", path)
    if (rows[rows[:, 1] != LimitKind.COVER, 3] == ANY_ROLE).any():
        raise ReadError("r: only a cover may be without a role", path)
    single = rows[rows[:, 1] == LimitKind.ONE]
    if (single[:, 4] < 0).any() or len(np.unique(single[:, 0])) != len(single):
        raise ReadError("d: at most one of exactly one class is meant", path)
    return Limits.from_table(rows.astype(np.int32))
