"""What there is to say of finished boxes: which axioms are false, and how much is true that does not follow."""

from __future__ import annotations

import numpy as np

from elgeo.arrays import Table
from elgeo.models.boxes.halves import Halves
from elgeo.models.boxes.pool import AxiomPool
from elgeo.ontology.normal_forms import FORMS, NormalForms
from elgeo.ontology.vocabulary import Vocabulary


def false_axioms(halves: Halves, forms: NormalForms) -> list[tuple[str, Table]]:
    """The asserted axioms that are not true: form and row."""
    found = []
    for form in FORMS:
        rows = forms[form]
        found += [(form, row) for row in rows[~halves.holds(form, rows)]]
    return found


def axiom_text(names: Vocabulary, form: str, row: Table) -> str:
    """An axiom for people: `Heart ⊓ Lung ⊑ ⊥`."""
    shape = FORMS[form]
    labels = {
        column: (names.role_label if i in shape.role_columns else names.class_label)(int(row[i]))
        for i, column in enumerate(shape.columns)
    }
    return shape.logic.format(**labels)


def shares_by_part(pool: AxiomPool, names: Vocabulary) -> dict[str, float]:
    """The estimated share of each form and role that is true and does not follow."""
    return {
        _title(part.form, part.role, names): round(float(share), 6)
        for part, share in zip(pool.parts, pool.shares, strict=True)
    }


def summary(pool: AxiomPool) -> str:
    """One line for people while the work goes on."""
    by_form: dict[str, list[float]] = {}
    for part, share in zip(pool.parts, pool.shares, strict=True):
        by_form.setdefault(part.form, []).append(float(share))
    worst = ", ".join(f"{FORMS[form].meaning} {100 * np.max(shares):.2g} %" for form, shares in by_form.items())
    return f"true without following at most {worst}"


def _title(form: str, role: int, names: Vocabulary) -> str:
    code = FORMS[form].code
    return code if role < 0 else f"{code} {names.role_label(role)}"
