"""What atlas says of a share: whose axiom, by which likeness, often or seldom."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest
from scipy import sparse

from elgeo.messages import counted
from elgeo.models.atlas.build import build
from elgeo.models.atlas.contexts.logic import Block
from elgeo.models.atlas.evidence import ENTAILED, GROUPED, ITSELF, like
from elgeo.models.atlas.explain import _NUMBER, Explainer
from elgeo.models.atlas.operators.dense import Dense
from elgeo.models.atlas.operators.target import Places, Real
from elgeo.models.atlas.settings import AtlasSettings
from elgeo.models.atlas.shares import Manner, Share
from elgeo.models.atlas.weighing.weights import Weighing
from tests.models.atlas.plain_atlas import small_dataset


@pytest.fixture(scope="module")
def explainer() -> Explainer:
    dataset = small_dataset(np.random.default_rng(2), "same")
    parts = build(dataset, AtlasSettings(contexts="name"), lambda message: None)
    return Explainer(dataset, parts, Weighing({}, {}))


def said(explainer: Explainer, head_operator: str, tail_operator: str, value: float = 1.0, turned: bool = False) -> str:
    """Of the axiom 5 → 9, about the pair 6 → 8."""
    return explainer._words(6, 8, [Share(5, 9, Manner(head_operator, tail_operator, turned), value)])


def test_whose_axiom_it_is_and_why_it_counts(explainer: Explainer) -> None:
    label = explainer._dataset.vocabulary.class_label
    told = f"{label(5)} {explainer._dataset.vocabulary.role_label(1)} {label(9)}"
    five, six, eight, nine = (label(c) for c in (5, 6, 8, 9))
    assert said(explainer, "itself", "same") == f"{told} (of {six} itself)"
    assert said(explainer, "peers", "same") == f"{told} ({five} has axioms like those of {six})"
    assert said(explainer, "walk part of", "same") == f"{told} (part of joins {five} and {six})"
    assert said(explainer, "itself", "same", turned=True) == f"{told} (of {eight} itself)"
    assert said(explainer, "itself", "others") == f"{told} (of {six} itself, who has {nine} often has {eight})"
    assert said(explainer, "itself", "others", -1.0) == f"{told} (of {six} itself, who has {nine} seldom has {eight})"
    assert said(explainer, "itself", "above") == f"{told} (of {six} itself, {eight} is directly above {nine})"
    assert said(explainer, "walk ⊑", "below") == f"{told} (⊑ joins {five} and {six}, {eight} is directly below {nine})"
    assert f"{nine} is like {eight}" in said(explainer, "itself", "alike")
    assert f"{five} is like {six}" in said(explainer, "alike", "same")


@dataclass
class Together:
    """Groups of which is known who is with whom, by place."""

    pairs: dict[frozenset[int], float]

    def together(self, one: int, other: int) -> float:
        return self.pairs.get(frozenset((one, other)), 0.0)

    def rows(self, places: Places) -> Dense:
        raise AssertionError("only words are asked for")

    def columns(self, places: Places) -> Dense:
        raise AssertionError("only words are asked for")

    def shares(self, head: int, tail: int) -> tuple[Real, float]:
        raise AssertionError("only words are asked for")


@pytest.mark.parametrize(
    ("together", "asked", "expected"),
    [
        ({(5, 6): 0.9, (9, 8): 0.3}, (6, 8), "{5} is grouped with {6}, {9} is at times grouped with {8}"),
        ({(5, 6): 0.9, (9, 8): 0.3}, (8, 6), "{5} is grouped with {6}, {9} is at times grouped with {8}"),
        ({(5, 6): 0.9, (9, 8): 0.1}, (6, 8), "{5} is grouped with {6}"),
        ({(9, 8): 0.51}, (5, 8), "of {5} itself, {9} is grouped with {8}"),
        ({}, (5, 9), "of {5} itself"),
        ({}, (9, 5), "of {9} itself"),
        ({(5, 9): 0.6}, (6, 8), "usual within groups"),
        ({(5, 9): 0.5}, (6, 8), "usual between groups"),
    ],
)
def test_only_who_is_in_one_group_is_said_to_be(
    explainer: Explainer, together: dict[tuple[int, int], float], asked: tuple[int, int], expected: str
) -> None:
    """Of the axiom 5 → 9."""
    place, label = explainer._parts.evidence.target.tail_place, explainer._dataset.vocabulary.class_label
    groups = Together({frozenset((int(place[a]), int(place[b]))): value for (a, b), value in together.items()})
    parts = replace(explainer._parts, evidence=replace(explainer._parts.evidence, groups={GROUPED: groups}))
    words = Explainer(explainer._dataset, parts, Weighing({}, {}))._words(
        *asked, [Share(5, 9, Manner(GROUPED, GROUPED, False), 1.0)]
    )
    told = f"{label(5)} {explainer._dataset.vocabulary.role_label(1)} {label(9)}"
    assert words == f"{told} ({expected.format(*map(label, range(10)))})"


def test_what_two_classes_share_is_said_if_they_share_something(explainer: Explainer) -> None:
    pairs = [(a, b) for a in range(4, 16) for b in range(a + 1, 16)]
    sharing = {bool(explainer.shared(a, b)) for a, b in pairs}
    assert sharing == {True, False}
    for a, b in pairs:
        shared = explainer.shared(a, b)
        assert explainer._alike(a, b).endswith(": " + "; ".join(shared)) == bool(shared)


def test_of_several_blocks_the_rarest_come_first_and_equals_by_their_words(explainer: Explainer) -> None:
    n = explainer._parts.logic.n

    def block(name: str, having: dict[str, set[int]]) -> Block:
        rows = np.array([[float(c in some) for some in having.values()] for c in range(n)], np.float32)
        return Block(name, sparse.csr_array(rows), list(having).__getitem__)

    blocks = [
        block("up", {"“often”": {1, 2, 3, 5, 6, 9}, "“c”": {1, 5, 6}, "“of one”": {5}}),
        block("chars", {"“piece”": {5, 6}}),
        block("name", {"“z”": {5, 6}, "“123”": {5, 6}, "“d”": {2, 5, 6}, "“z” ": {3, 5, 6, 8}}),
        block("direct", {"“a”": {5, 6, 9, 4}, "“b”": {3, 5, 6}, "“d”": {7, 5, 6}}),
    ]
    made = Explainer(
        explainer._dataset, replace(explainer._parts, blocks={each.name: each for each in blocks}), Weighing({}, {})
    )
    assert made.shared(5, 6) == made.shared(6, 5) == ["“z”", "“b”"]  # of “b”, “c” and “d”
    assert made.shared(5, 6, ("up", "direct")) == ["“b”", "“c”"]
    assert made.shared(5, 6, ("up", "chars")) == ["“c”", "“often”"]
    assert made.shared(5, 9) == ["“a”", "“often”"]
    assert made.shared(5, 7) == ["“d”"]
    assert made.shared(7, 8) == []


def test_what_no_axiom_brings_has_words_of_its_own(explainer: Explainer) -> None:
    label, target = explainer._dataset.vocabulary.class_label, explainer._parts.evidence.target
    count = int(target.told[target.tail_place[8]])
    assert explainer._remainder(ITSELF, 8) == "no training axiom joins a class with itself"
    assert explainer._remainder(ENTAILED, 8) == "follows already, or never can"
    assert explainer._remainder(like("name"), 8) == f"head and tail are {like('name')}"
    assert explainer._remainder("joined by r3", 8) == "head and tail are joined by r3"
    assert explainer._remainder("popular", 8) == f"{label(8)} is the tail of {counted(count, 'axiom')} (popular)"


def test_numbers_and_ids_are_not_quoted_as_words() -> None:
    for text in ("“12”", "“pmid123”", "related “2019”", "“0005634”"):
        assert _NUMBER.fullmatch(text)
    for text in ("“nucleus”", "“p53”", "part of some cell 1234", "“h2o”"):
        assert not _NUMBER.fullmatch(text)


def test_numbers_that_are_shared_stay_untold(explainer: Explainer) -> None:
    pairs = [(a, b) for a in range(4, 16) for b in range(a + 1, 16) if explainer.shared(a, b)]
    blocks = {name: replace(block, describe=lambda feature: "“123”") for name, block in explainer._parts.blocks.items()}
    numbered = Explainer(explainer._dataset, replace(explainer._parts, blocks=blocks), Weighing({}, {}))
    assert pairs
    assert not any(numbered.shared(a, b) for a, b in pairs)
