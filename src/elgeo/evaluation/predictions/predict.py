"""The best missing axioms of a head, of a tail, or of all: with score, rank, status and the nearest known axioms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from elgeo.datasets.model import Dataset
from elgeo.errors import SettingError
from elgeo.evaluation.entailments import Entailments, real_classes
from elgeo.evaluation.predictions.neighbours import nearest_known
from elgeo.evaluation.ranking.best import best
from elgeo.evaluation.ranking.known import Known
from elgeo.evaluation.ranking.rank_axioms import rank
from elgeo.evaluation.ranking.ranks import Floats, Ids
from elgeo.evaluation.ranking.scoring import Question, Side
from elgeo.models.contract import Predictor
from elgeo.ontology.normal_forms import Table
from elgeo.ontology.vocabulary import Kind

if TYPE_CHECKING:
    import pandas as pd

EXCLUDABLE = ("entailed", "train", "contradicted")
NEIGHBOURS = 3


@dataclass(frozen=True, eq=False)
class Predictions:
    """Predicted axioms, best first."""

    dataset: Dataset
    rows: Table
    """In the columns of the dataset's target form."""
    scores: Floats
    ranks: Floats
    """Among the candidates that were not excluded; ties share the average rank."""
    status: Sequence[str]
    """`asserted` (in the training axioms), `entailed`, `contradicted` (makes its head unsatisfiable) or `novel`."""
    neighbours: Sequence[Sequence[int]]
    """Classes most like the head (where heads are predicted: the tail) that are known to have this answer."""

    def frame(self) -> pd.DataFrame:
        """A table for people and programs, with whole IRIs and labels."""
        import pandas as pd

        names = self.dataset.vocabulary
        role = "" if self.dataset.target_role is None else names.roles[int(self.rows[0, 1])] if len(self.rows) else ""
        columns = {
            "head": [names.classes[int(c)] for c in self.rows[:, 0]],
            "head_label": [names.class_label(int(c)) for c in self.rows[:, 0]],
            "role": [role] * len(self.rows),
            "tail": [names.classes[int(c)] for c in self.rows[:, -1]],
            "tail_label": [names.class_label(int(c)) for c in self.rows[:, -1]],
            "score": self.scores,
            "rank": self.ranks,
            "status": list(self.status),
            "neighbours": [", ".join(names.class_label(c) for c in near) for near in self.neighbours],
        }
        return pd.DataFrame(columns)

    def functional_syntax(self) -> str:
        """An ontology of the predicted axioms, each annotated with its score, that Protégé opens."""
        names = self.dataset.vocabulary
        lines = ["Prefix(rdfs:=<http://www.w3.org/2000/01/rdf-schema#>)", "Ontology("]
        for row, score, status in zip(self.rows, self.scores, self.status, strict=True):
            head, tail = (self._expression(int(c)) for c in row[[0, -1]])
            right = tail if len(row) == 2 else f"ObjectSomeValuesFrom(<{names.roles[int(row[1])]}> {tail})"
            note = f'Annotation(rdfs:comment "predicted by elgeo: {status}, score {score:.6g}")'
            lines.append(f"SubClassOf({note} {head} {right})")
        return "\n".join([*lines, ")", ""])

    def _expression(self, c: int) -> str:
        names = self.dataset.vocabulary
        kind, name = names.class_kinds[c], names.classes[c]
        if kind == Kind.FRESH:
            return name
        return f"ObjectOneOf(<{name}>)" if kind == Kind.INDIVIDUAL else f"<{name}>"


def predict(
    predictor: Predictor,
    dataset: Dataset,
    head: str | None = None,
    tail: str | None = None,
    role: str | None = None,
    top: int = 20,
    exclude: Sequence[str] = ("entailed", "train"),
    entailments: Entailments | None = None,
) -> Predictions:
    """The `top` best axioms that are missing: of a head, of a tail, or, with neither, of all heads together."""
    if head is not None and tail is not None:
        raise SettingError("give a head or a tail to predict for, not both")
    if top < 1:
        raise SettingError(f"top has to be at least 1, not {top}")
    if wrong := [name for name in exclude if name not in EXCLUDABLE]:
        raise SettingError(f"{wrong[0]!r} cannot be excluded; there are {', '.join(EXCLUDABLE)}")
    dataset = _of_role(dataset, role)
    entailments = entailments if entailments and entailments.dataset is dataset else Entailments(dataset)
    names = dataset.vocabulary
    side: Side = "head" if tail is not None else "tail"
    given = head if tail is None else tail
    answers = dataset.kinds.members(dataset.tail_kind if side == "tail" else dataset.head_kind)
    if given is None:
        asked = np.intersect1d(dataset.kinds.members(dataset.head_kind), real_classes(dataset)).astype(np.int32)
    else:
        asked = np.array([names.class_id(given)], np.int32)
    question = Question(predictor.scorer(), dataset.target_role, answers, side, names.class_label)
    excluded = _excluded(dataset, entailments, asked, answers, side, exclude)
    heads, classes, scores = _best_of_all(question, asked, top, excluded)
    ranks = rank(question, heads, classes, excluded).filtered.average
    rows = entailments.rows_of(*((heads, classes) if side == "tail" else (classes, heads)))
    return Predictions(
        dataset,
        rows,
        scores,
        ranks,
        _status(dataset, entailments, rows),
        nearest_known(predictor, dataset, heads, classes, side, NEIGHBOURS),
    )


def _of_role(dataset: Dataset, role: str | None) -> Dataset:
    """The dataset with another role as its target; candidates are of the kinds that the role joins in training."""
    if role is None:
        return dataset
    if dataset.target_role is None:
        raise SettingError(f"{dataset.name} is about subclasses, so there is no role to choose")
    number = dataset.vocabulary.role_id(role)
    if number == dataset.target_role:
        return dataset
    rows = dataset.forms.existential
    rows = rows[rows[:, 1] == number]
    if not len(rows):
        raise SettingError(f"no training axiom has the role {role!r}, so there is nothing to predict from")
    from dataclasses import replace

    usual = [int(np.bincount(dataset.kinds.of_class[rows[:, column]]).argmax()) for column in (0, 2)]
    head_kind, tail_kind = (dataset.kinds.names[kind] for kind in usual)
    nothing = rows[:0]
    return replace(
        dataset,
        target_role=number,
        train=rows,
        valid=nothing,
        test=nothing,
        head_kind=head_kind,
        tail_kind=tail_kind,
        symmetric=False,
    )


def _excluded(
    dataset: Dataset, entailments: Entailments, asked: Ids, answers: Ids, side: Side, exclude: Sequence[str]
) -> Known:
    """What must not be predicted, for each class asked; fresh classes and C ⊑ C never are.

    Nor is a class joined with itself, unless some training axiom does that.
    """
    pairs = [np.empty((0, 2), np.int32)]
    hidden = np.setdiff1d(answers, real_classes(dataset))
    if len(hidden):
        pairs.append(np.stack([np.repeat(asked, len(hidden)), np.tile(hidden, len(asked))], axis=1))
    if dataset.target_role is None or not (dataset.train[:, 0] == dataset.train[:, -1]).any():
        pairs.append(np.stack([asked, asked], axis=1))
    columns = [0, -1] if side == "tail" else [-1, 0]
    if "train" in exclude:
        pairs.append(dataset.train[np.isin(dataset.train[:, columns[0]], asked)][:, columns])
    if "entailed" in exclude:
        found = entailments.axioms(*((asked, answers) if side == "tail" else (answers, asked)))
        pairs.append(found[:, columns])
    if "contradicted" in exclude:
        for one in asked:
            every = np.full(len(answers), one, np.int32)
            rows = entailments.rows_of(*((every, answers) if side == "tail" else (answers, every)))
            pairs.append(rows[entailments.contradicts(rows)][:, columns])
    every_pair = np.concatenate(pairs)
    return Known.of_pairs(every_pair[:, 0], every_pair[:, 1], dataset.vocabulary.n_classes)


def _best_of_all(question: Question, asked: Ids, top: int, excluded: Known) -> tuple[Ids, Ids, Floats]:
    found = best(question, asked, top, excluded)
    row, column = np.nonzero(found.classes >= 0)
    scores = found.scores[row, column]
    order = np.lexsort((found.classes[row, column], asked[row], -scores))[:top]
    return asked[row[order]], found.classes[row, column][order], scores[order]


def _status(dataset: Dataset, entailments: Entailments, rows: Table) -> list[str]:
    if not len(rows):
        return []
    n = dataset.vocabulary.n_classes
    asserted = Known.of_pairs(dataset.train[:, 0], dataset.train[:, -1], n).contains(rows[:, 0], rows[:, -1])
    entailed = entailments.contains(rows)
    contradicted = entailments.contradicts(rows)
    words = np.select([contradicted, asserted, entailed], ["contradicted", "asserted", "entailed"], "novel")
    return [str(word) for word in words]
