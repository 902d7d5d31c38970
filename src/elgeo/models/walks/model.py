"""`owl2vec`, `dl2vec`: classes whose vectors are those of words in walks, axioms and labels."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Flags, Floats, Ids, Table
from elgeo.datasets.model import Dataset
from elgeo.errors import SettingError
from elgeo.models.contract import Arrays, Fitted, Geometry, Scorer
from elgeo.models.graphs.scores import InnerScorer, TranslationScorer
from elgeo.models.pictures import Shape, balls_in_plane
from elgeo.models.walks.documents import Documents
from elgeo.models.walks.projection import SUBCLASS, Projection, Style, project
from elgeo.models.walks.skip_gram import Reading, Vectors, skip_gram
from elgeo.models.walks.walking import Sentences, all_paths, longest_paths, random_walks, steps_of
from elgeo.settings import check, setting

MOST_WORDS = 1 << 30
"""Of all paths together: 4 GiB."""


@dataclass(frozen=True)
class WalkSettings:
    """What both have to set."""

    dimension: int = setting(100, "length of the vector of a word", least=1, most=65_536)
    walks: int = setting(10, "random walks from each class; 0 takes every path", least=0)
    length: int = setting(20, "words of a walk after the first: edges and classes in turn", least=1)
    window: int = setting(5, "how far the words around a word reach, at most", least=1)
    negatives: int = setting(5, "words of noise that each word is told from", least=1)
    passes: int = setting(10, "how often all sentences are read", least=1)
    sample: float = setting(0.001, "the share of all words above which a word is thinned out; 0 keeps all", least=0)
    score: Literal["dot", "cosine", "translation"] = setting(
        "dot", "by the vectors' inner product, by their angle, or by the way from head to tail, mean over the role"
    )

    def __post_init__(self) -> None:
        check(self)

    @property
    def reading(self) -> Reading:
        """What skip-gram has to know."""
        return Reading(self.dimension, self.window, self.negatives, self.passes, self.sample)


@dataclass(frozen=True)
class Owl2VecSettings(WalkSettings):
    """Settings of OWL2Vec*."""

    documents: Literal["structure", "lexical", "structure+lexical", "all"] = setting(
        "structure+lexical",
        "what is read: names in walks and axioms, the same in words and annotations, both, or one name among words too",
    )
    vector: Literal["name", "words", "both"] = setting(
        "both", "a class's vector: of its name, the mean of its words, or one after the other"
    )

    def reads(self, document: str) -> bool:
        """Whether a document is read: structure, lexical or combined."""
        return self.documents == "all" or document in self.documents.split("+")


class Walked(Fitted, Geometry):
    """Vectors of classes by skip-gram, and the mean way from heads to tails of each role.

    Arrays: `vectors` (classes, n), `ways` (roles and, last, subClassOf, n).
    """

    style: ClassVar[Style]
    both_ways: ClassVar[bool]

    def __init__(self, settings: Any, vectors: Vectors, ways: Vectors, findings: Mapping[str, Any]) -> None:
        self.settings, self.vectors, self.ways, self._findings = settings, vectors, ways, findings

    @classmethod
    def fit(cls, dataset: Dataset, settings: Any, generator: np.random.Generator, say: Callable[[str], None]) -> Self:
        say("projecting")
        graph = project(dataset.forms, cls.style)
        if not len(graph.edges):
            raise SettingError(
                f"{dataset.name} has no axiom that joins two named classes: {cls.name} has nothing to walk on"
            )
        documents = Documents(dataset)
        walks = walked(graph, settings, cls.both_ways, generator)
        sentences = cls.read(documents, walks, settings, generator, say)
        found = skip_gram(sentences, documents.n_words, settings.reading, generator, say)
        vectors = cls.vectors_of(documents, found, settings, graph.classes)
        findings = {"edges": len(graph.edges), "sentences": len(sentences.start) - 1, "words": len(sentences.tokens)}
        return cls(settings, vectors, mean_ways(graph, vectors), findings)

    @classmethod
    def read(
        cls,
        documents: Documents,
        walks: Sentences,
        settings: Any,
        generator: np.random.Generator,
        say: Callable[[str], None],
    ) -> Sentences:
        """All that is read: here the walks alone."""
        return walks

    @classmethod
    def vectors_of(cls, documents: Documents, found: Vectors, settings: Any, classes: int) -> Vectors:
        """The vector of each class; here that of its name."""
        return found[:classes].copy()

    def arrays(self) -> Arrays:
        return {"vectors": self.vectors, "ways": self.ways}

    @classmethod
    def restore(cls, dataset: Dataset, settings: Any, arrays: Mapping[str, NDArray[Any]]) -> Self:
        names = dataset.vocabulary
        width = arrays["vectors"].shape[-1] if "vectors" in arrays else 0
        wanted = {"vectors": (names.n_classes, width), "ways": (names.n_roles + 1, width)}
        found = {name: array.shape for name, array in arrays.items()}
        if found != wanted or any(array.dtype != np.float32 for array in arrays.values()):
            raise SettingError(
                f"the arrays of {cls.name} have the shapes {wanted}, in the file they have {found}: were they made of"
                " another dataset?"
            )
        return cls(settings, arrays["vectors"], arrays["ways"], {})

    def findings(self) -> dict[str, Any]:
        return dict(self._findings)

    @property
    def judged_forms(self) -> tuple[str, ...]:
        """None: words are no sets."""
        return ()

    def holds(self, form: str, rows: Table, tolerance: float = 1e-4) -> Flags:
        raise SettingError(f"{self.name} has no geometry in which {form!r} could be true")

    def embeddings(self) -> Arrays:
        return {"class_vectors": self.vectors, "role_vectors": self.ways[:-1]}

    def picture(self, classes: Ids) -> list[Shape]:
        """Points, in the plane that shows them best."""
        return balls_in_plane(self.vectors[classes], np.zeros(len(classes)))

    def scorer(self) -> Scorer:
        vectors: Floats = self.vectors.astype(np.float64)
        if self.settings.score == "translation":
            return TranslationScorer(vectors, self.ways.astype(np.float64))
        if self.settings.score == "cosine":
            lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
            vectors = vectors / np.where(lengths > 0, lengths, 1)

        def joined(heads: Ids, role: int | None) -> Floats:
            return vectors[heads]

        return InnerScorer(joined, vectors)


class Owl2Vec(Walked):
    """OWL2Vec*: directed walks, axioms as sentences, and the same with labels for names; skip-gram over all of them.

    A class's vector is that of its name beside the mean of those of its label's words. score(C, D) = c · d, or with
    `score=translation` −‖c + r − d‖, r the mean of d − c over the role's training axioms.
    """

    name = "owl2vec"
    paper = "Chen, Hu, Jiménez-Ruiz, Holter, Antonyrajah, Horrocks 2021: OWL2Vec*: Embedding of OWL Ontologies"
    Settings = Owl2VecSettings
    style = "owl2vec"
    both_ways = False

    @classmethod
    def read(
        cls,
        documents: Documents,
        walks: Sentences,
        settings: Owl2VecSettings,
        generator: np.random.Generator,
        say: Callable[[str], None],
    ) -> Sentences:
        structure = Sentences.joined([walks, documents.axioms()])
        found = [structure] if settings.reads("structure") else []
        if documents.words_of:
            if settings.reads("lexical"):
                found += [documents.in_words(structure), documents.annotations()]
            if settings.reads("combined"):
                found.append(documents.with_one_name(structure, generator))
        elif not found:
            raise SettingError(
                f"there is no class with a label, so there is nothing to read in words: give {cls.name}"
                " documents=structure, or an ontology with rdfs:label"
            )
        else:
            say("no class has a label: only names are read")
        return Sentences.joined(found)

    @classmethod
    def vectors_of(cls, documents: Documents, found: Vectors, settings: Owl2VecSettings, classes: int) -> Vectors:
        own = found[:classes]
        if settings.vector == "name" or not (documents.words_of and settings.reads("lexical")):
            return own.copy()
        words = np.zeros_like(own)
        for c, spelled in documents.words_of.items():
            words[c] = found[spelled].mean(axis=0)
        return words if settings.vector == "words" else np.concatenate([own, words], axis=1)


class Dl2Vec(Walked):
    """DL2Vec: walks that go along edges and against them, and skip-gram over them.

    A class's vector is that of its name. score(C, D) = c · d, or as `owl2vec` has it.
    """

    name = "dl2vec"
    paper = "Chen, Althagafi, Hoehndorf 2021: Predicting candidate genes from phenotypes, functions and expression"
    Settings = WalkSettings
    style = "dl2vec"
    both_ways = True


def walked(graph: Projection, settings: WalkSettings, both_ways: bool, generator: np.random.Generator) -> Sentences:
    """Walks from every class that has an edge."""
    steps = steps_of(graph, both_ways)
    beginnings = np.flatnonzero(np.diff(steps.start)).astype(np.int32)
    if settings.walks == 0:
        many = longest_paths(steps, beginnings, settings.length)
        if many * (settings.length + 1) > MOST_WORDS:
            raise SettingError(
                f"there are {many:,.0f} paths of {settings.length} words: lower length (OWL2Vec* has 3), or take random"
                " walks (walks=10)"
            )
        return all_paths(steps, beginnings, settings.length, graph.classes)
    edges = (settings.length + 1) // 2
    return random_walks(steps, beginnings, settings.walks, edges, graph.classes, int(generator.integers(1 << 62)))


def mean_ways(graph: Projection, vectors: Vectors) -> Vectors:
    """The mean of tail − head over the edges of each role and, last, of subClassOf; 0 where there are none."""
    ways = np.zeros((graph.roles + 1, vectors.shape[1]), np.float64)
    for number in range(graph.roles + 1):
        predicate = graph.roles + SUBCLASS if number == graph.roles else number
        edges = graph.edges[graph.edges[:, 1] == predicate]
        if len(edges):
            ways[number] = (vectors[edges[:, 2]].astype(np.float64) - vectors[edges[:, 0]]).mean(axis=0)
    return ways.astype(np.float32)
