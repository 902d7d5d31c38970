"""`Evaluation`: everything an evaluation found. Made once, written as `evaluation.json`, read back through one door."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from elgeo.documents import tidy
from elgeo.evaluation.measures.histogram import Histogram
from elgeo.evaluation.measures.intervals import Comparison, Interval
from elgeo.evaluation.measures.knowledge import Breakdown
from elgeo.evaluation.measures.metrics import per_axiom, per_class
from elgeo.evaluation.ranking.ranks import Ranking, Ranks
from elgeo.evaluation.settings import EvaluationSettings
from elgeo.evaluation.verdicts import Verdict, verdict
from elgeo.ontology.normal_forms import FORMS

VERSION = 2
"""Of the document; the first had no version, and neither knowledge, histogram nor examples."""
APART = ("novel", "entailed", "both")
"""Positives that are ranked apart where asked for."""


def form_text(form: str) -> str:
    """What people read for a form of held-out axioms; definitions that are held out whole are one too."""
    return FORMS[form].meaning if form in FORMS else "X ⊑ C of C ≡ X"


class Averages(NamedTuple):
    """Metrics over all axioms [the paper's macro] and over head classes [its micro]; NaN where there is none."""

    per_axiom: Mapping[str, float]
    per_class: Mapping[str, float]

    @staticmethod
    def of(ranks: Ranks) -> Averages:
        return Averages(per_axiom(ranks), per_class(ranks))

    def to_dict(self) -> dict[str, dict[str, float]]:
        return {"per_axiom": dict(self.per_axiom), "per_class": dict(self.per_class)}


class Measured(NamedTuple):
    """What some axioms came to in both settings."""

    axioms: int
    raw: Averages
    filtered: Averages

    @staticmethod
    def of(ranking: Ranking) -> Measured:
        return Measured(len(ranking.raw), Averages.of(ranking.raw), Averages.of(ranking.filtered))

    def figures(self, setting: str, average: str) -> Mapping[str, float]:
        """The metrics of a setting, `raw` or `filtered`, averaged `per_axiom` or `per_class`."""
        averages = self.raw if setting == "raw" else self.filtered
        return averages.per_axiom if average == "per_axiom" else averages.per_class


class Roc(NamedTuple):
    """A ROC curve as in the paper: rank over number of candidates, and the share of axioms up to it."""

    x: Sequence[float]
    y: Sequence[float]


class Example(NamedTuple):
    """A held-out axiom, where it was ranked, and what may be behind it."""

    head: str
    tail: str
    rank: float
    candidates: int
    reasons: Sequence[str]


@dataclass(frozen=True, eq=False)
class Evaluation:
    """The outcome of an evaluation."""

    model: str
    dataset: str
    settings: EvaluationSettings
    candidates: int
    """How many each answer was ranked among before the filter."""
    test: Measured
    """All axioms of the split."""
    apart: Mapping[str, Measured] = field(default_factory=dict)
    """`novel`, `entailed`, `both`, where asked for."""
    beside: Mapping[str, Measured] = field(default_factory=dict)
    """The baselines, and other runs, on the same axioms."""
    intervals: Mapping[str, Mapping[str, Interval]] = field(default_factory=dict)
    """Of the filtered metrics, `per_axiom` and `per_class`."""
    comparisons: Mapping[str, Sequence[Comparison]] = field(default_factory=dict)
    """Paired tests of the model against each of those beside it, on filtered metrics."""
    semantic: Mapping[str, float] = field(default_factory=dict)
    top_entailed: Mapping[str, float] = field(default_factory=dict)
    faithfulness: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """Shares of true axioms by normal form: `asserted`, `entailed`, `random`."""
    collapse: Mapping[str, float] = field(default_factory=dict)
    curves: Mapping[str, Roc] = field(default_factory=dict)
    knowledge: Breakdown = field(default_factory=dict)
    histogram: Histogram = field(default_factory=Histogram)
    examples: Mapping[str, Sequence[Example]] = field(default_factory=dict)
    """The `best` and the `worst` ranked axioms."""
    forms: Mapping[str, Mapping[str, Measured]] = field(default_factory=dict)
    """Where several normal forms are held out, by form and method; the model stands where it can score the form."""
    together: Mapping[str, Measured] = field(default_factory=dict)
    """All axioms of all these forms as one, by method; of those that can score every form."""
    rankings: Mapping[str, Ranking] = field(default_factory=dict, repr=False)
    """The ranks behind `test` and what is apart; kept in memory only."""

    def verdicts(self) -> list[Verdict]:
        """For each baseline or run: does the model beat it, and on what?"""
        return [verdict(self.model, other, found) for other, found in self.comparisons.items()]

    def to_dict(self) -> dict[str, Any]:
        """The document of `evaluate --json`; what is not defined is null."""
        document: dict[str, Any] = {
            "version": VERSION,
            "model": self.model,
            "dataset": self.dataset,
            "split": self.settings.split,
            "filter": self.settings.filter,
            "axioms": self.test.axioms,
            "candidates": self.candidates,
            "raw": self.test.raw.to_dict(),
            "filtered": self.test.filtered.to_dict(),
        }
        for name, found in self.apart.items():
            document[name] = {"axioms": found.axioms, **found.filtered.to_dict(), "raw": found.raw.to_dict()}
        document["semantic"] = self.semantic
        document["faithfulness"] = {
            **self.faithfulness.get("asserted", {}),
            **{name: shares for name, shares in self.faithfulness.items() if name != "asserted"},
        }
        document["collapse"] = self.collapse
        if self.top_entailed:
            document["top_entailed"] = self.top_entailed
        document["beside"] = {
            name: {"raw": found.raw.to_dict(), "filtered": found.filtered.to_dict()}
            for name, found in self.beside.items()
        }
        if self.forms:
            document["forms"] = {form: _by_method(methods) for form, methods in self.forms.items()}
            document["together"] = _by_method(self.together)
        document["intervals"] = self.intervals
        document["comparisons"] = {
            name: {c.metric: {"difference": c.difference, "interval": c.interval, "p": c.p_value} for c in found}
            for name, found in self.comparisons.items()
        }
        document["verdicts"] = [each.words for each in self.verdicts()]
        document["curves"] = {name: curve._asdict() for name, curve in self.curves.items()}
        document["settings"] = dataclasses.asdict(self.settings)
        document["knowledge"] = {
            counted: {
                end: {
                    amount: {"axioms": share.axioms, **share.figures, "beside": share.beside}
                    for amount, share in shares.items()
                }
                for end, shares in ends.items()
            }
            for counted, ends in self.knowledge.items()
        }
        document["histogram"] = self.histogram._asdict()
        document["examples"] = {
            name: [{**each._asdict(), "rank": tidy(each.rank)} for each in found]
            for name, found in self.examples.items()
        }
        plain: dict[str, Any] = _plain(document)
        return plain


def _by_method(methods: Mapping[str, Measured]) -> dict[str, Any]:
    return {
        name: {"axioms": found.axioms, "raw": found.raw.to_dict(), "filtered": found.filtered.to_dict()}
        for name, found in methods.items()
    }


def _plain(value: Any) -> Any:
    """JSON has no NaN: what is not defined becomes null."""
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
