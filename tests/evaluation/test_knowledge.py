"""What training knows of classes, histograms of ranks and examples, against plain counting."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from elgeo.arrays import Table
from elgeo.datasets.model import Dataset
from elgeo.evaluation.evaluate import evaluate
from elgeo.evaluation.examples import best_and_worst, examples
from elgeo.evaluation.measures.histogram import histogram
from elgeo.evaluation.measures.knowledge import by_knowledge, mentions, of_target, overall
from elgeo.evaluation.ranking.known import Known
from elgeo.evaluation.ranking.rank_axioms import rank
from elgeo.evaluation.ranking.ranks import Ranks
from elgeo.evaluation.ranking.scoring import Contest
from elgeo.evaluation.settings import EvaluationSettings
from elgeo.ontology.normal_forms import FORMS
from elgeo.report.text_table import knowledge_rows, table
from tests.evaluation.small_functions import functions
from tests.evaluation.small_places import TablePredictor, ids_of, places


def random_ranks(rows: Table, seed: int, total: int = 60) -> Ranks:
    generator = np.random.default_rng(seed)
    optimistic = generator.integers(1, total // 2, len(rows))
    pessimistic = optimistic + generator.integers(0, 9, len(rows))
    heads, tails = (np.ascontiguousarray(rows[:, column]) for column in (0, -1))
    return Ranks(heads, tails, optimistic, pessimistic, np.full(len(rows), total), total)


@pytest.mark.parametrize("dataset", [functions(3), places()], ids=["functions", "places"])
def test_axioms_about_a_class_are_counted(dataset: Dataset) -> None:
    rows = np.concatenate([dataset.train, dataset.test])
    target = of_target(dataset, rows)
    everywhere = mentions(dataset)
    for c in range(dataset.vocabulary.n_classes):
        plain = 0
        for name, form in FORMS.items():
            for row in dataset.forms.tables[name].tolist():
                plain += c in {row[i] for i, column in enumerate(form.columns) if column not in "rst"}
        assert everywhere[c] == plain
    for i, row in enumerate(rows.tolist()):
        assert target.head[i] == sum(row[0] == other[0] for other in dataset.train.tolist())
        assert target.tail[i] == sum(row[-1] == other[-1] for other in dataset.train.tolist())
        assert (overall(dataset, rows).head[i], overall(dataset, rows).tail[i]) == (
            everywhere[row[0]],
            everywhere[row[-1]],
        )


def amount_of(count: int) -> str:
    return "cold" if count == 0 else "1" if count == 1 else "2-9" if count < 10 else "10+"


def test_ranks_by_what_is_known() -> None:
    dataset = functions(5, n_annotations=160)
    without = dataset.train[:, 0] != dataset.test[0, 0]
    dataset = replace(dataset, train=dataset.train[without])
    rows = np.concatenate([dataset.test, dataset.valid])
    ranks, other = random_ranks(rows, 1), random_ranks(rows, 2)
    found = by_knowledge(dataset, rows, ranks, {"other": other})
    seen = set()
    for counted, known in (("target", of_target(dataset, rows)), ("overall", overall(dataset, rows))):
        for end in ("head", "tail", "both"):
            groups: dict[str, list[int]] = {"cold": [], "1": [], "2-9": [], "10+": []}
            for i in range(len(rows)):
                counts = {"head": known.head[i], "tail": known.tail[i], "both": min(known.head[i], known.tail[i])}
                groups[amount_of(counts[end])].append(i)
            assert list(found[counted][end]) == list(groups)
            for amount, which in groups.items():
                share = found[counted][end][amount]
                assert share.axioms == len(which)
                if not which:
                    assert all(np.isnan(v) for v in share.figures.values())
                    continue
                seen.add(amount)
                values = [(ranks.optimistic[i] + ranks.pessimistic[i]) / 2 for i in which]
                assert share.figures["mean_rank"] == pytest.approx(sum(values) / len(values))
                assert share.figures["mrr"] == pytest.approx(sum(1 / v for v in values) / len(values))
                assert share.figures["hits@10"] == pytest.approx(sum(v <= 10 for v in values) / len(values))
                others = [(other.optimistic[i] + other.pessimistic[i]) / 2 for i in which]
                assert share.beside["other"] == pytest.approx(sum(1 / v for v in others) / len(others))
    assert seen == {"cold", "1", "2-9", "10+"}
    lines = knowledge_rows(found)
    assert lines[0][0] == "filtered, by training axioms of the target"
    assert lines[0][1:] == ["axioms", "mrr", "hits@10", "mean_rank", "mrr of other"]
    shown = [line[:2] for line in lines if line[0].startswith("  ")]
    assert shown == [
        [f"  {end}: {amount}", str(share.axioms)]
        for ends in found.values()
        for end, shares in ends.items()
        for amount, share in shares.items()
        if share.axioms
    ]


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.sampled_from([1, 2, 3, 9, 60, 1000]))
def test_histogram_of_ranks(seed: int, total: int) -> None:
    generator = np.random.default_rng(seed)
    n = int(generator.integers(0, 40))
    optimistic = generator.integers(1, total + 1, n)
    pessimistic = generator.integers(optimistic, total + 1)
    none = np.zeros(n, np.int32)
    found = histogram({"m": Ranks(none, none, optimistic, pessimistic, np.full(n, total), total)})
    steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000]
    assert list(found.edges) == steps[: len(found.edges)]
    assert found.edges[-1] > total
    assert len(found.edges) < 2 or found.edges[-2] <= total
    averages = [(a + b) / 2 for a, b in zip(optimistic.tolist(), pessimistic.tolist(), strict=True)]
    for count, low, high in zip(found.counts["m"], steps, steps[1:], strict=False):
        assert count == sum(low <= value < high for value in averages)
    assert sum(found.counts["m"]) == n


def test_no_ranks_have_a_histogram_all_the_same() -> None:
    assert histogram({}) == ([1], {})


def test_the_best_and_the_worst_are_of_different_classes() -> None:
    rows = np.array([[h, 0, 50 + i] for i, h in enumerate([1, 1, 2, 2, 3, 4, 5, 6, 7, 8, 8, 9])], np.int32)
    ranks = random_ranks(rows, 0, 500)
    chosen = best_and_worst(ranks)
    order = sorted(range(len(rows)), key=lambda i: ranks.average[i])
    best: list[int] = []
    worst: list[int] = []
    for i in order:
        if len(best) < 5 and rows[i, 0] not in {rows[j, 0] for j in best}:
            best.append(i)
    for i in reversed(order):
        if len(worst) < 5 and i not in best and rows[i, 0] not in {rows[j, 0] for j in worst}:
            worst.append(i)
    assert chosen["best"].tolist() == best
    assert chosen["worst"].tolist() == worst
    few = best_and_worst(ranks.take(np.array([0])))
    assert (few["best"].tolist(), few["worst"].tolist()) == ([0], [])


def test_examples_say_what_may_be_behind_a_rank() -> None:
    dataset = places()
    ids = ids_of(dataset)
    n = dataset.vocabulary.n_classes
    matrix = np.zeros((n, n))
    rows = dataset.test
    head, tail = int(rows[0, 0]), int(rows[0, 2])
    others = [c for c in (ids[12], ids[13], ids[3]) if c != tail]
    matrix[head, others] = [9, 8, 7][: len(others)]
    matrix[head, tail] = 1
    matrix[head, ids[14]] = 1
    contest = Contest(TablePredictor(matrix).scorer(), dataset.target_role, dataset.candidates)
    known = Known.of_pairs(dataset.train[:, 0], dataset.train[:, -1], n)
    ranks = rank(contest, np.ascontiguousarray(rows[:1, 0]), np.ascontiguousarray(rows[:1, 2]), known).filtered
    (found,) = examples(TablePredictor(matrix), dataset, contest, rows[:1], ranks, known)["best"]
    assert found.rank == len([c for c in others if c not in known.of(head)]) + 1.5
    target, anywhere = of_target(dataset, rows[:1]), overall(dataset, rows[:1])
    for reason, of, total in (
        (found.reasons[0], int(target.head[0]), int(anywhere.head[0])),
        (found.reasons[1], int(target.tail[0]), int(anywhere.tail[0])),
    ):
        words = "no training axiom" if of == 0 else "1 training axiom" if of == 1 else f"{of} training axioms"
        assert f"is in {words} of the target, in {total} axiom" in reason
    assert found.reasons[0].startswith("the head is in")
    assert found.reasons[1].startswith("the tail is in")
    assert found.reasons[2] == "1 other candidate with the same score"
    assert any(reason.startswith("alike and known to have this answer: ") for reason in found.reasons) == bool(
        len(set(dataset.train[dataset.train[:, 2] == tail, 0].tolist()) - {head})
    )
    assert found.reasons[-1].startswith("ranked first instead: map:12, map:13")
    assert found.candidates == ranks.candidates[0]


@pytest.mark.parametrize("place", [1, 2, 3, 5])
def test_only_what_came_before_an_answer_is_said_to_be_ranked_first_instead(place: int) -> None:
    """Scores fall from class to class; the class asked about comes first of all, and is not an answer to itself."""
    dataset = places()
    ids = ids_of(dataset)
    matrix = np.zeros((dataset.vocabulary.n_classes,) * 2)
    head, order = ids[7], [ids[i] for i in (7, 12, 3, 0, 14, 101)]
    matrix[head, order] = [9, 8, 7, 6, 5, 4]
    contest = Contest(TablePredictor(matrix, 0.2).scorer(), dataset.target_role, dataset.candidates)
    rows = np.array([[head, dataset.target_role, order[place]]], np.int32)
    ranks = rank(contest, rows[:, 0].copy(), rows[:, 2].copy(), None, without_head=True).raw
    assert ranks.average.tolist() == [place]
    (found,) = examples(TablePredictor(matrix), dataset, contest, rows, ranks, None)["best"]
    said = [reason for reason in found.reasons if reason.startswith("ranked first instead: ")]
    names = ["map:12", "town square", "map:0"][: min(place - 1, 2)]
    assert len(said) == (place > 1)
    assert [[name in each for name in names] for each in said] == [[True] * len(names)] * len(said)
    assert sum(each.count(",") + 1 for each in said) == len(names)


def test_evaluations_have_all_of_it() -> None:
    dataset = functions()
    n = dataset.vocabulary.n_classes
    matrix = np.random.default_rng(0).normal(size=(n, n))
    for side in ("tail", "head"):
        found = evaluate(
            TablePredictor(matrix), dataset, EvaluationSettings(side=side, semantic=False, resamples=0, filter="none")
        )
        assert sum(share.axioms for share in found.knowledge["target"]["head"].values()) == len(dataset.test)
        expected: dict[str, int] = {}
        for counted in of_target(dataset, dataset.test).head.tolist():
            expected[amount_of(counted)] = expected.get(amount_of(counted), 0) + 1
        assert {a: s.axioms for a, s in found.knowledge["target"]["head"].items() if s.axioms} == expected
        assert set(found.histogram.counts) == {"table", "naive", "common-neighbours"}
        assert "filtered, by training axioms of the target" in table(found)
        names = dataset.vocabulary
        scores = {(int(h), int(t)): matrix[h, t] for h, _, t in dataset.test}
        candidates = dataset.candidates if side == "tail" else dataset.kinds.members("protein")
        ranks = {
            (h, t): 1 + sum((matrix[h, c] if side == "tail" else matrix[c, t]) > score for c in candidates)
            for (h, t), score in scores.items()
        }
        best = found.examples["best"][0]
        pair = (names.class_id(best.head.split(" (")[0]), names.class_id(best.tail.split(" (")[0]))
        assert best.rank == ranks[pair] == min(ranks.values())
        assert found.examples["worst"][0].rank == max(ranks.values())
