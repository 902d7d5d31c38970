"""`owl2vec` and `dl2vec`: what they read, what their vectors and scores are, and what they refuse."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import elgeo
from elgeo.errors import SettingError
from elgeo.models import Dl2Vec, Owl2Vec
from elgeo.models.walks.documents import Documents
from elgeo.models.walks.model import Owl2VecSettings, WalkSettings, walked
from elgeo.models.walks.projection import SUBCLASS, project
from elgeo.models.walks.walking import Sentences
from tests.models.walks.as_lists import as_lists
from tests.models.walks.small_ontology import TEXT, small_dataset

NO_LABELS = "\n".join(line for line in TEXT.splitlines() if "AnnotationAssertion" not in line)


def silent(message: str) -> None:
    pass


def spelled(documents: Documents, sentences: Sentences, dataset: elgeo.datasets.Dataset) -> list[str]:
    """Sentences to be read by people."""
    names = dataset.vocabulary
    texts = {c: name.rpartition("/")[2] for c, name in enumerate(names.classes)}
    texts |= {names.n_classes + r: name.rpartition("/")[2] for r, name in enumerate(names.roles)}
    first = names.n_classes + names.n_roles
    texts |= {
        first + i: f"<{name}>"
        for i, name in enumerate(["subclassof", "superclassof", "equivalentto", "type", "typeof", "sameas"])
    }
    texts |= {number: f"'{word}'" for word, number in documents._words.items()}
    return [" ".join(texts[token] for token in sentence) for sentence in as_lists(sentences)]


def test_axioms_are_sentences_of_names_and_of_words(tmp_path: Path) -> None:
    dataset = small_dataset(tmp_path)
    documents = Documents(dataset)
    assert {dataset.vocabulary.classes[c][-1] for c in documents.words_of} == {"A", "B"}
    axioms = documents.axioms()
    found = spelled(documents, axioms, dataset)
    assert "A 'subclassof' B" in found
    assert "A 'subclassof' r 'some' E" in found
    assert "s 'some' K 'subclassof' L" in found
    # three of classes between names and two of individuals, with C ≡ D and b = c both ways; four ∃ to the right
    assert len(found) == 7 + 6 + 2
    words = spelled(documents, documents.in_words(axioms), dataset)
    assert words[found.index("A 'subclassof' B")] == "'red' 'apple' 'tree' 'subclassof' 'fruit'"
    assert words[found.index("A 'subclassof' r 'some' E")] == ("'red' 'apple' 'tree' 'subclassof' 'part' 'of' 'some' E")
    first = dataset.vocabulary.n_classes + dataset.vocabulary.n_roles
    edges = Sentences(np.arange(first, first + 6, dtype=np.int32)[::-1].copy(), np.array([0, 2, 6]))
    assert spelled(documents, documents.in_words(edges), dataset) == [
        "'sameas' 'typeof'",
        "'type' 'equivalentto' 'superclassof' 'subclassof'",
    ]
    assert spelled(documents, documents.annotations(), dataset) == [
        "'red' 'apple' 'tree'",
        "'fruit' 'fruiting' 'body'",
    ]


def test_an_iri_is_read_as_words_where_one_of_them_has_three_letters(tmp_path: Path) -> None:
    text = "Ontology(SubClassOf(<http://e.org/Cat> <http://e.org/Is_Ox>) SubClassOf(<http://e.org/X_12> <http://e.org/Elk>))"
    dataset = small_dataset(tmp_path, text)
    documents = Documents(dataset)
    names = dataset.vocabulary
    spoken = {names.classes[c].rpartition("/")[2] for c in documents.words_of}
    assert spoken == {"Cat", "Elk"}


def test_combined_sentences_keep_one_name_each(tmp_path: Path) -> None:
    labels = "".join(f'  AnnotationAssertion(rdfs:label :{name} "the {name}")\n' for name in "CDEFGHIJKLMNOabc")
    dataset = small_dataset(tmp_path, TEXT.rstrip()[:-1] + labels + ")")
    documents = Documents(dataset)
    axioms = documents.axioms()
    classes = dataset.vocabulary.n_classes
    kept: set[int] = set()
    for seed in range(8):
        mixed = as_lists(documents.with_one_name(axioms, np.random.default_rng(seed)))
        for before, after in zip(as_lists(axioms), mixed, strict=True):
            (name,) = [token for token in after if token < classes]
            assert name in before
            kept.add(name)
    assert kept == {token for token in axioms.tokens.tolist() if token < classes}
    assert Counter(map(len, as_lists(documents.annotations()))) == {3: 2, 2: 16}  # red apple tree, fruiting body, the C
    # a walk that ends in an edge has one class, an axiom about roles would have none
    a, role, word = dataset.vocabulary.class_id("A"), classes + 1, min(documents._words.values())
    short = Sentences(np.array([role, a, role, role, word], np.int32), np.array([0, 1, 3, 5]))
    mixed = as_lists(documents.with_one_name(short, np.random.default_rng(0)))
    assert [a in sentence for sentence in mixed] == [False, True, False]
    none = Sentences(np.zeros(0, np.int32), np.zeros(1, np.int64))
    assert as_lists(documents.with_one_name(none, np.random.default_rng(0))) == []


def test_vectors_and_ways_are_as_they_say(tmp_path: Path) -> None:
    dataset = small_dataset(tmp_path)
    made = {
        vector: Owl2Vec.fit(
            dataset, Owl2VecSettings(dimension=6, passes=2, vector=vector), np.random.default_rng(1), silent
        )
        for vector in ("name", "words", "both")
    }
    name, words, both = (made[vector].vectors for vector in ("name", "words", "both"))
    np.testing.assert_array_equal(both, np.concatenate([name, words], axis=1))
    fresh = dataset.vocabulary.class_kinds == 3
    assert not both[fresh].any()
    assert not both[:2].any()
    a, e = (dataset.vocabulary.class_id(name) for name in ("A", "E"))
    assert words[a].any()
    assert not words[e].any()
    graph = project(dataset.forms, "owl2vec")
    for role in (*range(graph.roles), None):
        predicate = graph.roles + SUBCLASS if role is None else role
        ways = [both[t].astype(float) - both[h] for h, p, t in graph.edges.tolist() if p == predicate]
        expected = np.mean(ways, axis=0) if ways else np.zeros(12)
        np.testing.assert_allclose(made["both"].ways[-1 if role is None else role], expected, atol=1e-6)
    shown = made["both"].embeddings()
    np.testing.assert_array_equal(shown["class_vectors"], both)
    np.testing.assert_array_equal(shown["role_vectors"], made["both"].ways[: dataset.vocabulary.n_roles])


@pytest.mark.parametrize("score", ["dot", "cosine", "translation"])
@pytest.mark.parametrize("role", [None, 1])
def test_scores_are_those_of_the_formula(tmp_path: Path, score: str, role: int | None) -> None:
    dataset = small_dataset(tmp_path)
    settings = WalkSettings(dimension=5, passes=2, score=score)  # type: ignore[arg-type]
    model = Dl2Vec.fit(dataset, settings, np.random.default_rng(2), silent)
    every = np.arange(dataset.vocabulary.n_classes, dtype=np.int32)
    found = model.scorer().tails(every, role, every)
    vectors, way = model.vectors.astype(float), model.ways[-1 if role is None else role].astype(float)
    for c in every.tolist():
        for d in every.tolist():
            one, two = vectors[c], vectors[d]
            lengths = float(np.linalg.norm(one) * np.linalg.norm(two))
            expected = {
                "dot": one @ two,
                "cosine": one @ two / lengths if lengths else 0.0,
                "translation": -np.linalg.norm(one + way - two),
            }[score]
            assert found[c, d] == pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(("walks", "length"), [(0, 2), (3, 5)])
def test_what_was_read_is_counted(tmp_path: Path, walks: int, length: int) -> None:
    dataset = small_dataset(tmp_path)
    settings = WalkSettings(dimension=2, passes=1, walks=walks, length=length)
    found = Dl2Vec.fit(dataset, settings, np.random.default_rng(3), silent).findings()
    graph = project(dataset.forms, "dl2vec")
    # from as many random bits come the same walks
    sentences = as_lists(walked(graph, settings, Dl2Vec.both_ways, np.random.default_rng(3)))
    assert found == {"edges": len(graph.edges), "sentences": len(sentences), "words": sum(map(len, sentences))}
    structure = Owl2VecSettings(dimension=2, passes=1, walks=walks, length=length, documents="structure")
    found = Owl2Vec.fit(dataset, structure, np.random.default_rng(3), silent).findings()
    graph = project(dataset.forms, "owl2vec")
    sentences = as_lists(walked(graph, structure, Owl2Vec.both_ways, np.random.default_rng(3)))
    sentences += as_lists(Documents(dataset).axioms())
    assert found == {"edges": len(graph.edges), "sentences": len(sentences), "words": sum(map(len, sentences))}


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    dataset = small_dataset(tmp_path, NO_LABELS)
    said: list[str] = []
    model = Owl2Vec.fit(dataset, Owl2VecSettings(dimension=4, passes=1), np.random.default_rng(0), said.append)
    assert "no class has a label: only names are read" in said
    assert model.vectors.shape[1] == 4
    settings = Owl2VecSettings(dimension=4, documents="lexical")
    with pytest.raises(SettingError, match="no class with a label"):
        Owl2Vec.fit(dataset, settings, np.random.default_rng(0), silent)
    empty = small_dataset(tmp_path, "Ontology(SubClassOf(<http://e.org/A> <http://www.w3.org/2002/07/owl#Thing>))")
    with pytest.raises(SettingError, match="nothing to walk on"):
        Dl2Vec.fit(empty, WalkSettings(), np.random.default_rng(0), silent)
    with pytest.raises(SettingError, match="another dataset"):
        Owl2Vec.restore(dataset, Owl2VecSettings(), {"vectors": np.zeros((3, 4), np.float32)})


@pytest.mark.parametrize("name", ["owl2vec", "dl2vec"])
@pytest.mark.parametrize("walks", [0, 5])
def test_they_are_trained_kept_and_ranked_like_any_model(tmp_path: Path, name: str, walks: int) -> None:
    run = elgeo.train("family", folder=tmp_path / "run", model=name, dimension=8, walks=walks, length=4, passes=30)
    figures = elgeo.evaluate(tmp_path / "run").to_dict()
    assert figures["filtered"]["per_axiom"]["mrr"] > 0
    assert not any(figures["faithfulness"].values())
    assert run.record.result["edges"] > 20
    again = elgeo.train("family", model=name, dimension=8, walks=walks, length=4, passes=30)
    np.testing.assert_array_equal(run.weights["vectors"], again.weights["vectors"])
    with pytest.raises(SettingError, match="no geometry"):
        run.predictor().holds("subclass", np.zeros((1, 2), np.int32))
