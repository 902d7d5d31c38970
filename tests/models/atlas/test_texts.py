"""How texts are put: what they are cut into, which blocks there are of it, and whom the nearest texts let speak."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

from elgeo.datasets.model import Dataset
from elgeo.models.atlas import build as building
from elgeo.models.atlas.build import OF_TEXTS, build
from elgeo.models.atlas.contexts.cutting import beginning, ends, grams, pairs, words
from elgeo.models.atlas.contexts.likeness import weighted
from elgeo.models.atlas.contexts.logic import WORDING
from elgeo.models.atlas.evidence import WORDED
from elgeo.models.atlas.explain import _NUMBER, Explainer
from elgeo.models.atlas.settings import AtlasSettings
from elgeo.models.atlas.shares import Manner, Share
from elgeo.models.atlas.weighing.weights import Weighing
from elgeo.ontology.normal_forms import NormalForms
from tests.models.atlas.plain_atlas import PlainAtlas, small_dataset


def quiet(message: str) -> None:
    """No progress."""


def with_texts(dataset: Dataset, classes: list[int]) -> Dataset:
    """The dataset with the texts of some classes alone."""
    names = dataset.vocabulary
    kept = {names.classes[c] for c in classes}
    less = replace(
        names,
        labels={name: text for name, text in names.labels.items() if name in kept},
        synonyms={name: texts for name, texts in names.synonyms.items() if name in kept},
        definitions={name: text for name, text in names.definitions.items() if name in kept},
    )
    return replace(dataset, forms=NormalForms(less, dataset.forms.tables))


def test_a_text_is_cut_into_words_pairs_pieces_and_its_ends() -> None:
    text = "Positive regulation of cell-growth"
    assert list(words(text)) == ["positiv", "regulat", "of", "cell", "growth"]
    joined = ["positiv regulat", "regulat of", "of cell", "cell growth"]
    assert pairs(text) == [*words(text), *joined]
    firsts = ["^positiv", "^positiv regulat", "^positiv regulat of"]
    assert ends(text) == [*firsts, "growth$", "cell growth$", "of cell growth$"]
    assert ends("cell") == ["^cell", "cell$"]
    whole = ["positiv regulat of", "positiv regulat of cell", "positiv regulat of cell growth"]
    assert beginning(text) == [*words(text), *joined, *whole]
    assert beginning("a b c") == ["a", "b", "c", "a b", "b c", "a b c"]
    long = beginning("a b c d e f g h i j")
    assert "h" in long
    assert "g h" in long
    assert not {"i", "h i", "a b c d e f"} & {*long}
    assert list(grams("Red cell")) == [" red ", "red c", "ed ce", "d cel", " cell", "cell "]
    assert pairs("") == ends("") == beginning("") == list(grams("")) == []


@pytest.mark.parametrize("seed", range(3))
def test_what_one_class_alone_has_makes_it_less_like_all_others(seed: int) -> None:
    generator = np.random.default_rng(seed)
    rows = (generator.random((30, 40)) < 0.12).astype(np.float32)
    members = np.sort(generator.permutation(30)[:20])
    rows[members[:5], 0] = 1  # more than a fifth
    rows[members, 1] = np.arange(20) < 4  # a fifth
    count = rows[members].sum(axis=0)
    weights = np.where(count <= 4, np.log(21 / np.maximum(count, 1)), 0)
    assert {0, 1, 2, 4} <= {*count.tolist()}
    length = np.linalg.norm(rows * weights, axis=1, keepdims=True)
    expected = rows * weights / np.where(length > 0, length, 1)
    found = weighted(sparse.csr_array(rows), members, 0.2, alone=True)
    joins = (count >= 2) & (count <= 4)
    assert found.toarray() == pytest.approx(expected[:, joins], abs=1e-6)


def test_the_heads_with_the_nearest_texts_speak_by_how_near_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "NEAREST", 8)
    dataset = small_dataset(np.random.default_rng(3), "subclass", n=46)
    evidence = build(dataset, AtlasSettings(), quiet).evidence
    plain = PlainAtlas(dataset)
    warm = [head for head in plain.heads if plain.rows[head]]
    expected = plain.nearest(plain.worded(), warm, 1.0, 8)[:, evidence.target.heads]
    found = evidence.heads[WORDED].rows(np.arange(46, dtype=np.int32)).toarray()
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-6)
    assert 8 <= (found > 0).sum(axis=1).max() < len(warm)
    assert {tail for head, tail in evidence.pairs if head == WORDED} == {"same", "as told"}


def test_texts_are_compared_only_if_heads_have_some() -> None:
    dataset = small_dataset(np.random.default_rng(1), "roles", n=40)
    heads, tails = (dataset.kinds.members(kind).tolist() for kind in (dataset.head_kind, dataset.tail_kind))
    bare = build(with_texts(dataset, tails), AtlasSettings(), quiet)
    assert "name" in bare.blocks
    assert not {*WORDING} & {*bare.blocks}
    assert WORDED not in bare.evidence.heads
    whole = build(with_texts(dataset, heads + tails), AtlasSettings(), quiet)
    assert {*OF_TEXTS} <= {*whole.blocks}
    assert WORDED in whole.evidence.heads
    some = build(with_texts(dataset, heads), AtlasSettings(contexts="up,ends"), quiet)
    assert list(some.blocks) == ["up", "ends"]
    assert WORDED in some.evidence.heads
    assert WORDED not in build(dataset, AtlasSettings(contexts="up,fill,name,words"), quiet).evidence.heads
    defined = replace(dataset.vocabulary, labels={}, synonyms={})
    prose = build(
        replace(dataset, forms=NormalForms(defined, dataset.forms.tables)), AtlasSettings(contexts="definition"), quiet
    )
    assert {*prose.blocks} == {"definition"}


def test_features_of_texts_in_words() -> None:
    dataset = small_dataset(np.random.default_rng(2), "subclass", n=40)
    blocks = build(dataset, AtlasSettings(), quiet).blocks
    names = dataset.texts.labels[9].split()
    defined = dataset.texts.definitions[9].split()

    def said(block: str) -> set[str]:
        return {blocks[block].describe(int(f)) for f in blocks[block].rows[[9]].indices}

    assert said("pairs") == {f"“{text}”" for text in pairs(" ".join(names))}
    assert {f"“{names[0]} …”", f"“… {names[-1]}”"} <= said("ends")
    assert len(said("ends")) == len({*ends(" ".join(names))})
    assert f"“{defined[0]} {defined[1]}”" in said("definition")
    assert f"defined by “{defined[0]} {defined[1]}”" in said("beginning")


def test_who_is_alike_in_words_shares_words() -> None:
    dataset = small_dataset(np.random.default_rng(2), "subclass", n=40)
    parts = build(dataset, AtlasSettings(), quiet)
    explainer = Explainer(dataset, parts, Weighing({}, {}))
    shared = {(a, b): explainer.shared(a, b, OF_TEXTS) for a in range(4, 20) for b in range(a + 1, 20)}
    assert any(shared.values())
    told = 0
    for (a, b), texts in shared.items():
        assert all("“" in text for text in texts)
        told += texts != explainer.shared(a, b)
        if texts:
            line = explainer._words(b, 7, [Share(a, 9, Manner(WORDED, "same", False), 1.0)])
            label = dataset.vocabulary.class_label
            assert f"({label(a)} is like {label(b)}: {'; '.join(texts)})" in line
    assert told, "other contexts are rarer at times"


def test_numbers_beside_words_are_not_quoted_either() -> None:
    for text in ("“12 …”", "“… 2019”", "“pmid 12345”", "defined by “go 000123 the”", "“… of 0001”"):
        assert _NUMBER.fullmatch(text)
    for text in ("“type 2”", "“… cell”", "defined by “a cell”", "“… type 2”"):
        assert not _NUMBER.fullmatch(text)
