"""Where nearly everything is entailed the few classes that are not are found; what makes classes neighbours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

import numpy as np
import pytest

from elgeo.datasets.model import Dataset, Kinds
from elgeo.negatives import corrupters
from elgeo.negatives.entailed import laid_out, pool_of
from elgeo.negatives.hard import shared_features
from elgeo.ontology.normal_forms import NormalForms, empty_tables
from elgeo.ontology.vocabulary import Kind, Vocabulary
from elgeo.reasoning import Reasoner

CROWD = range(3, 203)
TOP_OF_CROWD, LONE, FIRST_OTHER, OTHERS = 203, 204, 205, 7
ROLE = 1


def crowded(outside: Collection[int]) -> Dataset:
    """A crowd of which all but those `outside` are below one class, and have another.

    Kinds of other sizes come before and after that of the crowd.
    """
    n_classes = FIRST_OTHER + OTHERS
    names = ["owl:Thing", "owl:Nothing", *(f"http://x/c{i}" for i in range(2, n_classes))]
    vocabulary = Vocabulary(
        names,
        np.array([Kind.BUILT_IN] * 2 + [Kind.NAMED] * (n_classes - 2), np.uint8),
        ("owl:top", "has"),
        np.array([0, 1], np.uint8),
    )
    members = [x for x in (*CROWD, TOP_OF_CROWD, LONE) if x not in outside]
    tables = empty_tables()
    tables["subclass"] = np.array([(x, TOP_OF_CROWD) for x in members if x != TOP_OF_CROWD], np.int32)
    tables["existential"] = np.array([(x, ROLE, 2) for x in members], np.int32)
    of_class = np.zeros(n_classes, np.int16)
    of_class[2], of_class[3:FIRST_OTHER], of_class[FIRST_OTHER:] = 1, 2, 3
    train = tables["existential"]
    kinds = Kinds(("other", "thing", "person", "animal"), of_class)
    forms = NormalForms(vocabulary, tables)
    return Dataset("crowd", forms, "existential", ROLE, train, train[:0], train[:0], kinds, "person", "thing")


@pytest.mark.parametrize("form", ["subclass", "existential"])
def test_the_one_head_that_is_allowed_is_found(form: str) -> None:
    corrupter = corrupters(crowded({LONE}), "filtered", forms=[form], corrupt="head")[form]
    for seed in range(3):
        rows, _, dropped = corrupter.draw(np.arange(len(corrupter.table)), seed)
        assert dropped == 0
        assert set(rows[:, 0].tolist()) == {LONE}
    hopeless = corrupters(crowded(()), "filtered", forms=[form], corrupt="head")[form]
    rows, _, dropped = hopeless.draw(np.arange(4), 0)
    assert (len(rows), dropped) == (0, 4)


def test_the_last_resort_of_heads_chooses_all_that_are_allowed_alike() -> None:
    corrupter = corrupters(crowded({3, 4, LONE}), "filtered", forms=["subclass"], corrupt="head", per_positive=10)[
        "subclass"
    ]
    found = Counter(corrupter.draw(np.arange(len(corrupter.table)), 1).rows[:, 0].tolist())
    assert set(found) == {3, 4, LONE}
    expected = sum(found.values()) / 3
    assert sum((count - expected) ** 2 / expected for count in found.values()) < 15


def test_what_is_drawn_from_has_each_class_once_by_its_kind_but_for_top_and_bottom() -> None:
    kinds = Kinds(("none", "a", "empty", "b"), np.array([1, 3, 3, 0, 1, 3, 0, 1], np.int16))
    pool = pool_of(kinds)
    found = [pool.members[pool.start[k] : pool.start[k + 1]].tolist() for k in range(4)]
    assert found == [[3, 6], [4, 7], [], [2, 5]]
    assert len(pool.start) == 5
    assert pool.kind_of.tolist() == [1, 3, 3, 0, 1, 3, 0, 1]


@pytest.mark.parametrize("full", [False, True])
def test_rows_that_have_everything_are_marked_where_there_are_some(full: bool) -> None:
    start, members = np.array([0, 2, 2, 5], np.int64), np.array([4, 9, 2, 3, 7], np.int32)
    everything = np.array([False, full, False])
    found = laid_out(start, members, everything)
    assert found.everything.tolist() == ([False, True, False] if full else [])
    assert (found.start.tolist(), found.members.tolist()) == (start.tolist(), members.tolist())
    assert len(found.words) == 2


@pytest.mark.parametrize("everywhere", [False, True])
def test_neighbours_share_a_subsumer_below_the_top_or_a_link(everywhere: bool) -> None:
    """Few classes, many roles, the universal one among them, ids at both ends: each feature is of one thing alone.

    What everything is, ⊤ and ⊥ are too, and what is empty is below ⊥: that makes no neighbours of ⊤ and ⊥.
    """
    random = np.random.default_rng(5)
    n, roles = 9, 30
    vocabulary = Vocabulary(
        ["owl:Thing", "owl:Nothing", *(f"http://x/c{i}" for i in range(2, n))],
        np.array([Kind.BUILT_IN] * 2 + [Kind.NAMED] * (n - 2), np.uint8),
        ("owl:top", *(f"r{i}" for i in range(1, roles))),
        np.array([0] + [1] * (roles - 1), np.uint8),
    )
    tables = empty_tables()
    tables["subclass"] = np.array([(2, 4), (4, n - 1), (5, n - 1), (6, 4), (7, 6)], np.int32)
    links = {(int(random.integers(2, n)), int(r), int(random.choice([0, 2, 3, n - 1]))) for r in range(roles)}
    links |= {(2, 0, 3), (3, 0, 2), (5, 0, n - 2), (6, 1, 0), (7, roles - 1, n - 1), (8, roles - 1, n - 1)}
    if everywhere:
        tables["subclass"] = np.append(tables["subclass"], np.array([(0, 3)], np.int32), axis=0)
        tables["empty"] = np.array([(5,), (7,)], np.int32)
        links = {link for link in links if link[2] in (2, 3)} | {(0, 1, 3)}
    tables["existential"] = np.array(sorted(links), np.int32)
    saturation = Reasoner(NormalForms(vocabulary, tables)).saturation
    members: dict[object, set[int]] = {}
    for c in range(2, n):
        for d in saturation.subsumers_of(c).tolist():
            if d > 1:
                members.setdefault(d, set()).add(c)
        here = slice(saturation.link_start[c], saturation.link_start[c + 1])
        for link in zip(saturation.link_roles[here].tolist(), saturation.link_targets[here].tolist(), strict=True):
            members.setdefault(link, set()).add(c)
    near = shared_features(saturation)
    assert len(near.member_start) - 1 == len(members)
    assert len(near.start) == n + 1
    for c in range(n):
        expected = Counter(tuple(sorted(shared)) for shared in members.values() if c in shared)
        found = near.features[near.start[c] : near.start[c + 1]].tolist()
        assert len(set(found)) == len(found)
        shared = [near.members[near.member_start[k] : near.member_start[k + 1]].tolist() for k in found]
        assert Counter(tuple(sorted(each)) for each in shared) == expected
