"""The door of `evaluation.json`: every field is checked once, here, and nothing behind it looks at raw values again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from elgeo import settings as settings_module
from elgeo.documents import Fields, parse_json
from elgeo.errors import ReadError, SettingError
from elgeo.evaluation.document import APART, VERSION, Averages, Evaluation, Example, Measured, Roc
from elgeo.evaluation.measures.histogram import Histogram
from elgeo.evaluation.measures.intervals import Comparison, Interval
from elgeo.evaluation.measures.knowledge import AMOUNTS, Breakdown, KnowledgeShare
from elgeo.evaluation.measures.metrics import NOT_DEFINED
from elgeo.evaluation.settings import EvaluationSettings
from elgeo.evaluation.verdicts import NAMES


def read_evaluation(path: Path) -> Evaluation:
    """The evaluation in a file."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ReadError(error.strerror or str(error), str(path)) from None
    return evaluation_of(Fields(parse_json(content, path), path))


def evaluation_of(fields: Fields) -> Evaluation:
    """The evaluation that a document says."""
    if fields.has("version") and fields.whole("version") > VERSION:
        raise fields.error(f"a document of version {fields.values['version']}; this elgeo reads up to {VERSION}")
    settings = _settings(fields.table("settings"))
    axioms = fields.whole("axioms")
    return Evaluation(
        model=fields.text("model"),
        dataset=fields.text("dataset"),
        settings=settings,
        candidates=fields.whole("candidates"),
        test=Measured(axioms, _averages(fields, "raw"), _averages(fields, "filtered")),
        apart={name: _apart(fields.table(name)) for name in APART if fields.has(name)},
        beside={
            name: Measured(axioms, _averages(each, "raw"), _averages(each, "filtered"))
            for name, each in _tables(fields, "beside")
        },
        forms={form: _by_method(_inner(methods)) for form, methods in _tables(fields, "forms")},
        together=_by_method(_tables(fields, "together")),
        intervals={
            name: {metric: _interval(each, metric) for metric in each.values}
            for name, each in _tables(fields, "intervals")
        },
        comparisons={
            name: [_comparison(metric, one) for metric, one in _inner(each)]
            for name, each in _tables(fields, "comparisons")
        },
        semantic=_figures(fields, "semantic"),
        top_entailed=_figures(fields, "top_entailed"),
        faithfulness=_faithfulness(fields),
        collapse=_figures(fields, "collapse"),
        curves={name: _curve(each) for name, each in _tables(fields, "curves")},
        knowledge=_knowledge(fields),
        histogram=_histogram(fields),
        examples={name: _examples(fields.table("examples"), name) for name, _ in _entries(fields, "examples")},
    )


def _settings(fields: Fields) -> EvaluationSettings:
    try:
        return settings_module.make(EvaluationSettings, fields.values)
    except SettingError as error:
        raise fields.error(str(error)) from None


def _entries(fields: Fields, name: str) -> list[tuple[str, Any]]:
    """What stands in a table that may be missing."""
    return list(fields.table(name).values.items()) if fields.has(name) else []


def _inner(fields: Fields) -> list[tuple[str, Fields]]:
    """The tables in a table."""
    return [(name, fields.table(name)) for name in fields.values]


def _tables(fields: Fields, name: str) -> list[tuple[str, Fields]]:
    return _inner(fields.table(name)) if fields.has(name) else []


def _figure(fields: Fields, name: str) -> float:
    """A number, or null where it is not defined."""
    return NOT_DEFINED if name in fields.values and fields.values[name] is None else fields.number(name)


def _figures(fields: Fields, name: str, but: Sequence[str] = ()) -> dict[str, float]:
    if not fields.has(name):
        return {}
    table = fields.table(name)
    return {each: _figure(table, each) for each in table.values if each not in but}


def _averages(fields: Fields, name: str) -> Averages:
    table = fields.table(name)
    for average in Averages._fields:
        table.table(average)
    return Averages(_figures(table, "per_axiom"), _figures(table, "per_class"))


def _apart(fields: Fields) -> Measured:
    own = Averages(_figures(fields, "per_axiom"), _figures(fields, "per_class"))
    return Measured(fields.whole("axioms"), _averages(fields, "raw"), own)


def _by_method(methods: Sequence[tuple[str, Fields]]) -> dict[str, Measured]:
    return {
        name: Measured(each.whole("axioms"), _averages(each, "raw"), _averages(each, "filtered"))
        for name, each in methods
    }


def _list(fields: Fields, name: str) -> list[Any]:
    value = fields.values.get(name)
    if not isinstance(value, list):
        raise fields.error("has to be a list", name)
    return value


def _numbers(fields: Fields, name: str) -> list[float]:
    values = _list(fields, name)
    places = Fields({str(i): value for i, value in enumerate(values)}, fields.file, f"{fields.place}.{name}")
    return [places.number(str(i)) for i in range(len(values))]


def _curve(fields: Fields) -> Roc:
    curve = Roc(_numbers(fields, "x"), _numbers(fields, "y"))
    if len(curve.x) != len(curve.y):
        raise fields.error("has to have as many x as y")
    return curve


def _interval(fields: Fields, name: str) -> Interval:
    value = _list(fields, name)
    if len(value) != 2:
        raise fields.error("has to be two numbers", name)
    ends = Fields(dict(zip(Interval._fields, value, strict=True)), fields.file, f"{fields.place}.{name}")
    return Interval(_figure(ends, "low"), _figure(ends, "high"))


def _comparison(metric: str, fields: Fields) -> Comparison:
    if metric not in NAMES:
        raise fields.error(f"is not compared; there are {', '.join(NAMES)}")
    return Comparison(metric, _figure(fields, "difference"), _interval(fields, "interval"), fields.number("p", 0, 1))


def _faithfulness(fields: Fields) -> Mapping[str, Mapping[str, float]]:
    """Shares of asserted axioms stand by themselves; those of others in tables of their own."""
    if not fields.has("faithfulness"):
        return {}
    table = fields.table("faithfulness")
    others = [name for name, value in table.values.items() if isinstance(value, Mapping)]
    asserted = _figures(fields, "faithfulness", but=others)
    return ({"asserted": asserted} if asserted else {}) | {name: _figures(table, name) for name in others}


def _knowledge(fields: Fields) -> Breakdown:
    return {
        counted: {end: {amount: _share(shares.table(amount)) for amount in AMOUNTS} for end, shares in _inner(ends)}
        for counted, ends in _tables(fields, "knowledge")
    }


def _share(fields: Fields) -> KnowledgeShare:
    figures = {name: _figure(fields, name) for name in ("mrr", "hits@10", "mean_rank")}
    return KnowledgeShare(fields.whole("axioms"), figures, _figures(fields, "beside"))


def _histogram(fields: Fields) -> Histogram:
    if not fields.has("histogram"):
        return Histogram()
    table = fields.table("histogram")
    edges = [int(edge) for edge in _numbers(table, "edges")]
    counts = table.table("counts")
    found = {name: [int(count) for count in _numbers(counts, name)] for name in counts.values}
    if sorted(set(edges)) != edges or any(edge < 1 for edge in edges):
        raise table.error("has to be whole numbers from 1 on, each larger than the one before", "edges")
    for name, each in found.items():
        if len(each) != max(len(edges) - 1, 0) or any(count < 0 for count in each):
            raise counts.error("has to be a count for each step of the edges", name)
    return Histogram(edges, found)


def _examples(fields: Fields, name: str) -> list[Example]:
    found = []
    for i, value in enumerate(_list(fields, name)):
        each = Fields(value, fields.file, f"{fields.place}.{name}.{i}")
        reasons = _list(each, "reasons")
        if not all(isinstance(reason, str) for reason in reasons):
            raise each.error("has to be a list of sentences", "reasons")
        found.append(
            Example(each.text("head"), each.text("tail"), each.number("rank", 1), each.whole("candidates"), reasons)
        )
    return found
