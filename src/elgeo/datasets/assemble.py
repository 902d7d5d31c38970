"""A training ontology and pairs of names become a `Dataset`: the last step all ways of making one share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from elgeo.arrays import Table
from elgeo.datasets.model import Dataset, Kinds
from elgeo.datasets.named_pairs import NamedPairs, NamePair
from elgeo.errors import ElgeoError
from elgeo.keys import contained, distinct
from elgeo.ontology import normalise
from elgeo.ontology.model import Ontology
from elgeo.ontology.normal_forms import NormalForms
from elgeo.ontology.vocabulary import Kind, Vocabulary

OTHER, FRESH, OBSOLETE = "other", "fresh", "obsolete"


def assemble(
    name: str,
    ontology: Ontology,
    role: str | None,
    parts: Mapping[str, Iterable[NamePair]],
    kind_of: Callable[[str, bool], str],
    head_kind: str,
    tail_kind: str,
    symmetric: bool = False,
    record: Mapping[str, Any] | None = None,
    individuals: tuple[bool, bool] = (False, False),
) -> Dataset:
    """Normalise the training ontology and number the target axioms by it.

    `ontology` says everything that is trained on, the target's training axioms included, and declares every class
    that occurs only in held-out axioms. `parts` has `train`, `valid` and `test` as pairs of IRIs; `role` is the IRI
    of R for targets C ⊑ ∃R.D and None for C ⊑ D. `kind_of(iri, is_individual)` names the kind of a class.
    `individuals` says of heads and of tails whether a name that is both a class and an individual is the individual.
    """
    forms = normalise(ontology)
    names = list(forms.vocabulary.classes)
    # classes come before individuals: of two with one name the first is the class, the last the individual
    by_name = {individual: _number(names, last=individual) for individual in set(individuals)}
    heads, tails = (by_name[individual] for individual in individuals)
    role_id = None if role is None else _number(forms.vocabulary.roles, last=True)[role]
    rows = {part: _rows(pairs, role_id, heads, tails) for part, pairs in parts.items()}
    form = "subclass" if role is None else "existential"
    return Dataset(
        name=name,
        forms=_with_rows(forms, form, rows["train"]),
        target_form=form,
        target_role=role_id,
        train=rows["train"],
        valid=rows["valid"],
        test=rows["test"],
        kinds=kinds_by_name(forms.vocabulary, kind_of),
        head_kind=head_kind,
        tail_kind=tail_kind,
        symmetric=symmetric,
        record=dict(record or {}),
    )


def kinds_by_name(vocabulary: Vocabulary, kind_of: Callable[[str, bool], str]) -> Kinds:
    """Kinds of all classes; ⊤ and ⊥ are `other` and fresh classes `fresh`, whatever they are called."""
    names = {OTHER: 0, FRESH: 1}
    numbers = np.zeros(vocabulary.n_classes, np.int16)
    numbers[vocabulary.class_kinds == Kind.FRESH] = names[FRESH]
    for class_kind in (Kind.NAMED, Kind.INDIVIDUAL):
        for i in np.flatnonzero(vocabulary.class_kinds == class_kind).tolist():
            kind = kind_of(vocabulary.classes[i], class_kind == Kind.INDIVIDUAL)
            numbers[i] = names.setdefault(kind, len(names))
    return Kinds(tuple(names), numbers)


def _number(names: Sequence[str], last: bool) -> dict[str, int]:
    """The number of each name; the last or the first one where a name is there twice."""
    numbers = range(len(names))
    return (
        dict(zip(names, numbers, strict=True)) if last else dict(zip(reversed(names), reversed(numbers), strict=True))
    )


def _rows(pairs: Iterable[NamePair], role: int | None, heads: Mapping[str, int], tails: Mapping[str, int]) -> Table:
    """The pairs as rows of ids, sorted, each once."""
    named = NamedPairs.of(pairs)
    try:
        first, second = named.places_of(heads, 0), named.places_of(tails, -1)
    except KeyError as missing:
        raise ElgeoError(f"a target axiom speaks of {missing.args[0]!r}, which the ontology does not know") from None
    keys = distinct(first.astype(np.int64) << 31 | second)
    columns = [keys >> 31, keys & (2**31 - 1)]
    if role is not None:
        columns.insert(1, np.full(len(keys), role))
    return np.column_stack(columns).astype(np.int32)


def _with_rows(forms: NormalForms, form: str, rows: Table) -> NormalForms:
    """The forms with the target's training axioms in their own words too.

    They are there already unless the role has a range: then normalisation wrote ∃R.(D ⊓ range) for ∃R.D.
    """
    missing = rows[~contained(rows, forms[form])]
    if not len(missing):
        return forms
    tables = {**forms.tables, form: np.concatenate([forms[form], missing])}
    return replace(forms, tables=tables)
