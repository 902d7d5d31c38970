"""`rank_forms`: held-out axioms of every normal form, each ranked by its last class among all candidates."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from elgeo.arrays import Flags, Floats, Ids, Places, Table
from elgeo.datasets.model import Dataset, HeldDefinition
from elgeo.errors import SettingError
from elgeo.evaluation.ranking.known import Known
from elgeo.evaluation.ranking.rank_axioms import rank
from elgeo.evaluation.ranking.ranks import Ranking, Ranks
from elgeo.evaluation.ranking.scoring import Contest
from elgeo.evaluation.settings import EvaluationSettings
from elgeo.models.baselines import Naive
from elgeo.models.closed import Closed
from elgeo.models.contract import Predictor, Scorer
from elgeo.models.ensemble import members_of, together
from elgeo.models.lefts import LEFT_FORMS, PlacesLefts
from elgeo.ontology.model import Builder
from elgeo.ontology.normal_forms import FORMS
from elgeo.ontology.vocabulary import Vocabulary
from elgeo.reasoning.questions.axiom_text import parse_class
from elgeo.reasoning.questions.expressions import And, Atom, Expression, Reader

Say = Callable[[str], None]
DEFINITIONS = "definitions"
"""What stands in the place of a form for definitions that are held out whole."""


def rank_forms(
    predictor: Predictor, dataset: Dataset, settings: EvaluationSettings, candidates: Ids, say: Say
) -> dict[str, dict[str, Ranking]]:
    """By form, by method: the predictor, where it can score the form, and how frequent the answer is in training.

    What a left side is below whatever is true (C and D of C ⊓ D) is no candidate, raw or filtered.
    """
    if settings.side == "head" and dataset.other_forms:
        raise SettingError("several normal forms are ranked by their last class: --side head asks for the first")
    found: dict[str, dict[str, Ranking]] = {}
    for form, held_out in dataset.other_forms.items():
        rows = held_out.test if settings.split == "test" else held_out.valid
        rows = rows[np.isin(rows[:, -1], candidates)]
        if not len(rows):
            continue
        say(f"ranking {FORMS[form].meaning}")
        task = _Task(dataset, form, rows, _known_rows(dataset, form, settings), candidates)
        methods = {} if not can_score(predictor, form) else {predictor.name: task.ranked(predictor)}
        found[form] = {**methods, Naive.name: task.by_frequency()}
    held = [each for each in dataset.definitions if each.part == settings.split]
    if held:
        say("ranking the classes of definitions")
        found[DEFINITIONS] = rank_definitions(predictor, dataset, held, candidates)
    return found


def rank_definitions(
    predictor: Predictor, dataset: Dataset, held: Sequence[HeldDefinition], candidates: Ids
) -> dict[str, Ranking]:
    """X ⊑ ?C of definitions C ≡ X that are held out whole; nothing is known of X but what it is an intersection of."""
    names = dataset.vocabulary
    heads = (names.n_classes + np.arange(len(held))).astype(np.int32)
    answers = np.array([each.class_id for each in held], np.int32)
    counts = np.bincount(dataset.forms.subclass[:, 1], minlength=names.n_classes).astype(np.float64)
    expressions = [_expression(each.expression, names) for each in held]
    trivial = [(head, c) for head, each in zip(heads.tolist(), expressions, strict=True) for c in _conjuncts(each)]
    owners, above = np.array(trivial, np.int64).reshape(-1, 2).T
    never = Known.of_pairs(owners, above, names.n_classes + len(held))
    scorers: dict[str, Scorer] = {Naive.name: _Frequency(counts)}
    closed = [each for each in members_of(predictor) if isinstance(each, Closed)]
    if len(closed) == len(members_of(predictor)):
        scorers = {predictor.name: together([each.with_expressions(expressions) for each in closed]), **scorers}
    label = f"definition {{}} of {dataset.name}".format
    return {
        name: rank(Contest(scorer, None, candidates, "tail", label), heads, answers, never=never)
        for name, scorer in scorers.items()
    }


def _expression(text: str, names: Vocabulary) -> Expression:
    builder = Builder()
    node = parse_class(text, names, builder)
    return Reader(builder.finish(), names).expression(node)


def _conjuncts(expression: Expression) -> list[int]:
    """The classes that an expression is below whatever is true of them."""
    if isinstance(expression, And):
        return [c for part in expression.parts for c in _conjuncts(part)]
    return [expression.id] if isinstance(expression, Atom) and expression.id >= 0 else []


def all_forms(forms: Mapping[str, Mapping[str, Ranking]]) -> dict[str, Ranking]:
    """The axioms of all forms as one, by method; of methods that have ranks for every form."""
    shared = [name for name in next(iter(forms.values()), {}) if all(name in methods for methods in forms.values())]
    found = {}
    for name in shared:
        raw, filtered = zip(*(methods[name] for methods in forms.values()), strict=True)
        found[name] = Ranking(_one(raw), _one(filtered))
    return found


def _one(several: Sequence[Ranks]) -> Ranks:
    """Ranks behind each other; a left side of one form is not that of another, though both may have one number."""
    every = Ranks.joined(several)
    places = np.repeat(np.arange(len(several)), [len(each) for each in several])
    _, heads = np.unique(np.stack([places, every.heads]), axis=1, return_inverse=True)
    return replace(every, heads=heads.ravel().astype(np.int32))


def can_score(predictor: Predictor, form: str) -> bool:
    """Whether a predictor has a score for the axioms of a form."""
    return form not in LEFT_FORMS or all(isinstance(each, PlacesLefts) for each in members_of(predictor))


def _known_rows(dataset: Dataset, form: str, settings: EvaluationSettings) -> Table:
    """The axioms that the filter knows: of training and, where it is wanted, of validation; not of the closure."""
    rows = dataset.forms[form]
    if settings.filter == "none":
        return rows[:0]
    return np.concatenate([rows, dataset.other_forms[form].valid]) if settings.filter == "train+valid" else rows


@dataclass(frozen=True, eq=False)
class _Task:
    """Axioms of one form, what is known of their left sides, and who may be the answer."""

    dataset: Dataset
    form: str
    rows: Table
    known: Table
    candidates: Ids

    def ranked(self, predictor: Predictor) -> Ranking:
        if self.form in LEFT_FORMS:
            placing = [each for each in members_of(predictor) if isinstance(each, PlacesLefts)]
            return self._by_left(lambda lefts: together([each.with_lefts(self.form, lefts) for each in placing]))
        scorer = predictor.scorer()
        return self._by_role(lambda role: scorer)

    def by_frequency(self) -> Ranking:
        """How often a class is the answer in training axioms of the form and, where the left is a class, the role."""
        trained = self.dataset.forms[self.form]
        if self.form in LEFT_FORMS:
            return self._by_left(lambda lefts: self._frequency(trained))
        return self._by_role(lambda role: self._frequency(trained[trained[:, 1] == role]))

    def _frequency(self, trained: Table) -> Scorer:
        return _Frequency(np.bincount(trained[:, -1], minlength=self.dataset.vocabulary.n_classes).astype(np.float64))

    def _by_left(self, scorer: Callable[[Table], Scorer]) -> Ranking:
        """Left sides that are no classes: they are numbered after the classes."""
        lefts, number = np.unique(self.rows[:, :-1], axis=0, return_inverse=True)
        heads = (self.dataset.vocabulary.n_classes + number.ravel()).astype(np.int32)
        return self._of(scorer(lefts.astype(np.int32)), None, heads, np.ones(len(heads), np.bool_))

    def _by_role(self, scorer: Callable[[int], Scorer]) -> Ranking:
        """C ⊑ ∃R.D, a role at a time."""
        made = []
        roles = self.rows[:, 1]
        for role in np.unique(roles).tolist():
            mine = roles == role
            made.append((np.flatnonzero(mine), self._of(scorer(role), role, self.rows[mine, 0], mine)))
        return _joined(made)

    def _of(self, scorer: Scorer, role: int | None, heads: Ids, mine: Flags) -> Ranking:
        """Ranks of some rows, whose left sides have the numbers `heads`; what is known is looked up by left side."""
        rows, heads = self.rows[mine], np.ascontiguousarray(heads)
        contest = Contest(scorer, role, self.candidates, "tail", self._label)
        answers = np.ascontiguousarray(rows[:, -1])
        return rank(contest, heads, answers, self._known(rows, heads), never=self._trivial(rows, heads))

    def _known(self, rows: Table, heads: Ids) -> Known:
        number = {tuple(left): head for left, head in zip(rows[:, :-1].tolist(), heads.tolist(), strict=True)}
        pairs = [(number[left], tail) for *columns, tail in self.known.tolist() if (left := tuple(columns)) in number]
        one, other = np.array(pairs, np.int64).reshape(-1, 2).T
        return Known.of_pairs(one, other, self._n_classes(heads))

    def _trivial(self, rows: Table, heads: Ids) -> Known | None:
        """C and D above C ⊓ D."""
        if not FORMS[self.form].unordered:
            return None
        return Known.of_pairs(np.repeat(heads, 2), rows[:, :2].ravel(), self._n_classes(heads))

    def _n_classes(self, heads: Ids) -> int:
        return 1 + max(int(heads.max()), self.dataset.vocabulary.n_classes)

    def _label(self, number: int) -> str:
        names = self.dataset.vocabulary
        return names.class_label(number) if number < names.n_classes else f"a left side of {FORMS[self.form].meaning}"


class _Frequency:
    """A score for each class, whatever the left side."""

    tolerance = 0.0

    def __init__(self, counts: Floats) -> None:
        self._counts = counts

    def pairs(self, heads: Ids, role: int | None, tails: Ids) -> Floats:
        return self._counts[tails]

    def tails(self, heads: Ids, role: int | None, tails: Ids) -> Floats:
        return np.tile(self._counts[tails], (len(heads), 1))

    def heads(self, heads: Ids, role: int | None, tails: Ids) -> Floats:
        return np.tile(self._counts[tails][:, None], (1, len(heads)))


def _joined(parts: Sequence[tuple[Places, Ranking]]) -> Ranking:
    """One ranking of several, each with the places of its rows."""
    order = np.argsort(np.concatenate([places for places, _ in parts]))
    return Ranking(*(Ranks.joined([getattr(each, way) for _, each in parts]).take(order) for way in Ranking._fields))
