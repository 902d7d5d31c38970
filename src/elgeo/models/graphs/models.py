"""`transe`, `distmult`, `complex`: baselines that know edges and nothing of what axioms mean."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from elgeo.arrays import Floats, Ids, Table
from elgeo.deferred import functional, torch
from elgeo.errors import SettingError
from elgeo.models.contract import Arrays, Model, Scorer
from elgeo.models.graphs.scores import InnerScorer, TranslationScorer
from elgeo.models.pictures import Shape, balls_in_plane
from elgeo.ontology.normal_forms import FORMS
from elgeo.settings import check, setting


@dataclass(frozen=True)
class GraphSettings:
    """Settings of the models of edges."""

    dimension: int = setting(100, "length of the vectors", least=1, most=65_536)
    weight: float = setting(0.0, "what the mean cube of the lengths of an edge's vectors costs (N3)", least=0)
    objective: Literal["logistic", "softmax"] = setting(
        "logistic", "an edge is told from corrupted ones, or its tail from all classes (corrupted edges cost nothing)"
    )

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True)
class TransESettings:
    """Settings of TransE."""

    dimension: int = setting(100, "length of the vectors", least=1, most=65_536)
    margin: float = setting(1.0, "the distance at which an edge is as likely as not", above=0)
    radius_weight: float = setting(1.0, "what vectors of classes cost that are longer than 1", least=0)

    def __post_init__(self) -> None:
        check(self)


class GraphModel(Model):
    """Edges with a logistic loss: log(1 + e^−score) for an axiom, log(1 + e^score) for a corrupted one.

    Parameters: `entities` (classes, n), `relations` (roles and, last, subClassOf, n).
    """

    positive_forms: ClassVar[tuple[str, ...]] = ("subclass", "existential")
    negative_forms: ClassVar[tuple[str, ...]] = ("subclass", "existential")
    width: ClassVar[int] = 1
    """Numbers of a vector for each of the dimensions."""

    @abstractmethod
    def edge_score(self, head: torch.Tensor, relation: torch.Tensor, tail: torch.Tensor) -> torch.Tensor:
        """How likely edges are, row by row."""

    @abstractmethod
    def edge_cost(self, head: torch.Tensor, relation: torch.Tensor, tail: torch.Tensor) -> torch.Tensor:
        """What is asked of the vectors of an edge besides, row by row."""

    def initial(self, generator: np.random.Generator) -> Arrays:
        """Uniform in [−6/√n, 6/√n], as for TransE."""
        bound, width = 6 / np.sqrt(self.settings.dimension), self.width * self.settings.dimension
        sizes = {"entities": self.sizes.classes, "relations": self.sizes.roles + 1}
        return {name: generator.uniform(-bound, bound, (n, width)).astype(np.float32) for name, n in sizes.items()}

    def loss(self, form: str, rows: torch.Tensor, negative: bool = False) -> torch.Tensor:
        if form not in self.positive_forms:
            raise SettingError(f"{self.name} has no loss for {form!r}; there are {', '.join(self.positive_forms)}")
        shape = FORMS[form]
        head, tail = (functional.embedding(rows[:, i], self.parameters["entities"]) for i in shape.class_columns)
        roles = rows[:, shape.role_columns[0]] if shape.role_columns else torch.full_like(rows[:, 0], self.sizes.roles)
        relation = functional.embedding(roles, self.parameters["relations"])
        score = self.edge_score(head, relation, tail)
        told = self.edge_loss(head, relation, score, negative)
        return torch.as_tensor(told + self.edge_cost(head, relation, tail))

    def edge_loss(
        self, head: torch.Tensor, relation: torch.Tensor, score: torch.Tensor, negative: bool
    ) -> torch.Tensor:
        """What the scores of edges cost, row by row."""
        return torch.as_tensor(functional.softplus(score if negative else -score))

    @property
    def judged_forms(self) -> tuple[str, ...]:
        """None: a graph has edges, not sets."""
        return ()

    def holds(self, form: str, rows: Table, tolerance: float = 1e-4) -> np.ndarray:
        raise SettingError(f"{self.name} has no geometry in which {form!r} could be true")

    def picture(self, classes: Ids) -> list[Shape]:
        """Points."""
        return balls_in_plane(self.arrays()["entities"][classes], np.zeros(len(classes)))

    def embeddings(self) -> Arrays:
        arrays = self.arrays()
        return {"class_vectors": arrays["entities"], "role_vectors": arrays["relations"][:-1]}

    def _tables(self) -> tuple[Floats, Floats]:
        arrays = self.arrays()
        return arrays["entities"].astype(np.float64), arrays["relations"].astype(np.float64)


class TransE(GraphModel):
    """A relation is a translation: margin − ‖h + r − t‖. Vectors of classes longer than 1 cost what they are longer."""

    name = "transe"
    paper = "Bordes, Usunier, Garcia-Durán, Weston, Yakhnenko 2013: Translating Embeddings for Multi-relational Data"
    Settings = TransESettings
    settings: TransESettings

    def edge_score(self, head: torch.Tensor, relation: torch.Tensor, tail: torch.Tensor) -> torch.Tensor:
        return torch.as_tensor(self.settings.margin - torch.linalg.vector_norm(head + relation - tail, dim=1))

    def edge_cost(self, head: torch.Tensor, relation: torch.Tensor, tail: torch.Tensor) -> torch.Tensor:
        longer = [torch.relu(torch.linalg.vector_norm(vectors, dim=1) - 1) for vectors in (head, tail)]
        return self.settings.radius_weight * torch.as_tensor(longer[0] + longer[1])

    def scorer(self) -> Scorer:
        return TranslationScorer(*self._tables())


class Bilinear(GraphModel):
    """A score that is linear in each of the three vectors; N3 keeps them short."""

    Settings = GraphSettings
    settings: GraphSettings

    def edge_cost(self, head: torch.Tensor, relation: torch.Tensor, tail: torch.Tensor) -> torch.Tensor:
        cubes = [self.moduli(vectors).pow(3).sum(dim=1) for vectors in (head, relation, tail)]
        return self.settings.weight / 3 * torch.stack(cubes).sum(dim=0)

    def edge_loss(
        self, head: torch.Tensor, relation: torch.Tensor, score: torch.Tensor, negative: bool
    ) -> torch.Tensor:
        if self.settings.objective == "logistic":
            return super().edge_loss(head, relation, score, negative)
        if negative:
            return torch.zeros_like(score)
        every = self.pulled(head, relation) @ self.parameters["entities"].T
        return torch.as_tensor(torch.logsumexp(every, dim=1) - score)

    @abstractmethod
    def pulled(self, head: torch.Tensor, relation: torch.Tensor) -> torch.Tensor:
        """What head and relation make together, row by row, whose inner product with a tail is the score."""

    def edge_score(self, head: torch.Tensor, relation: torch.Tensor, tail: torch.Tensor) -> torch.Tensor:
        return torch.as_tensor((self.pulled(head, relation) * tail).sum(dim=1))

    def moduli(self, vectors: torch.Tensor) -> torch.Tensor:
        return vectors.abs()

    def scorer(self) -> Scorer:
        entities, relations = self._tables()

        def joined(heads: Ids, role: int | None) -> Floats:
            return self.joined(entities[heads], relations[-1 if role is None else role])

        return InnerScorer(joined, entities)

    @abstractmethod
    def joined(self, heads: Floats, relation: Floats) -> Floats:
        """What heads and a relation make together, whose inner product with a tail is the score."""


class DistMult(Bilinear):
    """Σ hᵢ rᵢ tᵢ, which is the same for the edge and for its reverse."""

    name = "distmult"
    paper = "Yang, Yih, He, Gao, Deng 2015: Embedding Entities and Relations for Learning and Inference"

    def pulled(self, head: torch.Tensor, relation: torch.Tensor) -> torch.Tensor:
        return head * relation

    def joined(self, heads: Floats, relation: Floats) -> Floats:
        return heads * relation


class ComplEx(Bilinear):
    """Re Σ hᵢ rᵢ conj(tᵢ): complex vectors, real parts first, so that an edge and its reverse may differ."""

    name = "complex"
    paper = "Trouillon, Welbl, Riedel, Gaussier, Bouchard 2016: Complex Embeddings for Simple Link Prediction"
    width = 2

    def pulled(self, head: torch.Tensor, relation: torch.Tensor) -> torch.Tensor:
        (a, b), (c, d) = head.chunk(2, dim=1), relation.chunk(2, dim=1)
        return torch.cat([a * c - b * d, a * d + b * c], dim=1)

    def moduli(self, vectors: torch.Tensor) -> torch.Tensor:
        real, imaginary = vectors.chunk(2, dim=1)
        return torch.as_tensor((real.square() + imaginary.square() + 1e-12).sqrt())

    def joined(self, heads: Floats, relation: Floats) -> Floats:
        (a, b), (c, d) = np.split(heads, 2, axis=1), np.split(relation, 2)
        return np.concatenate([a * c - b * d, a * d + b * c], axis=1)
