"""Truth and score of whole axioms as people write them: any EL axiom where the geometry is closed under EL."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from elgeo.datasets.model import Dataset
from elgeo.documents import shown
from elgeo.errors import SettingError, UnsupportedError
from elgeo.models.closed import Closed, Inclusion
from elgeo.models.contract import Geometry, Predictor
from elgeo.models.ensemble import Ensemble
from elgeo.ontology.expressions import Op
from elgeo.ontology.normal_forms import FORMS
from elgeo.ontology.vocabulary import BOTTOM
from elgeo.reasoning.questions.entailment import ROLE_AXIOMS, alternatives, inclusions, role_inclusions
from elgeo.reasoning.questions.expressions import THING, And, Atom, Expression, Only, Reader, Some
from elgeo.reasoning.questions.question import Question


class ScoredAxiom(NamedTuple):
    """An axiom, whether it is true in the geometry, how far it is from true, and its score; None where nobody knows.

    Of what is empty in a geometry the last two are of the place that it is ranked by; it is true of it anyhow.
    Of an ensemble: whether it is true in every model, and the means.
    """

    axiom: str
    true: bool | None
    distance: float | None
    score: float | None
    true_in: int | None = None
    """In how many models of an ensemble."""
    models: int | None = None
    """So many there are, where it is one."""


def score_axioms(predictor: Predictor, dataset: Dataset, axioms: Sequence[str]) -> list[ScoredAxiom]:
    """Each axiom by what it says; one of several parts is as true, and scores as high, as the worst of them."""
    if isinstance(predictor, Ensemble):
        every = [score_axioms(member, dataset, axioms) for member in predictor.members]
        return [_together(each) for each in zip(*every, strict=True)]
    return [_scored(predictor, dataset, text) for text in axioms]


def _together(of_members: Sequence[ScoredAxiom]) -> ScoredAxiom:
    true = [each.true for each in of_members]
    distance, score = (_mean([each[i] for each in of_members]) for i in (2, 3))
    known = None not in true
    return ScoredAxiom(
        of_members[0].axiom,
        all(true) if known else None,
        distance,
        score,
        sum(map(bool, true)) if known else None,
        len(true),
    )


def _mean(numbers: Sequence[Any]) -> float | None:
    return None if None in numbers else float(np.mean(numbers))


def _scored(predictor: Predictor, dataset: Dataset, text: str) -> ScoredAxiom:
    question = Question.parse(text, dataset.vocabulary)
    ontology, node = question.ontology, question.node
    reader = Reader(ontology, dataset.vocabulary)
    op, arguments = Op(int(ontology.op[node])), ontology.arguments(node)
    found: list[ScoredAxiom] = []
    if op in ROLE_AXIOMS:
        with _named(text):
            chains = role_inclusions(reader, op, arguments)
        for chain, role in chains:
            form = {1: "subrole", 2: "chain"}.get(len(chain))
            if form is None:
                raise UnsupportedError(
                    f"axiom {shown(text)}: chains of {len(chain)} roles cannot be scored: two at most"
                )
            found.append(_row(predictor, form, (*chain, role), text))
    else:
        with _named(text):
            asked = inclusions(reader, op, arguments)
        for left, right in asked:
            found += [_inclusion(predictor, part, right, text) for part in alternatives(left)]
    if not found:
        raise UnsupportedError(f"axiom {shown(text)} names one class alone: there is nothing to score")
    return min(found, key=lambda each: (each.true is not False, -np.inf if each.score is None else each.score))


@contextmanager
def _named(text: str) -> Iterator[None]:
    """What cannot be said or has no box is refused with the axiom it stands in: it may be one of many."""
    try:
        yield
    except UnsupportedError as error:
        raise UnsupportedError(f"axiom {shown(text)}: {error}") from None


def _inclusion(predictor: Predictor, left: Expression, right: Expression, text: str) -> ScoredAxiom:
    is_judged = isinstance(predictor, Geometry) and "range" in predictor.judged_forms
    if is_judged and left == THING and isinstance(right, Only) and isinstance(right.filler, Atom):
        return _row(predictor, "range", (right.role, right.filler.id), text)
    if isinstance(predictor, Closed):
        with _named(text):
            inclusion: Inclusion = predictor.includes(left, right)
        bounded = np.isfinite(inclusion.distance)
        return ScoredAxiom(text, inclusion.true, *(inclusion[1:] if bounded else (None, None)))
    match left, right:
        case Atom(c), Atom(d):
            ids: tuple[int, ...] = (c,) if d == BOTTOM else (c, d)
            return _row(predictor, "empty" if d == BOTTOM else "subclass", ids, text)
        case And((Atom(c), Atom(d))), Atom(e):
            ids = (c, d) if e == BOTTOM else (c, d, e)
            return _row(predictor, "disjoint" if e == BOTTOM else "conjunction", ids, text)
        case Atom(c), Some(role, Atom(d)):
            return _row(predictor, "existential", (c, role, d), text)
        case Some(role, Atom(c)), Atom(d):
            ids = (role, c) if d == BOTTOM else (role, c, d)
            return _row(predictor, "empty_existential" if d == BOTTOM else "left_existential", ids, text)
    raise UnsupportedError(
        f"{predictor.name} has no place for the expressions of {shown(text)};"
        " in transbox every EL expression has one, in faithful too"
    )


def _row(predictor: Predictor, form: str, ids: tuple[int, ...], text: str) -> ScoredAxiom:
    """What a model says of a normal form."""
    shape = FORMS[form]
    if any(ids[i] < 0 for i in shape.class_columns):
        raise UnsupportedError(
            f"the run knows not every class of {shown(text)}: only what its dataset names can be scored"
        )
    true = score = None
    if isinstance(predictor, Geometry) and form in predictor.judged_forms:
        true = bool(predictor.holds(form, np.array([ids], np.int32))[0])
    if shape.has_tail and len(shape.left_classes) == 1 and shape.head == 0:
        head, tail = (np.array([ids[i]], np.int32) for i in (shape.head, -1))
        role = ids[shape.role_columns[0]] if shape.role_columns else None
        score = float(predictor.scorer().pairs(head, role, tail)[0])
    if true is None and score is None:
        raise SettingError(f"{predictor.name} can neither judge nor score {shape.meaning}: {text}")
    return ScoredAxiom(text, true, None, score)
