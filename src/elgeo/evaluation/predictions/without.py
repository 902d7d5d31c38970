"""What predictions would be without some training axioms: the model is fitted again, everything made anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from elgeo.arrays import Floats, Table
from elgeo.datasets.model import Dataset
from elgeo.errors import SettingError
from elgeo.models import find
from elgeo.models.atlas import AtlasSettings
from elgeo.models.atlas.weighing.heldout import without
from elgeo.models.contract import Baseline, Fitted, Predictor
from elgeo.models.ensemble import Ensemble
from elgeo.ontology import normalise
from elgeo.reasoning.questions.question import Question
from elgeo.training.run import Run


class Again(NamedTuple):
    """The same predictions by a model that was fitted without some axioms."""

    axioms: Sequence[str]
    scores: Floats
    before: Floats
    """The place of each tail among those of its head that no training axiom has, as the run has it …"""
    after: Floats
    """… and without the axioms."""


def fitted_again(
    run: Run, predictor: Predictor, rows: Table, axioms: Sequence[str], say: Callable[[str], None]
) -> Again:
    """Scores and places of predicted axioms with the run's model, and with one that never saw some training axioms."""
    cls, dataset = find(run.settings.model), run.dataset
    if not issubclass(cls, Fitted | Baseline):
        raise SettingError(f"{run.settings.model} is trained step by step: --without needs a model that is fitted")
    own = run.settings.own
    if isinstance(own, AtlasSettings) and own.geometry != "none":
        raise SettingError(
            f"the run takes scores of {own.geometry}, which has seen the axioms: --without needs one alone"
        )
    if rows[:, [0, -1]].max(initial=0) >= dataset.vocabulary.n_classes:
        raise SettingError("--without asks a model that is fitted again about classes of the dataset, not expressions")
    less = without(dataset, np.concatenate([told_row(text, dataset) for text in axioms]))
    if not len(less.train):
        raise SettingError("no training axiom of the target would be left")
    other = _fitted(run, less, say)
    heads, tails = (np.ascontiguousarray(rows[:, column]) for column in (0, -1))
    scores = other.scorer().pairs(heads, dataset.target_role, tails)
    return Again(tuple(axioms), scores, *(_places(each, dataset, rows) for each in (predictor, other)))


def _fitted(run: Run, dataset: Dataset, say: Callable[[str], None]) -> Predictor:
    """What the run has, fitted to another dataset; of an ensemble each member with its seed."""
    if run.record.members:
        return Ensemble([_fitted(member, dataset, say) for member in run.members])
    cls = find(run.settings.model)
    if issubclass(cls, Baseline):
        return cls.fit(dataset)
    assert issubclass(cls, Fitted)
    return cls.fit(dataset, run.settings.own, np.random.default_rng(run.settings.training.seed), say)


def told_row(text: str, dataset: Dataset) -> Table:
    """The row of a training axiom of the target as a person writes it; where the role goes both ways, both rows."""
    question = Question.parse(text, dataset.vocabulary)
    forms, names = normalise(question.ontology), dataset.vocabulary
    found = forms[dataset.target_form]
    if len(found) == 1 and sum(map(len, forms.tables.values())) == 1:
        head, tail = (names.class_id(forms.vocabulary.classes[int(c)]) for c in found[0, [0, -1]])
        role = [] if dataset.target_role is None else [names.role_id(forms.vocabulary.roles[int(found[0, 1])])]
        rows = [[head, *role, tail]] + ([[tail, *role, head]] if dataset.symmetric else [])
        told = {tuple(row) for row in dataset.forms[dataset.target_form].tolist()}
        if role in ([], [dataset.target_role]) and tuple(rows[0]) in told:
            return np.array(rows, np.int32)
    raise SettingError(f"{text}: no training axiom of the target, so nothing can be left out")


def _places(predictor: Predictor, dataset: Dataset, rows: Table) -> Floats:
    """Ranks of tails among the candidates of their heads that are in no training axiom with them, ties on average."""
    known: dict[int, set[int]] = {}
    for row in dataset.train.tolist():
        known.setdefault(row[0], set()).add(row[-1])
    scorer, places = predictor.scorer(), []
    for head, tail in rows[:, [0, -1]].tolist():
        others = np.array([c for c in dataset.candidates.tolist() if c not in known.get(head, ()) and c != tail])
        asked = np.append(others, tail).astype(np.int32)
        scores = np.asarray(scorer.tails(np.array([head], np.int32), dataset.target_role, asked)[0], np.float64)
        places.append(1 + (scores[:-1] > scores[-1]).sum() + (scores[:-1] == scores[-1]).sum() / 2)
    return np.array(places, np.float64)
