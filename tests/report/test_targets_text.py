"""Tables of targets: numbers stand right, under each other, and words left."""

from __future__ import annotations

import re

from elgeo.evaluation.by_form import DEFINITIONS
from elgeo.evaluation.document import Averages, Evaluation, Measured
from elgeo.evaluation.settings import EvaluationSettings
from elgeo.report.targets_text import METRICS, as_table, by_form


def test_numbers_end_under_each_other() -> None:
    small = dict.fromkeys(METRICS, 0.25)
    large = {name: 12345.0 if name == "mean_rank" else 10.0 for name in METRICS}
    figures = {
        "C ⊑ D": {"axioms": 7, "methods": {"m": small, "longer-name": large}},
        "C ⊑ ∃R.D": {"axioms": 12345, "methods": {"m": large}},
    }
    lines = as_table(figures).splitlines()
    cells = [list(re.finditer(r"\S+", line)) for line in lines]
    assert len({tuple(cell.end() for cell in row[-len(METRICS) :]) for row in cells}) == 1
    counts = [line.index(count) + len(count) for line, count in zip(lines, ["axioms", "7", "7", "12,345"], strict=True)]
    assert len(set(counts)) == 1
    assert len({row[-len(METRICS) - 1].start() for row in cells}) == 1
    assert len(cells) == 4


def test_normal_forms_and_definitions_are_called_by_what_they_say_and_weighed_by_their_axioms() -> None:
    def measured(axioms: int, figure: float) -> Measured:
        filtered = Averages(dict.fromkeys(METRICS, figure), dict.fromkeys(METRICS, 0.0))
        return Measured(axioms, Averages({}, {}), filtered)

    forms = {
        "existential": {"m": measured(3, 0.5), "naive": measured(3, 0.25)},
        DEFINITIONS: {"naive": measured(1, 0.75)},
        "conjunction": {"naive": measured(4, 0.125), "m": measured(4, 1.0)},
    }
    found = by_form(Evaluation("m", "d", EvaluationSettings(), 9, measured(3, 0.5), forms=forms))
    assert list(found) == ["C ⊑ ∃R.D", "X ⊑ C of C ≡ X", "C ⊓ D ⊑ E", "all"]
    assert [each["axioms"] for each in found.values()] == [3, 1, 4, 8]
    assert {method: figures["mrr"] for method, figures in found["C ⊓ D ⊑ E"]["methods"].items()} == {
        "naive": 0.125,
        "m": 1,
    }
    overall = (3 * 0.25 + 1 * 0.75 + 4 * 0.125) / 8
    assert found["all"]["methods"] == {"naive": dict.fromkeys(METRICS, overall)}
