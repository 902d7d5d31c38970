"""The full evaluation of anything that can rank: ranks, metrics, semantics, faithfulness, baselines beside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Ids, Table
from elgeo.datasets.model import Dataset
from elgeo.errors import SettingError
from elgeo.evaluation.by_form import all_forms, rank_forms
from elgeo.evaluation.document import APART, Evaluation, Measured, Roc
from elgeo.evaluation.entailments import Entailments, real_classes
from elgeo.evaluation.examples import examples
from elgeo.evaluation.measures import faithfulness, semantic
from elgeo.evaluation.measures.cafa import Cafa
from elgeo.evaluation.measures.hierarchy import information_content
from elgeo.evaluation.measures.histogram import histogram
from elgeo.evaluation.measures.intervals import Comparison, Interval, compare, per_axiom_intervals, per_class_intervals
from elgeo.evaluation.measures.knowledge import by_knowledge
from elgeo.evaluation.measures.metrics import NOT_DEFINED, roc
from elgeo.evaluation.ranking.best import best
from elgeo.evaluation.ranking.known import Known
from elgeo.evaluation.ranking.rank_axioms import rank
from elgeo.evaluation.ranking.ranks import Ranking, Ranks
from elgeo.evaluation.ranking.scoring import Contest
from elgeo.evaluation.settings import EvaluationSettings
from elgeo.models.baselines import CommonNeighbours, Naive, SymmetricNaive
from elgeo.models.contract import Baseline, Geometry, Predictor
from elgeo.models.nearest_names import NearestNames
from elgeo.training.distributed.processes import ALONE, Processes

JUDGED_BY = ("mrr", "hits@10", "mean_rank")
"""The filtered metrics on which a model has to beat the baselines."""
CURVE_POINTS = 201
ENTAILED_HEADS = 10_000
"""Heads whose entailed axioms are ranked; the heads of the split, then others by chance up to this number."""


def evaluate(
    predictor: Predictor,
    dataset: Dataset,
    settings: EvaluationSettings | None = None,
    entailments: Entailments | None = None,
    others: Mapping[str, Predictor] | None = None,
    say: Callable[[str], None] = lambda stage: None,
    processes: Processes = ALONE,
) -> Evaluation:
    """Rank the held-out axioms of a dataset with a predictor, and with the baselines beside it.

    `others` are further predictors on the same axioms (another run); each is compared with the first in a paired test.
    `say` is told what is being done. Several `processes` share the ranking, and all of them have what it comes to.
    """
    evaluator = _Evaluator(predictor, dataset, settings or EvaluationSettings(), entailments, say, processes)
    return evaluator.evaluation(others or {})


class _Evaluator:
    """One evaluation on its way; every part reads what the earlier ones left."""

    def __init__(
        self,
        predictor: Predictor,
        dataset: Dataset,
        settings: EvaluationSettings,
        entailments: Entailments | None,
        say: Callable[[str], None],
        processes: Processes = ALONE,
    ) -> None:
        self.processes = processes
        if dataset.target_role is None and (dataset.other_forms or dataset.definitions):
            settings = replace(settings, without_head=True)  # C ⊑ C is as trivially true as C ⊓ D ⊑ C beside it
        self.predictor, self.dataset, self.settings, self.say = predictor, dataset, settings, say
        self.entailments = entailments or Entailments(dataset, settings.closure)
        self.rows = dataset.test if settings.split == "test" else dataset.valid
        if not len(self.rows):
            raise SettingError(f"the {settings.split} split of {dataset.name} has no axioms to rank")
        self.candidates = candidates_of(dataset, settings.candidates, settings.side)
        self.known = self._known()

    def evaluation(self, others: Mapping[str, Predictor]) -> Evaluation:
        settings, dataset = self.settings, self.dataset
        self.say("ranking")
        contest = self._contest(self.predictor)
        rankings = self._rankings(contest)
        self.say("ranking with the baselines")
        baselines = {baseline.name: baseline.fit(dataset) for baseline in self._baselines()}
        beside = {name: self._rank(self._contest(other), self.rows) for name, other in {**baselines, **others}.items()}
        model = self.predictor if isinstance(self.predictor, Geometry) and settings.faithfulness else None
        model = model if model is not None and model.judged_forms else None  # vectors of words, edges: no sets
        test = rankings["test"]
        filtered = {name: ranking.filtered for name, ranking in beside.items()}
        forms = self._forms(test, beside)
        return Evaluation(
            model=self.predictor.name,
            dataset=dataset.name,
            settings=settings,
            candidates=test.raw.total,
            test=Measured.of(test),
            apart={name: Measured.of(rankings[name]) for name in APART if name in rankings},
            beside={name: Measured.of(ranking) for name, ranking in beside.items()},
            forms={form: {name: Measured.of(each) for name, each in found.items()} for form, found in forms.items()},
            together={name: Measured.of(each) for name, each in all_forms(forms).items()},
            intervals=self._intervals(test.filtered),
            comparisons=self._comparisons(test.filtered, beside),
            semantic=self._semantic(contest, test, baselines) if settings.semantic else {},
            top_entailed=self._top_entailed(contest) if settings.positives != "test" else {},
            faithfulness={} if model is None else self._faithfulness(model),
            collapse=faithfulness.signs_of_collapse(model, dataset, test.raw, self._generator()),
            curves={name: _curve(ranks) for name, ranks in self._curves(rankings, filtered).items()},
            knowledge=by_knowledge(dataset, self.rows, test.filtered, filtered),
            histogram=histogram({self.predictor.name: test.filtered, **filtered}),
            examples=examples(self.predictor, dataset, contest, self.rows, test.filtered, self.known),
            rankings=rankings,
        )

    def _forms(self, test: Ranking, beside: Mapping[str, Ranking]) -> dict[str, dict[str, Ranking]]:
        """All forms side by side where several are held out."""
        others = rank_forms(self.predictor, self.dataset, self.settings, self.candidates, self.say)
        if not others:
            return {}
        target = {self.predictor.name: test, Naive.name: beside.get(Naive.name, test)}
        return {self.dataset.target_form: target, **others}

    def _curves(self, rankings: Mapping[str, Ranking], beside: Mapping[str, Ranks]) -> dict[str, Ranks]:
        model, test = self.predictor.name, rankings["test"]
        curves = {f"{model}, raw": test.raw, f"{model}, filtered": test.filtered}
        curves |= {f"{model}, {name}": rankings[name].filtered for name in APART if name in rankings}
        return {**curves, **beside}

    def _intervals(self, ranks: Ranks) -> dict[str, dict[str, Interval]]:
        n = self.settings.resamples
        if not n:
            return {}
        return {
            "per_axiom": per_axiom_intervals(ranks, self._generator(), n),
            "per_class": per_class_intervals(ranks, self._generator(), n),
        }

    def _comparisons(self, ranks: Ranks, beside: Mapping[str, Ranking]) -> dict[str, list[Comparison]]:
        n = self.settings.resamples
        if not n:
            return {}
        return {
            name: [compare(ranks, other.filtered, metric, self._generator(), n) for metric in JUDGED_BY]
            for name, other in beside.items()
        }

    def _generator(self) -> np.random.Generator:
        return np.random.default_rng(self.settings.seed)

    def _contest(self, predictor: Predictor) -> Contest:
        return Contest(
            predictor.scorer(),
            self.dataset.target_role,
            self.candidates,
            self.settings.side,
            self.dataset.vocabulary.class_label,
            self.processes,
        )

    def _sides(self, rows: Table) -> tuple[Ids, Ids]:
        """What is asked of, and what the answer is."""
        heads, tails = np.ascontiguousarray(rows[:, 0]), np.ascontiguousarray(rows[:, -1])
        return (heads, tails) if self.settings.side == "tail" else (tails, heads)

    def _rank(self, contest: Contest, rows: Table) -> Ranking:
        return rank(contest, *self._sides(rows), self.known, self.settings.without_head)

    def _known(self) -> Known | None:
        dataset, settings = self.dataset, self.settings
        if settings.filter == "none":
            return None
        rows = dataset.train if settings.filter == "train" else np.concatenate([dataset.train, dataset.valid])
        if settings.filter == "closure":
            rows = self.entailed
            if dataset.target_role is None:  # C ⊑ C follows too
                asked = np.unique(self._sides(np.concatenate([self.rows, rows]))[0])
                rows = np.concatenate([rows, np.stack([asked, asked], axis=1)])
        return Known.of_pairs(*self._sides(rows), dataset.vocabulary.n_classes)

    @cached_property
    def entailed(self) -> Table:
        """The entailed target axioms of the heads of the split, and of other heads too where they are positives."""
        asked = np.unique(self._sides(self.rows)[0])
        if self.settings.positives in ("entailed", "both"):
            kind = self.dataset.head_kind if self.settings.side == "tail" else self.dataset.tail_kind
            others = np.setdiff1d(np.intersect1d(self.dataset.kinds.members(kind), real_classes(self.dataset)), asked)
            room = max(0, ENTAILED_HEADS - len(asked))
            asked = np.concatenate([asked, self._generator().permutation(others)[:room]])
        if self.settings.side == "tail":
            return self.entailments.axioms(asked, self.candidates)
        return self.entailments.axioms(self.candidates, asked)

    def _rankings(self, contest: Contest) -> dict[str, Ranking]:
        """The axioms of the split and whatever other positives are wanted, ranked in one pass."""
        wanted, n = self.settings.positives, len(self.rows)
        entailed = self.entailed if wanted in ("entailed", "both") else self.rows[:0]
        everything = self._rank(contest, np.concatenate([self.rows, entailed]))
        which = {"test": np.arange(n)}
        if wanted in ("novel", "both"):
            which["novel"] = np.flatnonzero(~self.entailments.contains(self.rows))
        if wanted in ("entailed", "both"):
            which["entailed"] = np.arange(n, n + len(entailed))
        if wanted == "both":
            which["both"] = np.concatenate([which["novel"], which["entailed"]])
        return {name: Ranking(everything.raw.take(at), everything.filtered.take(at)) for name, at in which.items()}

    def _baselines(self) -> list[type[Baseline]]:
        found: list[type[Baseline]] = [Naive, CommonNeighbours]
        if self.dataset.head_kind == self.dataset.tail_kind and not self.dataset.symmetric:
            found.insert(1, SymmetricNaive)
        if self.dataset.record.get("made_by") == "releases":  # what curators will add can be read off names
            found.append(NearestNames)
        return [baseline for baseline in found if baseline.name != self.predictor.name]

    def _semantic(self, contest: Contest, ranking: Ranking, baselines: Mapping[str, Predictor]) -> dict[str, float]:
        if self.settings.side == "head":
            return {}  # superclasses of a head are not entailed by the truth; its subclasses are
        self.say("semantic measures")
        dataset, hierarchy = self.dataset, self.entailments.hierarchy
        trained = hierarchy.propagated(dataset.train[:, 0], dataset.train[:, -1])
        content = information_content(trained, dataset.vocabulary.n_classes)
        ranks = ranking.filtered
        found = {
            "lin_hits@10": semantic.lin_hits(
                contest, ranks, hierarchy, content, 10, self.known, self.settings.without_head, self._generator()
            ),
        }
        credited = semantic.superclass_ranks(contest, ranks, hierarchy, self.known, self.settings.without_head)
        found |= {"superclass_mean_rank": float(credited.mean()), "superclass_mrr": float((1 / credited).mean())}
        if not self._is_function():
            return found | Cafa(NOT_DEFINED, NOT_DEFINED, NOT_DEFINED)._asdict()
        filtered, sides = self.settings.filter != "none", self._sides(self.rows)
        found |= semantic.function_measures(contest, *sides, hierarchy, trained, filtered)._asdict()
        if Naive.name in baselines:
            counted = self._contest(baselines[Naive.name])
            beside = semantic.function_measures(counted, *sides, hierarchy, trained, filtered)._asdict()
            found |= {f"{name} of {Naive.name}": value for name, value in beside.items()}
        return found

    def _is_function(self) -> bool:
        """Tails stand in a hierarchy of their own and heads do not stand in it, as proteins and their functions do."""
        return self.dataset.head_kind != self.dataset.tail_kind and semantic.has_hierarchy(
            self.entailments.hierarchy, self.candidates
        )

    def _top_entailed(self, contest: Contest) -> dict[str, float]:
        """Which fraction of the k best candidates of a head is entailed; ties are broken by chance."""
        asked = np.unique(self._sides(self.rows)[0]).astype(np.int32)
        priority = self._generator().permutation(len(self.candidates))
        top = best(contest, asked, 100, None, self.settings.without_head, priority).classes
        heads = np.broadcast_to(asked[:, None], top.shape)
        shown = top >= 0
        entailed = np.zeros(top.shape, np.bool_)
        pairs = (heads[shown], top[shown]) if self.settings.side == "tail" else (top[shown], heads[shown])
        entailed[shown] = self.entailments.contains(self.entailments.rows_of(*pairs))
        return {
            f"top_{k}": float((entailed[:, :k].sum(axis=1) / np.maximum(shown[:, :k].sum(axis=1), 1)).mean())
            for k in (1, 10, 100)
        }

    def _faithfulness(self, model: Geometry) -> dict[str, dict[str, float]]:
        self.say("truth in the model")
        return {
            "asserted": faithfulness.true_shares(model, self.dataset, self._generator()),
            "entailed": faithfulness.entailed_shares(model, self.dataset, self.entailments.closure, self._generator()),
            "random": faithfulness.random_shares(model, self.dataset, self._generator()),
        }


def candidates_of(dataset: Dataset, which: str, side: str = "tail") -> NDArray[np.int32]:
    """The classes that may answer: all of the kind, or those of them that occur in a target axiom of any split."""
    kind = dataset.tail_kind if side == "tail" else dataset.head_kind
    members = dataset.kinds.members(kind)
    if which == "kind":
        return members
    rows = np.concatenate([dataset.train, dataset.valid, dataset.test])
    return np.intersect1d(members, rows[:, [0, -1]]).astype(np.int32)


def _curve(ranks: Ranks) -> Roc:
    """A ROC curve with few enough points to store; the ends are kept."""
    x, y = roc(ranks)
    if len(x) > CURVE_POINTS:
        keep = np.unique(np.linspace(0, len(x) - 1, CURVE_POINTS).round().astype(np.int64))
        x, y = x[keep], y[keep]
    return Roc(x.tolist(), y.tolist())
