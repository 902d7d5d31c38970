"""Classes that an axiom would empty, beside a slow reasoner that gets the axiom added and starts again."""

from __future__ import annotations

import numpy as np
import pytest

from elgeo.errors import SettingError
from elgeo.ontology import normalise
from elgeo.ontology.vocabulary import BOTTOM
from elgeo.reasoning.closure import emptied
from elgeo.reasoning.closure.complete import CompleteClosure
from elgeo.reasoning.saturation.saturate import saturate
from tests.ontology.small import iri, small
from tests.reasoning.brute import Brute, make_forms, rows_of, vocabulary

N, ROLES = 9, 3


@pytest.mark.slow
@pytest.mark.parametrize("at_once", [1 << 20, 3])
def test_a_class_that_is_named_is_emptied_and_where_none_is_all_stay(
    at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Small hierarchies with disjoint classes, which link to nothing below the same head."""
    monkeypatch.setattr(emptied, "AT_ONCE", at_once)
    generator, looked_at = np.random.default_rng(0), np.zeros(3, np.int64)
    for _ in range(6):
        tables = {
            "subclass": [(c, int(generator.integers(2, c))) for c in range(4, N)],
            "disjoint": [(3, N - 1), (N - 2, int(generator.integers(3, N - 2)))],
            "existential": [(2, 1, N)],
            "left_existential": generator.integers((1, 2, 2), (ROLES, N + 1, N), (3, 3)).tolist(),
        }
        forms = make_forms(vocabulary(N - 1, 0, 0, ROLES), **tables)
        closure, before = CompleteClosure(saturate(forms)), Brute.of(forms)
        for form, shape in (("subclass", (N, N + 1)), ("existential", (N, ROLES, N + 1))):
            every = np.argwhere(np.ones(shape)).astype(np.int32)
            every = generator.permutation(every[every[:, 0] > BOTTOM])
            found_of = closure.emptied(form, every)
            sort = np.where(found_of < 0, 0, np.where(found_of == every[:, 0], 1, 2))
            for i in np.concatenate([np.flatnonzero(sort == k)[:8] for k in range(3)]).tolist():
                more, row = rows_of(forms), every[i].tolist()
                more[form].add(tuple(row))
                after = Brute(N + 1, ROLES, more)
                lost = {c for c in range(N + 1) if after.unsatisfiable(c) and not before.unsatisfiable(c)}
                assert (found_of[i] in lost) if sort[i] else not lost, (form, row, found_of[i])
                assert (sort[i] == 1) == (row[0] in lost)
                looked_at[sort[i]] += 1
    assert looked_at.min() > 10


def test_what_a_class_below_leads_to_counts_and_what_nobody_needs_does_not() -> None:
    # 2 is above 3; the fresh class 7 is below 2 and disjoint with 5
    words, rows = vocabulary(5, 0, 1, 2), {"subclass": [(3, 2), (7, 2)], "disjoint": [(5, 7)]}
    alone = CompleteClosure(saturate(make_forms(words, **rows)))
    assert alone.emptied("subclass", [[2, 5]]).tolist() == [-1]
    needed = CompleteClosure(saturate(make_forms(words, **rows, existential=[(4, 1, 7)])))
    assert needed.emptied("subclass", [[2, 5], [3, 5], [7, 5]]).tolist() == [7, -1, 7]
    with pytest.raises(SettingError, match="no single class on the left"):
        needed.emptied("conjunction", [[2, 3, 4]])


def test_limits_beyond_el_count_below_too() -> None:
    text = "SubClassOf(B A) SubClassOf(B ObjectAllValuesFrom(r C)) DisjointClasses(C D) SubClassOf(E D)"
    forms = normalise(small(text))
    names = forms.vocabulary
    a, b, e = (names.class_id(iri(name)) for name in "ABE")
    row = [[a, names.role_id(iri("r")), e]]
    closure = CompleteClosure(saturate(forms))
    assert not closure.contradicts("existential", row).any()
    assert closure.emptied("existential", row).tolist() == [b]
