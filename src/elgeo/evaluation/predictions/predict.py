"""The best missing axioms of a head, of a tail, or of all: with score, rank, status and the nearest known axioms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from elgeo.arrays import Array, Flags, Floats, Ids, Table
from elgeo.datasets.model import Dataset
from elgeo.documents import shown
from elgeo.errors import SettingError
from elgeo.evaluation.calibration.document import Calibration
from elgeo.evaluation.entailments import Entailments
from elgeo.evaluation.predictions import notes
from elgeo.evaluation.predictions.all_pairs import Pairs
from elgeo.evaluation.predictions.as_ontology import as_ontology
from elgeo.evaluation.predictions.choosing import choose
from elgeo.evaluation.predictions.expressions import asked as asked_of
from elgeo.evaluation.predictions.known_pairs import is_mirrored, known_pairs
from elgeo.evaluation.predictions.neighbours import Joined, nearest_known
from elgeo.evaluation.predictions.offer import Offer
from elgeo.evaluation.predictions.votes import Votes, votes
from elgeo.evaluation.predictions.words import EXCLUDABLE, GENERAL, check_choices
from elgeo.evaluation.ranking.known import Known
from elgeo.evaluation.ranking.scoring import Contest, Side
from elgeo.models.contract import Predictor, Reason
from elgeo.ontology.short_names import called, short_form
from elgeo.ontology.writing.functional import functional_lines
from elgeo.training.distributed.processes import ALONE, Processes

if TYPE_CHECKING:
    import pandas as pd

    from elgeo.evaluation.predictions.without import Again

NEIGHBOURS = 3


@dataclass(frozen=True, eq=False, repr=False)
class Predictions:
    """Predicted axioms, best first."""

    dataset: Dataset
    rows: Table
    """In the columns of the dataset's target form."""
    scores: Floats
    margins: Floats
    """How far each answer is ahead of the next best one of its head (where heads are predicted: its tail), or behind
    the best: what predictions for several classes are ordered by, since scores of different ones do not compare."""
    ranks: Floats
    """Among these predictions; ties share the average rank."""
    status: Sequence[str]
    """`asserted` (in the training axioms), `entailed`, `contradicted` (makes its head unsatisfiable, or a class below
    it), `held out` (in the validation or test axioms) or `novel`."""
    neighbours: Sequence[Sequence[int]]
    """Classes most like the head (where heads are predicted: the tail) that are known to have this answer."""
    reasons: Sequence[Sequence[Reason]]
    """What each score is a sum of, largest first, where that was asked for and the predictor can say."""
    notes: Sequence[str] = ()
    """What a person should know of what is not here."""
    model: str = ""
    """What predicted them."""
    probabilities: Floats | None = None
    """How many suggestions like each were true on validation, where that was counted; see `calibration`."""
    votes: Votes | None = None
    """How far the members of an ensemble agree."""
    again: Again | None = None
    """The same by a model that was fitted without some axioms, where that was asked for."""

    def frame(self) -> pd.DataFrame:
        """A table for people and programs: whole IRIs, the ids people write for them, and labels."""
        import pandas as pd

        names = self.dataset.vocabulary
        heads, tails = ([int(c) for c in self.rows[:, column]] for column in (0, -1))
        roles = [names.roles[int(row[1])] for row in self.rows] if self.dataset.target_role is not None else []
        classes = {*heads, *tails, *(c for near in self.neighbours for c in near)}
        ids, labels, both = (
            {c: name(c) for c in classes}
            for name in (lambda c: short_form(names.classes[c]), names.class_label, lambda c: called(names, c))
        )
        columns = {
            "head": [names.classes[c] for c in heads],
            "head_id": [ids[c] for c in heads],
            "head_label": [labels[c] for c in heads],
            "role": roles or [""] * len(heads),
            "tail": [names.classes[c] for c in tails],
            "tail_id": [ids[c] for c in tails],
            "tail_label": [labels[c] for c in tails],
            **({} if self.probabilities is None else {"probability": self.probabilities}),
            "score": self.scores,
            **self._votes(),
            "margin": self.margins,
            "rank": self.ranks,
            "status": list(self.status),
            "neighbours": [", ".join(both[c] for c in near) for near in self.neighbours],
        }
        if any(self.reasons):
            columns["reasons"] = ["; ".join(f"{r.share:+.6g} {r.words}" for r in given) for given in self.reasons]
        return pd.DataFrame(columns)

    def _votes(self) -> dict[str, Array]:
        if self.votes is None:
            return {}
        true = {} if self.votes.true is None else {"true_in": self.votes.true}
        return {"spread": self.votes.spread, "agree": self.votes.agree, **true}

    def __repr__(self) -> str:
        return f"<{len(self.rows)} predictions on {self.dataset.name}>"

    def _repr_html_(self) -> str:
        """For notebooks."""
        return str(self.frame().to_html(index=False))

    def functional_syntax(self) -> str:
        """An ontology of the predicted axioms that Protégé opens, each annotated with where it comes from."""
        made = as_ontology(self)
        return "\n".join([*functional_lines(made.ontology, made.notes), ""])


def predict(
    predictor: Predictor,
    dataset: Dataset,
    head: str | None = None,
    tail: str | None = None,
    role: str | None = None,
    top: int = 20,
    exclude: Sequence[str] = EXCLUDABLE,
    general: float = GENERAL,
    explain: bool = False,
    entailments: Entailments | None = None,
    calibration: Calibration | None = None,
    processes: Processes = ALONE,
) -> Predictions:
    """The `top` best axioms that are missing: of a head, of a tail, or, with neither, of all heads together.

    `exclude` are words of `EXCLUDABLE`; `general` is the share of candidates below a class that makes it too general.
    With `explain` the predictor is asked for the reasons of each score; with a `calibration` predictions have
    probabilities. Several `processes` share the heads.
    """
    check_choices(head, tail, top, exclude, general)
    target, dataset = dataset.target_role, _of_role(dataset, role)
    if explain and dataset.target_role != target:
        raise SettingError("reasons are given for the target only: leave the role out, or ask for no reasons")
    given = head if tail is None else tail
    number = None
    if given is not None:
        number, dataset, predictor = asked_of(predictor, dataset, given)
    entailments = entailments if entailments and entailments.dataset is dataset else Entailments(dataset)
    names = dataset.vocabulary
    side: Side = "head" if tail is not None else "tail"
    offer = Offer(dataset, entailments, exclude, general)
    answers = offer.classes(side)
    asked = offer.classes("head") if number is None else np.array([number], np.int32)
    if not len(answers):
        raise SettingError(f"every candidate of {dataset.name} is left out: exclude fewer (--exclude nothing)")
    contest = Contest(predictor.scorer(), dataset.target_role, answers, side, names.class_label, processes)
    mirrored = entailments.once("mirrored", lambda: is_mirrored(dataset))

    def rows_of(heads: Ids, others: Ids) -> Table:
        return entailments.rows_of(*((heads, others) if side == "tail" else (others, heads)))

    dismissed: list[Table] = []

    def refused(heads: Ids, others: Ids) -> Flags:
        if "contradicted" not in exclude or not len(heads):
            return np.zeros(len(heads), np.bool_)
        rows = rows_of(heads, others)
        contradicts = entailments.contradicts(rows)
        dismissed.append(rows[contradicts])
        return contradicts

    known, of_lineage, mirrors, one_way = known_pairs(dataset, entailments, asked, answers, side, exclude, mirrored)
    said = notes.impossible(entailments, asked, None if given is None else side)
    said_once = (mirrored or one_way) and given is None
    pairs = choose(contest, asked, top, known, refused, said_once)
    said += notes.left_out(contest, pairs, top, given is not None, of_lineage, mirrors)
    said += notes.ruled_out(entailments, dismissed) + notes.beyond(dataset)
    rows = rows_of(pairs.asked, pairs.answers)
    joined = entailments.once(("joined", side), lambda: Joined.of(dataset, side))
    return Predictions(
        dataset,
        rows,
        pairs.scores,
        pairs.margins,
        _ranks(pairs.margins),
        _status(dataset, entailments, rows, "contradicted" not in exclude),
        nearest_known(predictor, joined, pairs.asked, pairs.answers, NEIGHBOURS),
        _reasons(predictor, entailments, rows, "contradicted" not in exclude) if explain else [()] * len(rows),
        said,
        predictor.name,
        None if calibration is None or role is not None else _probabilities(calibration, pairs, side),
        votes(predictor, dataset, contest, asked, pairs, rows, top, known, refused, said_once),
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
        raise SettingError(f"no training axiom has the role {shown(role)}, so there is nothing to predict from")
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


def _reasons(predictor: Predictor, entailments: Entailments, rows: Table, ask: bool) -> list[Sequence[Reason]]:
    """What each score is a sum of; before that, of what is shown and yet contradicts, what stands against it.

    That is the axiom beyond EL++ that rules it out, or the class below its head that could have no instance.
    """
    against = [f"contradicts {text}" if text else "" for text in entailments.ruled_out_by(rows)]
    if ask:
        emptied, names = entailments.emptied(rows), entailments.dataset.vocabulary
        for i in np.flatnonzero((emptied >= 0) & (emptied != rows[:, 0])).tolist():
            against[i] = f"makes {called(names, int(emptied[i]))} unsatisfiable"
    return [
        [*([Reason(text, 0.0)] if text else []), *predictor.explain(int(row[0]), int(row[-1]))]
        for row, text in zip(rows, against, strict=True)
    ]


def _probabilities(calibration: Calibration, pairs: Pairs, side: Side) -> Floats | None:
    """Margins among heads were not counted: what goes by margins says nothing of the heads of a tail."""
    if side == "head" and calibration.by == "margin":
        return None
    return calibration.probabilities(pairs.scores, pairs.margins)


def _ranks(scores: Floats) -> Floats:
    """The place of each prediction among those shown, largest first; equal ones share the middle of their places."""
    _, group, sizes = np.unique(-scores, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(sizes) - (sizes - 1) / 2)[group])


def _status(dataset: Dataset, entailments: Entailments, rows: Table, ask: bool) -> list[str]:
    """What is known of each row; whether it contradicts is asked only where that has not been done."""
    if not len(rows):
        return []
    told = entailments.once("told", lambda: _told(dataset))
    asserted, held_out = (known.contains(rows[:, 0], rows[:, -1]) for known in told)
    entailed = entailments.contains(rows)
    contradicted = entailments.contradicts(rows) if ask else np.zeros(len(rows), np.bool_)
    known = {"contradicted": contradicted, "asserted": asserted, "entailed": entailed, "held out": held_out}
    return [str(word) for word in np.select(list(known.values()), list(known), "novel")]


def _told(dataset: Dataset) -> tuple[Known, Known]:
    """The pairs of training, and those that are held out."""
    parts = dataset.train, np.concatenate([dataset.valid, dataset.test])
    train, held_out = (Known.of_pairs(part[:, 0], part[:, -1], dataset.vocabulary.n_classes) for part in parts)
    return train, held_out
