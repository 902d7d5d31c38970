"""Axioms added to a finished saturation: it goes on from where it was, with the result of starting again."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from elgeo.arrays import Ints, Table
from elgeo.keys import row_numbers
from elgeo.ontology.normal_forms import FORMS, NormalForms
from elgeo.ontology.vocabulary import Kind, Vocabulary
from elgeo.reasoning.saturation.completion import ROLE_FORMS, mapped
from elgeo.reasoning.saturation.saturate import Saturation, completed, read_out, saturate


def extend(saturation: Saturation, forms: NormalForms) -> Saturation:
    """The saturation of `forms`, which say all that `saturation.forms` say and more; ids are matched by name.

    Continues from the finished state where only axioms about classes and individuals were added. Where role axioms
    were, or where something is missing, all is done again. `saturation` itself does not change.
    """
    saturation = saturation.unconditional or saturation
    old = saturation.forms
    role_map = _matched(list(old.vocabulary.roles), list(forms.vocabulary.roles))
    for class_map in _class_maps(old.vocabulary, forms.vocabulary) if role_map is not None else ():
        assert role_map is not None
        rows = _added_rows(old, forms, class_map, role_map)
        if rows is not None:
            completion = saturation.completion.extended(forms, class_map, role_map, rows)
            return saturate(forms) if completion is None else completed(read_out(forms, completion))
    return saturate(forms)


def _added_rows(old: NormalForms, new: NormalForms, class_map: Ints, role_map: Ints) -> dict[str, Table] | None:
    """What `new` has besides the rows of `old`; None where it does not have those, or has other role axioms."""
    found: dict[str, Table] = {}
    for name in sorted(FORMS, key=lambda name: len(old[name])):
        before, after = row_numbers(mapped(name, old[name], class_map, role_map), new[name])
        if not np.isin(before, after).all():
            return None
        found[name] = np.ascontiguousarray(new[name][~np.isin(after, before)])
        if len(found[name]) and name in ROLE_FORMS:
            return None
    return found


def _class_maps(old: Vocabulary, new: Vocabulary) -> Iterator[Ints]:
    """Ways to find the old classes among the new ones: real ones by name, fresh ones in their order or by name.

    Fresh classes mean what their rows say, so that any way under which all old rows are there is right.
    """
    real, new_real = (np.flatnonzero(v.class_kinds != Kind.FRESH) for v in (old, new))
    fresh, new_fresh = (np.flatnonzero(v.class_kinds == Kind.FRESH) for v in (old, new))
    by_name = _matched([old.classes[i] for i in real.tolist()], [new.classes[i] for i in new_real.tolist()])
    if by_name is None or len(fresh) > len(new_fresh):
        return
    found = np.empty(len(old.class_kinds), np.int32)
    found[real] = new_real[by_name]
    found[fresh] = new_fresh[: len(fresh)]
    yield found
    fresh_by_name = _matched([old.classes[i] for i in fresh.tolist()], [new.classes[i] for i in new_fresh.tolist()])
    if fresh_by_name is not None:
        found = found.copy()
        found[fresh] = new_fresh[fresh_by_name]
        yield found


def _matched(old: list[str], new: list[str]) -> Ints | None:
    """The new place of each old name; None where one is missing."""
    if new[: len(old)] == old:
        return np.arange(len(old), dtype=np.int32)
    # a name may be there twice, as a class and as an individual: in this order in both
    ids = {key: i for i, key in enumerate(_numbered(new))}
    found = [ids.get(key, -1) for key in _numbered(old)]
    return None if -1 in found else np.array(found, np.int32)


def _numbered(names: list[str]) -> list[tuple[str, int]]:
    seen: dict[str, int] = {}
    keys = []
    for name in names:
        seen[name] = seen.get(name, -1) + 1
        keys.append((name, seen[name]))
    return keys
