"""Where every axiom of an ontology went when it was normalised."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from elgeo.errors import SettingError
from elgeo.keys import distinct
from elgeo.ontology.expressions import Op
from elgeo.ontology.normal_forms import NormalForms


class Account(NamedTuple):
    """Axioms of one kind: `read` = `in_rows` + `always_true` + `unsupported`."""

    read: int
    in_rows: int
    """Said in full by rows of the tables."""
    always_true: int
    """Say nothing (C ⊑ ⊤, C ≡ C): no row is needed for them."""
    unsupported: int
    """EL++ cannot say them in full; the part it can say is in the tables."""


def account(forms: NormalForms) -> dict[str, Account]:
    """For each kind of axiom what became of the axioms of that kind; the normal forms must still have their source."""
    if forms.source is None:
        raise SettingError(
            "these normal forms came without their ontology: normalise it again to account for its axioms"
        )
    kinds = forms.source.op[forms.source.axiom_nodes]
    in_rows, unsupported = axioms_in_rows(forms), np.zeros(len(kinds), np.bool_)
    unsupported[[axiom for _, axiom in forms.unsupported]] = True
    found = {}
    for kind in distinct(kinds).tolist():
        of_kind = kinds == kind
        said, unsaid = int((of_kind & in_rows & ~unsupported).sum()), int((of_kind & unsupported).sum())
        read = int(of_kind.sum())
        found[Op(kind).name] = Account(read, said, read - said - unsaid, unsaid)
    return found


def axioms_in_rows(forms: NormalForms) -> NDArray[np.bool_]:
    """For each axiom of the source whether some row came from it."""
    if forms.source is None:
        raise SettingError("these normal forms came without their ontology: normalise it again")
    found = np.zeros(len(forms.source.axiom_nodes), np.bool_)
    for pairs in forms.origins.values():
        found[pairs[:, 1]] = True
    return found
