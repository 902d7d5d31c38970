"""Axioms added to a finished saturation: it goes on from where it was, with the result of starting again."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from elgeo.ontology.normal_forms import FORMS, NormalForms, Table
from elgeo.reasoning.engine import ROLE_FORMS, mapped
from elgeo.reasoning.saturation import Saturation, read_out, saturate

Ints = NDArray[np.int32]


def extend(saturation: Saturation, forms: NormalForms) -> Saturation:
    """The saturation of `forms`, which say all that `saturation.forms` say and more; ids are matched by name.

    Continues from the finished state where only axioms about classes and individuals were added. Where role axioms
    were, or where something is missing, all is done again. `saturation` itself does not change.
    """
    old = saturation.forms
    class_map = _matched(old.vocabulary.classes, forms.vocabulary.classes)
    role_map = _matched(old.vocabulary.roles, forms.vocabulary.roles)
    if class_map is None or role_map is None:
        return saturate(forms)
    rows: dict[str, Table] = {}
    for name in FORMS:
        added = _added(mapped(name, old[name], class_map, role_map), forms[name])
        if added is None or (len(added) and name in ROLE_FORMS):
            return saturate(forms)
        rows[name] = added
    engine = saturation.engine.extended(forms, class_map, role_map, rows)
    return saturate(forms) if engine is None else read_out(forms, engine)


def _matched(old: Sequence[str], new: Sequence[str]) -> Ints | None:
    """The new id of each old name; None where one is missing."""
    if len(old) <= len(new) and all(a == b for a, b in zip(old, new, strict=False)):
        return np.arange(len(old), dtype=np.int32)
    # a name may be there twice, as a class and as an individual: in this order in both
    ids: dict[tuple[str, int], int] = {}
    for i, key in enumerate(_numbered(new)):
        ids[key] = i
    found = [ids.get(key, -1) for key in _numbered(old)]
    return None if -1 in found else np.array(found, np.int32)


def _numbered(names: Sequence[str]) -> list[tuple[str, int]]:
    seen: dict[str, int] = {}
    keys = []
    for name in names:
        seen[name] = seen.get(name, -1) + 1
        keys.append((name, seen[name]))
    return keys


def _added(old: Table, new: Table) -> Table | None:
    """The rows of `new` that are not in `old`; None where one of `old` is not in `new`."""
    both = np.concatenate([old, new]).astype(np.int32)
    if not len(both):
        return both
    _, number = np.unique(both, axis=0, return_inverse=True)
    number = number.ravel()
    mine, theirs = number[: len(old)], number[len(old) :]
    if not np.isin(mine, theirs).all():
        return None
    return np.ascontiguousarray(new[~np.isin(theirs, mine)])
