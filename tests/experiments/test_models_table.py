"""The table of models where every normal form is held out: all of them together, beside a plain count."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import numpy as np
import pytest

from elgeo.cli import main
from elgeo.datasets.folder import save
from elgeo.datasets.model import Dataset
from elgeo.datasets.splits.all_forms import AllForms, split_forms
from elgeo.evaluation.document import Evaluation
from elgeo.evaluation.evaluate import evaluate
from elgeo.evaluation.settings import EvaluationSettings
from elgeo.experiments.models_table import TOGETHER, line_of, models_text, parts_of
from elgeo.experiments.reproduce import Column
from elgeo.models import Naive, Predictor, Sizes, TransE
from tests.datasets.random_forms import ontology_file

FORMS = {"C ⊑ D": "subclass", "C ⊓ D ⊑ E": "conjunction", "C ⊑ ∃R.D": "existential", "∃R.C ⊑ D": "left_existential"}


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return split_forms(AllForms(ontology_file(tmp_path_factory.mktemp("forms"))))[0]


def plain_ranks(dataset: Dataset, form: str, filtered: bool) -> list[float]:
    """The rank of each answer by how often it is one in training, axiom by axiom, candidate by candidate."""
    trained = [tuple(row) for row in dataset.forms[form].tolist()]
    rows = dataset.test if form == "subclass" else dataset.other_forms[form].test
    found = []
    for *left, answer in rows.tolist():
        alike = [row for row in trained if form != "existential" or row[1] == left[1]]
        counts = {c: sum(row[-1] == c for row in alike) for c in dataset.candidates.tolist()}
        trivial = left if form in ("subclass", "conjunction") else []
        others = [c for c in counts if c not in (answer, *trivial) and not (filtered and (*left, c) in trained)]
        better = sum(counts[c] > counts[answer] for c in others)
        found.append(1 + better + sum(counts[c] == counts[answer] for c in others) / 2)
    return found


def plain_figures(ranks: list[float], candidates: int) -> dict[str, float]:
    values = sorted(set(ranks))
    points = [(x, sum(rank <= x for rank in ranks) / len(ranks)) for x in values] + [(candidates, 1.0)]
    area = sum((b[0] - a[0]) * (a[1] + b[1]) / 2 for a, b in itertools.pairwise(points))
    return {
        "hits@10": sum(rank <= 10 for rank in ranks) / len(ranks),
        "hits@100": sum(rank <= 100 for rank in ranks) / len(ranks),
        "mrr": sum(1 / rank for rank in ranks) / len(ranks),
        "mean_rank": sum(ranks) / len(ranks),
        "auc": area / candidates,
    }


def found_by(predictor: Predictor, dataset: Dataset) -> Evaluation:
    return evaluate(predictor, dataset, EvaluationSettings(resamples=0, semantic=False))


@pytest.mark.parametrize("setting", ["filtered", "raw"])
def test_figures_of_all_forms_together_are_those_of_a_plain_count(dataset: Dataset, setting: str) -> None:
    parts = parts_of({"naive": [found_by(Naive.fit(dataset), dataset)]})
    assert list(parts) == [TOGETHER, *FORMS]
    ranks = {text: plain_ranks(dataset, form, setting == "filtered") for text, form in FORMS.items()}
    together = [rank for each in ranks.values() for rank in each]
    for part, expected in {TOGETHER: together, **ranks}.items():
        line = line_of(parts[part]["naive"], setting)
        for metric, value in plain_figures(expected, len(dataset.candidates)).items():
            assert line[metric].mean == pytest.approx(value), (part, metric)
    median = parts[TOGETHER]["naive"][0].test.figures(setting, "per_axiom")["median_rank"]
    assert median == np.median(together)


def test_each_left_side_counts_once_in_means_over_classes(dataset: Dataset) -> None:
    together = parts_of({"naive": [found_by(Naive.fit(dataset), dataset)]})[TOGETHER]["naive"][0].test
    by_left: dict[tuple[str, ...], list[float]] = {}
    for form in FORMS.values():
        rows = dataset.test if form == "subclass" else dataset.other_forms[form].test
        for row, rank in zip(rows.tolist(), plain_ranks(dataset, form, True), strict=True):
            # of C ⊑ ∃R.D the class is the head, whatever the role
            left = (row[0],) if form == "existential" else row[:-1]
            by_left.setdefault((form, *map(str, left)), []).append(rank)
    means = [sum(ranks) / len(ranks) for ranks in by_left.values()]
    assert together.filtered.per_class["mean_rank"] == pytest.approx(sum(means) / len(means))


def test_a_model_without_some_forms_has_nothing_of_all_together(dataset: Dataset) -> None:
    model = TransE(Sizes.of(dataset), TransE.Settings(dimension=4), np.random.default_rng(0))
    parts = parts_of({"transe": [found_by(model, dataset)], "naive": [found_by(Naive.fit(dataset), dataset)]})
    columns = [Column("transe", None, {}), Column("naive", None, {})]
    text = models_text("x", columns, parts[TOGETHER])
    assert "| transe | – | – | – | – | – |" in text
    assert "novel" not in text
    assert "| transe | 0." in models_text("x", columns, parts["C ⊑ D"])
    assert "| transe | 0." in models_text("x", columns, parts["C ⊑ ∃R.D"])
    assert [len(parts[text]["transe"]) for text in FORMS] == [1, 0, 1, 0]


@pytest.mark.slow
def test_the_command_says_which_figures_belong_beside_published_ones(
    tmp_path: Path, dataset: Dataset, capsys: pytest.CaptureFixture[str]
) -> None:
    save(dataset, tmp_path / "go-small", [])
    command = ["reproduce", "models", "--data", str(tmp_path), "-o", str(tmp_path / "out"), "--datasets", "go-small"]
    assert main([*command, "--models", "naive", "--seeds", "1"]) == 0
    said = capsys.readouterr().out
    titles = [line.removeprefix("## models, go-small: ") for line in said.splitlines() if line.startswith("## ")]
    assert titles == [TOGETHER, f"{TOGETHER}, raw (training axioms stay)", *FORMS]
    beside = [line for line in said.splitlines() if "axiom prediction on GO" in line]
    assert "Beside it belongs: all forms together, raw" in beside[0]
    parts = json.loads((tmp_path / "out" / "models.json").read_text(encoding="utf-8"))["go-small"]["parts"]
    ranks = [rank for form in FORMS.values() for rank in plain_ranks(dataset, form, True)]
    figure = parts[TOGETHER]["rows"]["filtered mean_rank per axiom"]["naive"]["mean"]
    assert figure == pytest.approx(sum(ranks) / len(ranks))
    page = (tmp_path / "out" / "models.html").read_text(encoding="utf-8")
    assert "go-small: all forms together" in page
