"""Every normal form ranked by its last class, beside a plain count of better candidates."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import elgeo
from elgeo.cli import main
from elgeo.datasets.model import Dataset
from elgeo.datasets.splits.all_forms import AllForms, split_forms
from elgeo.documents import Fields
from elgeo.errors import SettingError
from elgeo.evaluation.by_form import all_forms, can_score, rank_forms
from elgeo.evaluation.document import Evaluation
from elgeo.evaluation.evaluate import evaluate
from elgeo.evaluation.ranking.ranks import Ranking, Ranks
from elgeo.evaluation.reading import evaluation_of
from elgeo.evaluation.settings import EvaluationSettings
from elgeo.models import Elbe, Naive, Predictor, Sizes, TransE
from elgeo.models.box_models.elbe import ElbeSettings
from elgeo.models.ensemble import Ensemble
from elgeo.report.report import Report
from elgeo.report.targets_text import by_form
from tests.datasets.random_forms import ontology_file


def small(folder: Path) -> Dataset:
    return split_forms(AllForms(ontology_file(folder)))[0]


def elbe(dataset: Dataset) -> Elbe:
    return Elbe(Sizes.of(dataset), ElbeSettings(dimension=4), np.random.default_rng(0))


def plain_scores(model: Elbe, form: str, row: list[int], candidates: list[int]) -> np.ndarray:
    """Of one left side against all candidates."""
    arrays = {key: array.astype(float) for key, array in model.arrays().items()}
    centres, widths, roles = arrays["centres"], np.abs(arrays["offsets"]), arrays["role_vectors"]
    if form == "existential":
        c, r, _ = row
        middle, half = centres[c] + roles[r], widths[c]
    elif form == "left_existential":
        r, c, _ = row
        middle, half = centres[c] - roles[r], widths[c]
    else:
        c, d, _ = row
        lower = np.maximum(centres[c] - widths[c], centres[d] - widths[d])
        upper = np.minimum(centres[c] + widths[c], centres[d] + widths[d])
        middle, half = (lower + upper) / 2, np.abs(upper - lower) / 2
    outside = np.linalg.norm(np.maximum(np.abs(middle - centres) + half - widths, 0), axis=1)
    near = 1 / (1 + np.linalg.norm(middle - centres, axis=1))
    return np.where(outside > 0, -outside, near)[candidates]


@pytest.mark.parametrize("wanted", ["none", "train", "train+valid"])
def test_ranks_are_those_of_a_plain_evaluator(tmp_path: Path, wanted: str) -> None:
    dataset = small(tmp_path)
    model = elbe(dataset)
    candidates = dataset.candidates.tolist()
    settings = EvaluationSettings(filter=wanted)  # type: ignore[arg-type]
    found = rank_forms(model, dataset, settings, dataset.candidates, lambda stage: None)
    assert list(found) == ["conjunction", "existential", "left_existential"]
    for form, methods in found.items():
        assert list(methods) == ["elbe", "naive"]
        known = {tuple(row) for row in dataset.forms[form].tolist()} if wanted != "none" else set()
        if wanted == "train+valid":
            known |= {tuple(row) for row in dataset.other_forms[form].valid.tolist()}
        for number, row in enumerate(dataset.other_forms[form].test.tolist()):
            answer = candidates.index(row[-1])
            counts = np.zeros(len(candidates))
            for trained in dataset.forms[form].tolist():
                if trained[-1] in candidates and (form != "existential" or trained[1] == row[1]):
                    counts[candidates.index(trained[-1])] += 1
            for method, scores in (("elbe", plain_scores(model, form, row, candidates)), ("naive", counts)):
                raw, filtered = methods[method]
                # C ⊓ D ⊑ C and C ⊓ D ⊑ D are no question
                asked = [i for i, e in enumerate(candidates) if form != "conjunction" or e not in row[:2]]
                others = [i for i in asked if i == answer or (*row[:-1], candidates[i]) not in known]
                assert raw.answers[number] == row[-1]
                assert raw.optimistic[number] == 1 + (scores[asked] > scores[answer] + 1e-9).sum()
                assert raw.pessimistic[number] == (scores[asked] > scores[answer] - 1e-9).sum()
                assert raw.candidates[number] == len(asked)
                assert filtered.optimistic[number] == 1 + (scores[others] > scores[answer] + 1e-9).sum()
                assert filtered.pessimistic[number] == (scores[others] > scores[answer] - 1e-9).sum()
                assert filtered.candidates[number] == len(others)


def test_the_head_is_no_candidate_where_several_forms_are_asked_for(tmp_path: Path) -> None:
    dataset = small(tmp_path)
    model = elbe(dataset)
    ranks = evaluate(model, dataset, EvaluationSettings(resamples=0, semantic=False, faithfulness=False))
    assert ranks.settings.without_head
    arrays = {key: array.astype(float) for key, array in model.arrays().items()}
    centres, widths = arrays["centres"], np.abs(arrays["offsets"])
    known = {tuple(row) for row in dataset.forms.subclass.tolist()}
    raw, filtered = ranks.rankings["test"]
    for number, (c, d) in enumerate(dataset.test.tolist()):
        outside = np.linalg.norm(np.maximum(np.abs(centres[c] - centres) + widths[c] - widths, 0), axis=1)
        scores = np.where(outside > 0, -outside, 1 / (1 + np.linalg.norm(centres[c] - centres, axis=1)))
        asked = [e for e in dataset.candidates.tolist() if e != c]
        left = [e for e in asked if e == d or (c, e) not in known]
        assert raw.optimistic[number] == 1 + (scores[asked] > scores[d] + 1e-9).sum()
        assert filtered.optimistic[number] == 1 + (scores[left] > scores[d] + 1e-9).sum()
        assert (raw.candidates[number], filtered.candidates[number]) == (len(asked), len(left))
    plain = replace(dataset, other_forms={})
    assert not evaluate(model, plain, EvaluationSettings(resamples=0)).settings.without_head


def test_several_models_rank_left_sides_by_their_mean(tmp_path: Path) -> None:
    dataset = small(tmp_path)
    members = [Elbe(Sizes.of(dataset), ElbeSettings(dimension=4), np.random.default_rng(seed)) for seed in (0, 1)]
    candidates = dataset.candidates.tolist()
    found = rank_forms(Ensemble(members), dataset, EvaluationSettings(), dataset.candidates, lambda stage: None)
    assert list(found) == ["conjunction", "existential", "left_existential"]
    for form, methods in found.items():
        raw = methods["elbe × 2"].raw
        for number, row in enumerate(dataset.other_forms[form].test.tolist()):
            scores = np.mean([plain_scores(member, form, row, candidates) for member in members], axis=0)
            asked = [i for i, e in enumerate(candidates) if form != "conjunction" or e not in row[:2]]
            assert raw.optimistic[number] == 1 + (scores[asked] > scores[candidates.index(row[-1])] + 1e-9).sum()
    other = TransE(Sizes.of(dataset), TransE.Settings(dimension=4), np.random.default_rng(0))
    assert not can_score(Ensemble([members[0], other]), "conjunction")


def test_left_sides_of_two_forms_are_two_though_they_have_one_number_and_one_form_may_be_all() -> None:
    def ranking(heads: list[int], ranks: list[int]) -> Ranking:
        optimistic, full = np.array(ranks), np.full(len(ranks), 20)
        answers = np.array(ranks, np.int32) + 100
        one = Ranks(np.array(heads, np.int32), answers, optimistic, optimistic + 1, full, 30)
        return Ranking(one, one.take(np.arange(len(ranks))[::-1]))

    some = {"existential": {"a": ranking([0, 2, 0], [4, 5, 6]), "b": ranking([0], [9])}}
    more = {"conjunction": {"a": ranking([1, 0, 1, 3], [1, 2, 3, 7])}}
    alone, both = all_forms(some), all_forms({**some, **more})
    assert (list(alone), list(both)) == (["a", "b"], ["a"])
    for found, way, ranks, groups in (
        (alone["a"].raw, "raw", [4, 5, 6], [0, 1, 0]),
        (alone["a"].filtered, "filtered", [6, 5, 4], [0, 1, 0]),
        (alone["b"].raw, "raw", [9], [0]),
        (both["a"].raw, "raw", [4, 5, 6, 1, 2, 3, 7], [0, 1, 0, 3, 2, 3, 4]),
        (both["a"].filtered, "filtered", [6, 5, 4, 7, 3, 2, 1], [0, 1, 0, 4, 3, 2, 3]),
    ):
        assert found.optimistic.tolist() == ranks, way
        assert found.pessimistic.tolist() == [rank + 1 for rank in ranks]
        assert found.answers.tolist() == [rank + 100 for rank in ranks]
        assert found.heads.tolist() == groups
        assert (set(found.candidates.tolist()), found.total) == ({20}, 30)


def test_models_without_left_sides_leave_those_forms_out(tmp_path: Path) -> None:
    dataset = small(tmp_path)
    model: Predictor = TransE(Sizes.of(dataset), TransE.Settings(dimension=4), np.random.default_rng(0))
    assert can_score(model, "existential")
    assert not can_score(model, "conjunction")
    whole = evaluate(model, dataset, EvaluationSettings(resamples=0))
    assert whole.faithfulness == {}, "edges are not true or false, so there is no table of it"
    assert "true in the model" not in Report(whole).summary()
    found = rank_forms(model, dataset, EvaluationSettings(), dataset.candidates, lambda stage: None)
    assert {form: list(methods) for form, methods in found.items()} == {
        "conjunction": ["naive"],
        "existential": ["transe", "naive"],
        "left_existential": ["naive"],
    }
    with pytest.raises(SettingError, match="last class"):
        rank_forms(model, dataset, EvaluationSettings(side="head"), dataset.candidates, lambda stage: None)


@pytest.mark.slow
def test_the_table_has_all_forms_and_all_axioms_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, data, run = ontology_file(tmp_path), tmp_path / "data", tmp_path / "run"
    assert main(["dataset", "split", str(path), "--forms", "all", "--split", "80:10:10", "-o", str(data)]) == 0
    elgeo.train(data, model="elbe", folder=run, dimension=4, epochs=2, threads=1)
    report = elgeo.evaluate(run)
    dataset = elgeo.datasets.load(data)
    document = json.loads(json.dumps(report.to_dict()))
    again: Evaluation = evaluation_of(Fields(document, "evaluation.json"))
    for evaluation in (report.evaluation, again):
        figures = by_form(evaluation)
        assert list(figures) == ["C ⊑ D", "C ⊓ D ⊑ E", "C ⊑ ∃R.D", "∃R.C ⊑ D", "all"]
        numbers = [len(dataset.test), *(len(each.test) for each in dataset.other_forms.values())]
        assert [each["axioms"] for each in figures.values()] == [*numbers, sum(numbers)]
        each = [found["methods"]["elbe"]["mrr"] for found in figures.values()]
        assert each[-1] == pytest.approx(np.average(each[:-1], weights=numbers))
        assert figures["C ⊑ D"]["methods"]["elbe"]["mrr"] == evaluation.test.filtered.per_axiom["mrr"]
        assert set(figures["all"]["methods"]) == {"elbe", Naive.name}
    trained_only = "of other forms than C ⊑ D only training axioms are removed, entailed ones are not"
    assert trained_only not in report.summary()
    by_closure = elgeo.evaluate(run, filter="closure")
    assert by_closure.summary().endswith(trained_only)
    assert by_closure.table().endswith(trained_only)
    capsys.readouterr()
    assert main(["evaluate", str(run)]) == 0
    printed = capsys.readouterr().out
    assert "∃R.C ⊑ D" in printed.split("axioms ")[-1]
