"""Query classes saturated against a finished state get the rows that a whole saturation would give them."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from elgeo.ontology.normal_forms import NormalForms
from elgeo.ontology.vocabulary import BOTTOM, Kind, Vocabulary
from elgeo.reasoning.saturation.memory import TOP_OF_ARENA
from elgeo.reasoning.saturation.queries import _fillers, saturate_queries
from elgeo.reasoning.saturation.saturate import saturate
from tests.models.boxes.small_forms import dataset_of
from tests.reasoning.brute import Brute, make_forms, random_forms, vocabulary


def with_classes(words: Vocabulary, count: int) -> Vocabulary:
    kinds = np.concatenate([words.class_kinds, np.full(count, Kind.FRESH, np.uint8)])
    return dataclasses.replace(words, classes=[*words.classes, *(f"<q{i}>" for i in range(count))], class_kinds=kinds)


@pytest.mark.slow
@given(random_forms(), st.data())
@settings(max_examples=150)
def test_queries_agree_with_brute_force(forms: NormalForms, data: st.DataObject) -> None:
    n, roles = forms.vocabulary.n_classes, forms.vocabulary.n_roles
    classes, some_roles = st.integers(0, n - 1), st.integers(1, roles - 1)
    queries = st.integers(0, 3)
    told = data.draw(st.lists(st.tuples(queries, classes), max_size=5))
    links = data.draw(st.lists(st.tuples(queries, some_roles, classes), max_size=4))
    saturation = saturate(forms)
    before = saturation.subsumers.copy()
    rows = saturate_queries(saturation, 4, told, links)

    ranged = dict.fromkeys((r, c) for _, r, c in links)
    numbers = {pair: n + 4 + i for i, pair in enumerate(ranged)}
    tables = {name: [tuple(row) for row in table] for name, table in forms.tables.items()}
    tables["subclass"] += [(n + i, c) for i, c in told] + [(y, c) for (_, c), y in numbers.items()]
    tables["existential"] += [(n + i, r, numbers[r, c]) for i, r, c in links]
    inclusions = role_inclusions(forms)
    tables["subclass"] += [(y, d) for (r, _), y in numbers.items() for s, d in forms["range"] if (r, s) in inclusions]
    brute = Brute.of(make_forms(with_classes(forms.vocabulary, 4 + len(numbers)), **tables))
    for i in range(4):
        assert rows.unsatisfiable[i] == brute.unsatisfiable(n + i)
        if not rows.unsatisfiable[i]:
            found = rows.subsumers[rows.subsumer_start[i] : rows.subsumer_start[i + 1]]
            assert found.tolist() == sorted(d for d in brute.subsumers[n + i] if d < n)
        own = rows.subsumers[rows.subsumer_start[i] : rows.subsumer_start[i + 1]]
        found_below = [bool(rows.unsatisfiable[i]) or d in own for d in range(n)]
        assert found_below == [brute.subsumed(n + i, d) for d in range(n)]

    again = saturate_queries(saturation, 4, told, links)
    assert (again.subsumers == rows.subsumers).all()
    assert (before == saturate(forms).subsumers).all()


def role_inclusions(forms: NormalForms) -> set[tuple[int, int]]:
    """r ⊑ s as seen by a class with a link of each role to a class of its own."""
    roles = range(forms.vocabulary.n_roles)
    found = set()
    for r in roles:
        probe = Brute.of(
            make_forms(
                vocabulary(2, 0, 0, len(roles)),
                existential=[(2, r, 3)],
                **{name: forms[name] for name in ("subrole", "chain", "reflexive")},
            )
        )
        found |= {(r, s) for x, s, y in probe.links if (x, y) == (2, 3)}
    return found


def test_a_batch_finds_room() -> None:
    words = vocabulary(200, 0, 0, 2)
    forms = make_forms(words, subclass=[(c, c + 1) for c in range(2, 201)], disjoint=[(150, 199)])
    saturation = saturate(forms)
    rows = saturate_queries(saturation, 20_000, [(i, 2 + i % 199) for i in range(20_000)])
    assert (np.diff(rows.subsumer_start)[:199] == np.diff(saturation.subsumer_start)[2:201]).all()
    assert rows.unsatisfiable.tolist() == [bool(saturation.unsatisfiable[2 + i % 199]) for i in range(20_000)]
    assert (rows.subsumers == BOTTOM).any()


@pytest.mark.parametrize("room", [0, 3, 40])
def test_queries_are_given_room_where_little_is_left(room: int) -> None:
    words = vocabulary(40, 0, 0, 2)
    forms = make_forms(words, subclass=[(c, c + 1) for c in range(2, 41)], existential=[(20, 1, 2)])
    told, links = [(i, 2 + 7 * i % 40) for i in range(30)], [(3, 1, 5)]
    expected = saturate_queries(saturate(forms), 30, told, links)
    saturation = saturate(forms)
    state = saturation.completion.state
    state.arena = state.arena[: state.meta[TOP_OF_ARENA] + room].copy()
    found = saturate_queries(saturation, 30, told, links)
    for mine, theirs in zip(vars(found).values(), vars(expected).values(), strict=True):
        assert np.array_equal(mine, theirs)
    assert found.subsumers[: found.subsumer_start[1]].tolist() == [0, *range(2, 42)]


def test_what_a_link_leads_to_is_in_the_ranges_of_all_roles_above() -> None:
    """∃r.A, ∃t.A and ∃s.C get contexts of their own, ∃u.B needs none; t is below s, which has two ranges."""
    dataset = dataset_of(range="r Met, s Old, s Met", subrole="t s", existential="A u B, B u C")
    saturation, names = saturate(dataset.forms), dataset.vocabulary
    r, s, t, u = (names.role_id(role) for role in "rstu")
    a, b, c, met, old = (names.class_id(name) for name in ("A", "B", "C", "Met", "Old"))
    links = np.array([[0, t, a], [1, r, a], [0, u, b], [2, r, a], [3, s, c]], np.int32)
    made, fillers, inner, items = _fillers(saturation, links)
    n = saturation.completion.n
    contexts = {(role, filler): int(row[2]) for row, (_, role, filler) in zip(made, links.tolist(), strict=True)}
    assert made[:, :2].tolist() == links[:, :2].tolist()
    assert contexts[u, b] == b
    assert sorted(contexts[pair] for pair in ((t, a), (r, a), (s, c))) == [n, n + 1, n + 2]
    assert [int(fillers[contexts[pair] - n]) for pair in ((t, a), (r, a), (s, c))] == [a, a, c]
    wanted = {((t, a), old), ((t, a), met), ((r, a), met), ((s, c), old), ((s, c), met)}
    assert set(zip(inner.tolist(), items.tolist(), strict=True)) == {(contexts[pair], item) for pair, item in wanted}
