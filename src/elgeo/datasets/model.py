"""`Dataset`: what is trained on, what is held out, and which classes may stand in for each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Table
from elgeo.datasets.texts import Texts
from elgeo.errors import clipped
from elgeo.ontology import glimpse
from elgeo.ontology.normal_forms import NormalForms
from elgeo.ontology.vocabulary import Vocabulary


@dataclass(frozen=True, eq=False)
class Kinds:
    """A kind for each class: a corrupted axiom replaces a class by another of its kind."""

    names: tuple[str, ...]
    """For example `("other", "protein", "go")`."""
    of_class: NDArray[np.int16]
    """The kind (an index into `names`) of each class id; fresh classes have one too."""

    def members(self, kind: str | int) -> NDArray[np.int32]:
        """The class ids of a kind, ascending."""
        number = self.names.index(kind) if isinstance(kind, str) else kind
        return np.flatnonzero(self.of_class == number).astype(np.int32)

    def __repr__(self) -> str:
        counts = np.bincount(self.of_class, minlength=len(self.names)).tolist()
        return f"<Kinds: {', '.join(f'{count:,} {name}' for name, count in zip(self.names, counts, strict=True))}>"


class AlsoHeldOut(NamedTuple):
    """Axioms of a normal form that are held out beside those of the target."""

    valid: Table
    test: Table


class HeldDefinition(NamedTuple):
    """A definition that is held out whole: a class, and the expression in functional syntax that it is equal to."""

    part: str
    class_id: int
    expression: str


@dataclass(frozen=True, eq=False)
class Dataset:
    """Training axioms, held-out target axioms, and kinds.

    The target is one shape of axiom: `C ⊑ ∃R.D` for one role R (`target_form` "existential", rows c, r, d) or `C ⊑ D`
    ("subclass", rows c, d). All splits hold ids of `forms.vocabulary`.
    """

    name: str
    forms: NormalForms
    """Training axioms, those of the target included; nothing of `valid` or `test` is among them."""
    target_form: str
    target_role: int | None
    train: Table
    """The training axioms of the target shape; a subset of the rows of `forms`."""
    valid: Table
    test: Table
    kinds: Kinds
    head_kind: str
    tail_kind: str
    symmetric: bool = False
    """Whether the target role is used in both directions, so that each pair stands in a split twice."""
    other_forms: Mapping[str, AlsoHeldOut] = field(default_factory=dict)
    """Held-out axioms of further normal forms, whose last class is asked for; none in most datasets."""
    definitions: Sequence[HeldDefinition] = ()
    """Definitions of which training has no part, where whole ones are held out."""
    record: Mapping[str, Any] = field(default_factory=dict)
    """What `dataset.toml` says: sources with checksums, seeds, what was dropped on the way."""

    def __repr__(self) -> str:
        return glimpse.line(clipped(f"Dataset {self.name}", 200), self._sizes(), self._shape())

    def _repr_html_(self) -> str:
        sizes = {**self._sizes(), "classes": self.vocabulary.n_classes, "candidates": len(self.candidates)}
        return glimpse.table(f"Dataset {self.name}: {self._shape()}", sizes)

    def _sizes(self) -> dict[str, int]:
        return {f"{part} axioms": len(getattr(self, part)) for part in ("train", "valid", "test")}

    def _shape(self) -> str:
        """The shape of the target's axioms, in words."""
        if self.target_role is None:
            return "C ⊑ D"
        return f"C ⊑ ∃R.D with R = {clipped(self.vocabulary.role_label(self.target_role), 80)}"

    @property
    def vocabulary(self) -> Vocabulary:
        return self.forms.vocabulary

    @cached_property
    def texts(self) -> Texts:
        """Label, synonyms and definition of each class."""
        return Texts.of(self.vocabulary)

    @property
    def candidates(self) -> NDArray[np.int32]:
        """All classes that may stand as tail of the target."""
        return self.kinds.members(self.tail_kind)
