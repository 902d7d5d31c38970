"""Vectors of the user's own place a term whose words nobody knows; from the file, or from a function for its texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from elgeo.errors import ReadError, SettingError
from elgeo.models.placement import vectors
from elgeo.models.placement.evidence import NameEvidence
from elgeo.models.placement.knowledge import Knowledge
from elgeo.models.placement.model import Placement
from elgeo.models.placement.terms import Term
from elgeo.models.placement.vectors import Encoder, VectorBlock, encodes_texts
from tests.models.placement import small_names

ABOVE = "heart chamber"
Vectors = dict[str, list[float]]


@pytest.fixture(autouse=True)
def no_encoder() -> Iterator[None]:
    yield
    vectors._encoders.clear()


@pytest.fixture(scope="module")
def knowledge(tmp_path_factory: pytest.TempPathFactory) -> Knowledge:
    return Knowledge.of(small_names.dataset(tmp_path_factory.mktemp("names")))


def drawn(knowledge: Knowledge) -> Vectors:
    """Each class near its parents."""
    generator = np.random.default_rng(0)
    made: dict[int, np.ndarray] = {}
    while len(made) < len(knowledge.ids):
        for c in range(len(knowledge.ids)):
            above = knowledge.parents.get(c, [])
            if c not in made and all(p in made for p in above):
                start = np.mean([made[p] for p in above], axis=0) if above else np.zeros(12)
                made[c] = start + (0.5 if above else 1.0) * generator.standard_normal(12)
    return {knowledge.terms[c].label: vector.tolist() for c, vector in made.items()}


def written(path: Path, given: Vectors) -> Path:
    path.write_text("".join(f"{name}\t{' '.join(map(str, row))}\n" for name, row in given.items()))
    return path


def rank(placement: Placement, term: Term) -> int:
    order = np.argsort(-placement.scores(placement.look([term]), None)[0])
    return [placement.knowledge.terms[c].label for c in order.tolist()].index(ABOVE)


@pytest.mark.slow
def test_a_term_without_a_known_word(knowledge: Knowledge, tmp_path: Path) -> None:
    given = drawn(knowledge)
    near = (np.array(given[ABOVE]) + 0.1).tolist()
    file = written(tmp_path / "v.tsv", given | {"Zxqv": near})
    placement = Placement.fit(knowledge.dataset, np.random.default_rng(0), vectors=file)
    assert rank(placement, Term("zxqv")) < 3
    assert rank(placement, Term("wvut", ("zxqv",))) < 3
    assert rank(placement, Term("wvut")) > 3

    @encodes_texts
    def encode(texts: Sequence[str]) -> np.ndarray:
        assert texts == ["wvut. Whatever."]
        return np.array([near])

    assert rank(placement, Term("wvut", (), "Whatever.")) < 3
    again = Placement.restore(knowledge.dataset, placement.arrays(), file)
    assert rank(again, Term("zxqv")) == rank(placement, Term("zxqv"))
    with pytest.raises(SettingError, match="do not fit"):
        Placement.restore(knowledge.dataset, placement.arrays())


def test_a_block_by_plain_sums(knowledge: Knowledge, tmp_path: Path) -> None:
    given = {name: row for i, (name, row) in enumerate(drawn(knowledge).items()) if i % 3}
    block = VectorBlock(
        written(tmp_path / "v.tsv", given | {"new": [1.0] * 12}), knowledge.dataset.vocabulary, knowledge.ids
    )
    mean = np.mean(list(given.values()), axis=0)
    kept = np.arange(len(knowledge.ids)) % 2 == 0
    found = (block.of([Term("new")]) @ block.only(kept).rows.T).toarray()[0]
    asked = (1.0 - mean) / np.linalg.norm(1.0 - mean)
    for at, c in enumerate(np.flatnonzero(kept).tolist()):
        row = given.get(knowledge.terms[c].label)
        wanted = 0.0 if row is None else asked @ (row - mean) / np.linalg.norm(row - mean)
        assert found[at] == pytest.approx(wanted, abs=1e-5)


def test_vectors_that_point_apart_are_not_alike(knowledge: Knowledge, tmp_path: Path) -> None:
    file = written(tmp_path / "v.tsv", drawn(knowledge) | {"new": [1.0] * 12})
    evidence = NameEvidence(Knowledge.of(knowledge.dataset, file))
    alike = evidence.look([Term("new")]).alike["vectors"].toarray()
    block = evidence.knowledge.blocks["vectors"]
    exact = (block.of([Term("new")]) @ block.rows.T).toarray()
    assert exact.min() < 0 < exact.max() < 1
    np.testing.assert_array_equal(alike, np.maximum(exact, 0))


def gives(made: np.ndarray) -> Encoder:
    return lambda texts: made


def test_a_function_for_texts_is_asked_for_unknown_ones_alone(knowledge: Knowledge, tmp_path: Path) -> None:
    given = drawn(knowledge) | {"New": [1.0] * 12, "Far": [-1.0] * 12}
    block = VectorBlock(written(tmp_path / "v.tsv", given), knowledge.dataset.vocabulary, knowledge.ids)
    terms = [Term("x", ("far", "new")), Term("unheard", (), "of"), Term("y", (), "new"), Term("unsaid")]
    alone = block.of(terms).toarray()
    assert np.linalg.norm(alone, axis=1) == pytest.approx([1, 0, 1, 0])
    asked: list[Sequence[str]] = []

    @encodes_texts
    def encode(texts: Sequence[str]) -> np.ndarray:
        asked.append(list(texts))
        return np.stack([np.eye(12)[i] for i in range(len(texts))])

    np.testing.assert_array_equal(block.of([terms[2], terms[0]]).toarray(), alone[[2, 0]])
    assert not asked
    found = block.of(terms).toarray()
    assert asked == [["unheard. of", "unsaid"]]
    mean = np.mean([given[term.label] for term in knowledge.terms], axis=0)
    wanted = np.eye(12)[:2] - mean
    np.testing.assert_allclose(found[[1, 3]], wanted / np.linalg.norm(wanted, axis=1, keepdims=True), rtol=1e-5)
    np.testing.assert_array_equal(found[[0, 2]], alone[[0, 2]])


def test_what_is_wrong_is_said(knowledge: Knowledge, tmp_path: Path) -> None:
    def made(given: Vectors) -> VectorBlock:
        return VectorBlock(written(tmp_path / "v.tsv", given), knowledge.dataset.vocabulary, knowledge.ids)

    with pytest.raises(ReadError, match="no line names a class"):
        made({"nobody": [1.0]})
    with pytest.raises(ReadError, match="not finite"):
        made({"heart": [1.0, float("nan")]})
    with pytest.raises(ReadError, match="more or fewer"):
        made({"heart": [1.0, 2.0], "lung": [1.0]})
    block = made({"heart": [1.0, 2.0], "lung": [1.0, 0.0]})
    for wrong in (np.ones((1, 3)), np.ones((2, 2)), np.array([[1, np.inf]])):
        encodes_texts(gives(wrong))
        with pytest.raises(SettingError, match="1 rows of 2 are needed"):
            block.of([Term("unheard of")])
