"""A module says of its classes what the whole says, and has no row that cannot fire."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from elgeo.ontology.normal_forms import FORMS, NormalForms
from elgeo.ontology.vocabulary import BOTTOM, TOP
from elgeo.reasoning.closure.modules import Modules
from elgeo.reasoning.saturation.saturate import saturate
from tests.reasoning.brute import Brute, make_forms, random_forms, vocabulary


@pytest.mark.slow
@given(random_forms(), st.data())
@settings(max_examples=60)
def test_a_module_says_what_the_whole_says(forms: NormalForms, data: st.DataObject) -> None:
    whole = Brute.of(forms)
    seeds = data.draw(st.lists(st.integers(0, forms.vocabulary.n_classes - 1), max_size=2))
    module = Modules(forms).of(seeds)
    assert {TOP, BOTTOM, *seeds, *whole.individuals} <= set(module.classes)
    part = saturate(module.with_rows({}, new=0))
    assert part.consistent == (not whole.unsatisfiable(TOP))
    for c in module.classes:
        assert part.unsatisfiable[module.id(c)] == whole.unsatisfiable(c)
        if not whole.unsatisfiable(c):
            found = {module.classes[d] for d in part.subsumers_of(module.id(c)).tolist()}
            assert found == whole.subsumers[c]


def test_only_rows_that_can_fire_are_taken() -> None:
    forms = make_forms(
        vocabulary(12, 1, 0, 4),
        subclass=[(2, 3), (4, 5), (14, 13)],
        conjunction=[(3, 6, 7), (3, 8, 9)],
        existential=[(3, 1, 6), (9, 1, 10)],
        left_existential=[(2, 6, 8), (2, 10, 11)],
        disjoint=[(9, 6), (9, 11)],
        empty=[(10,), (8,)],
        empty_existential=[(3, 9), (3, 11)],
        self=[(9, 1), (11, 1)],
        subrole=[(1, 2)],
        range=[(3, 12)],
    )
    module = Modules(forms).of([2])
    # 2 ⊑ 3 ⊑ ∃1.6, ∃2.6 ⊑ 8, 3 ⊓ 8 ⊑ 9 and so on; 4 and 5 stay outside; 12 may be met in a range, 14 exists
    assert module.classes == [0, 1, 2, 3, 6, 7, 8, 9, 10, 11, 12, 13, 14]
    assert {name: len(table) for name, table in module.tables.items() if len(table) != len(forms[name])} == {
        "subclass": 2
    }
    small = Modules(forms).of([4])
    assert small.classes == [0, 1, 4, 5, 12, 13, 14]
    names = small.classes
    rows = {name: [[names[i] for i in row] for row in small.tables[name].tolist()] for name in ("subclass", "empty")}
    assert rows == {"subclass": [[4, 5], [14, 13]], "empty": []}
    taken = {name for name, table in small.tables.items() if len(table)}
    assert taken == {"subclass", "subrole", "range"}
    assert small.tables["range"].tolist() == [[3, small.id(12)]]
    assert all(small.tables[name].shape[1] == form.width for name, form in FORMS.items())


def test_a_conjunction_waits_for_both_of_its_classes() -> None:
    forms = make_forms(vocabulary(4, 0, 0, 1), conjunction=[(2, 3, 4)], subclass=[(4, 5)])
    assert Modules(forms).of([2]).classes == [0, 1, 2]
    assert Modules(forms).of([3]).classes == [0, 1, 3]
    assert Modules(forms).of([2, 3]).classes == [0, 1, 2, 3, 4, 5]


def test_further_rows_speak_of_new_classes() -> None:
    module = Modules(make_forms(vocabulary(4, 0, 0, 2), subclass=[(3, 5)])).of([3])
    x = len(module.classes)
    forms = module.with_rows({"existential": [(x, 1, x + 1)], "subclass": [(x + 1, module.id(3))]}, new=2)
    assert forms.vocabulary.n_classes == x + 2
    saturation = saturate(forms)
    assert saturation.subsumers_of(x + 1).tolist() == [0, module.id(3), module.id(5), x + 1]
    assert saturation.link_targets[saturation.link_start[x] : saturation.link_start[x + 1]].tolist() == [x + 1]
