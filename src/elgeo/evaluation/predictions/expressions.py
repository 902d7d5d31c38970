"""An expression in the place of a class: a name of its own, defined by axioms, and a predictor with a place for it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from elgeo.arrays import Longs, Table
from elgeo.datasets.model import Dataset, Kinds
from elgeo.documents import shown
from elgeo.errors import SettingError, UnknownNameError, UnsupportedError
from elgeo.evaluation.predictions.offer import class_named
from elgeo.models.closed import Closed
from elgeo.models.contract import Predictor, Scorer
from elgeo.models.ensemble import Ensemble, members_of
from elgeo.ontology.model import Builder
from elgeo.ontology.normal_forms import NormalForms
from elgeo.ontology.vocabulary import Kind, Vocabulary
from elgeo.reasoning.questions.axiom_text import parse_class
from elgeo.reasoning.questions.expressions import And, Atom, Expression, Reader, Some

_WRITTEN = re.compile(r"\s(some|and|value)\s|\(", re.I)
"""What no name has, unless it is one that is known."""


class Asked(NamedTuple):
    """What is asked of: a class of a dataset, and who is asked."""

    number: int
    dataset: Dataset
    predictor: Predictor


def asked(predictor: Predictor, dataset: Dataset, text: str) -> Asked:
    """The class that a user means, or a new one that stands for the expression that they wrote."""
    names = dataset.vocabulary
    try:
        return Asked(class_named(names, text), dataset, predictor)
    except UnknownNameError:
        if not _WRITTEN.search(text):
            raise
    builder = Builder()
    node = parse_class(text, names, builder)
    ontology = builder.finish()
    expression = Reader(ontology, names).expression(node)
    if isinstance(expression, Atom):
        return Asked(expression.id, dataset, predictor)
    closed = [each for each in members_of(predictor) if isinstance(each, Closed)]
    if len(closed) < len(members_of(predictor)):
        raise SettingError(
            f"{predictor.name} has places for classes alone, not for {shown(text)};"
            " in transbox every EL expression has one, in faithful too"
        )
    definitions = _Definitions(names.n_classes)
    number = definitions.of(expression)
    extended = _extended(dataset, definitions, number, ontology.text(node), text)
    placing = [_Placing(each, number, expression) for each in closed]
    return Asked(number, extended, _Together(placing) if isinstance(predictor, Ensemble) else placing[0])


class _Definitions:
    """Axioms that say what new classes are: of C ⊓ D and ∃R.C both directions."""

    def __init__(self, classes: int) -> None:
        self._next = classes
        self.rows: dict[str, list[tuple[int, ...]]] = {
            form: [] for form in ("subclass", "conjunction", "existential", "left_existential")
        }

    @property
    def end(self) -> int:
        return self._next

    def of(self, expression: Expression) -> int:
        """The class of an expression; the outermost one is numbered first."""
        match expression:
            case Atom(number) if number >= 0:
                return number
            case Atom(_, iri):
                raise UnsupportedError(f"the run knows no class {iri}")
            case And(parts):
                number = self._new()
                together = self.of(parts[0])
                self.rows["subclass"].append((number, together))
                for i, part in enumerate(parts[1:], 2):
                    other = self.of(part)
                    self.rows["subclass"].append((number, other))
                    both = number if i == len(parts) else self._new()
                    self.rows["conjunction"].append((together, other, both))
                    together = both
                return number
            case Some(role, filler):
                number = self._new()
                other = self.of(filler)
                self.rows["existential"].append((number, role, other))
                self.rows["left_existential"].append((role, other, number))
                return number
        raise UnsupportedError("predictions can be asked of classes, intersections and existentials")

    def _new(self) -> int:
        self._next += 1
        return self._next - 1


class _Placing(Predictor):
    """A predictor with a place for one more class, after all others."""

    def __init__(self, closed: Closed, number: int, expression: Expression) -> None:
        assert isinstance(closed, Predictor)
        self.name = closed.name  # type: ignore[misc]
        self._closed, self._number, self._expression = closed, number, expression
        self._scorer = closed.with_expressions([expression])

    def scorer(self) -> Scorer:
        return self._scorer

    def holds(self, row: Sequence[int]) -> bool:
        """Whether C ⊑ D or C ⊑ ∃R.D is true."""
        head, tail = (self._expression if c == self._number else Atom(c) for c in (row[0], row[-1]))
        return self._closed.includes(head, Some(row[1], tail) if len(row) > 2 else tail).true


class _Together(Ensemble):
    """Several of these, which tell in how many of them what they predict is true."""

    def __init__(self, placing: Sequence[_Placing]) -> None:
        super().__init__(placing)
        self._placing = placing

    def true_in(self, form: str, rows: Table) -> Longs:
        return np.array([sum(each.holds(row) for each in self._placing) for row in rows.tolist()], np.int64)


def _extended(dataset: Dataset, definitions: _Definitions, number: int, name: str, text: str) -> Dataset:
    """The dataset with the new classes; the first has the expression as its name and the user's words as its label."""
    names, more = dataset.vocabulary, definitions.end - dataset.vocabulary.n_classes
    added = [name if c == number else f"{name}<{c}>" for c in range(number, number + more)]
    vocabulary = Vocabulary(
        [*names.classes, *added],
        np.concatenate([names.class_kinds, np.full(more, Kind.FRESH, np.uint8)]),
        names.roles,
        names.role_kinds,
        {**names.labels, name: text},
        names.synonyms,
        names.definitions,
        names.prefixes,
        names.alternatives,
        names.deprecated,
        names.other_labels,
    )
    kinds = Kinds(dataset.kinds.names, np.concatenate([dataset.kinds.of_class, np.zeros(more, np.int16)]))
    tables: Mapping[str, Table] = {
        form: np.concatenate([table, np.array(definitions.rows.get(form, []), np.int32).reshape(-1, table.shape[1])])
        for form, table in dataset.forms.tables.items()
    }
    return replace(dataset, forms=NormalForms(vocabulary, tables, limits=dataset.forms.limits), kinds=kinds)
