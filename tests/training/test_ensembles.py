"""Ensembles: members are the runs they would be alone, scores are their means, votes are counted one by one."""

from __future__ import annotations

import json
import math
import shutil
from pathlib import Path

import numpy as np
import pytest

import elgeo
from elgeo.cli import main
from elgeo.errors import ElgeoError, ReadError, SettingError
from elgeo.evaluation.predictions.predict import predict
from elgeo.models.contract import Geometry, Reason
from elgeo.models.ensemble import Ensemble
from elgeo.report.predictions_text import as_table
from elgeo.training.ensemble import train_members
from elgeo.training.run import Run
from elgeo.training.settings import Settings
from tests.evaluation.small_places import TablePredictor, ids_of, places

OPTIONS = ["--model", "elem", "--set", "dimension=3", "--epochs", "4", "--quiet"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("ensembles") / "three"
    assert main(["train", "family", "-o", str(made), *OPTIONS, "--seed", "7", "--seeds", "3"]) == 0
    return made


@pytest.mark.slow
def test_members_are_the_runs_of_their_seeds(folder: Path, tmp_path: Path) -> None:
    run = Run.load(folder)
    assert run.record.members == ("seed-7", "seed-8", "seed-9")
    for seed, member in zip((7, 8, 9), run.members, strict=True):
        alone = elgeo.train("family", "elem", seed=seed, dimension=3, epochs=4)
        assert member.settings.training.seed == seed
        for name, array in alone.weights.items():
            assert np.array_equal(array, member.weights[name])
    assert run.result["seconds"] == pytest.approx(sum(member.result["seconds"] for member in run.members), abs=2e-3)


def test_an_ensemble_has_from_one_to_a_thousand_members() -> None:
    trained: list[int] = []

    def train(settings: Settings, folder: Path | None) -> Run:
        trained.append(settings.training.seed)
        assert (settings.training.epochs, folder) == (3, None)
        return run

    def refused(settings: Settings, folder: Path | None) -> Run:
        raise ZeroDivisionError

    dataset, settings = places(), Settings.of("elem", seed=5, epochs=3)
    run = elgeo.train(dataset, "naive")
    for seeds in (1, 2):
        trained.clear()
        found = train_members(dataset, settings, seeds, None, None, train)
        assert trained == list(range(5, 5 + seeds))
        assert found.record.members == tuple(f"seed-{seed}" for seed in trained)
        assert len(found.members) == seeds
    with pytest.raises(ZeroDivisionError):  # in the first of them: so many may be
        train_members(dataset, settings, 1_000, None, None, refused)
    for seeds in (0, -1, 1_001):
        with pytest.raises(SettingError, match=f"from 1 to 1,000, not {seeds}"):
            train_members(dataset, settings, seeds, None, None, train)


def test_scores_are_means_and_votes_are_counted(folder: Path) -> None:
    run = Run.load(folder)
    dataset, predictor = run.dataset, run.predictor()
    assert isinstance(predictor, Ensemble)
    assert predictor.name == "elem × 3"
    members = [member.predictor() for member in run.members]
    found = predict(predictor, dataset, top=6)
    assert found.votes is not None
    own = [predict(member, dataset, top=6).rows.tolist() for member in members]
    for place, row in enumerate(found.rows.tolist()):
        scores = [
            float(
                each.scorer().pairs(np.array(row[:1], np.int32), dataset.target_role, np.array(row[-1:], np.int32))[0]
            )
            for each in members
        ]
        assert found.scores[place] == pytest.approx(np.mean(scores))
        assert found.votes.spread[place] == pytest.approx(np.std(scores))
        assert found.votes.agree[place] == sum(row in rows for rows in own)
        true = [
            bool(each.holds(dataset.target_form, np.array([row], np.int32))[0])
            for each in members
            if isinstance(each, Geometry)
        ]
        assert found.votes.true is not None
        assert found.votes.true[place] == sum(true)
        assert (
            f"{sum(row in rows for rows in own)} of 3, true in {sum(true)}" in as_table(found).splitlines()[place + 1]
        )
    frame = found.frame()
    assert frame["agree"].tolist() == found.votes.agree.tolist()
    assert {"spread", "true_in"} <= set(frame.columns)


def test_a_pair_counts_whichever_way_round_a_member_says_it() -> None:
    """The role goes both ways: one member prefers (3, 6), the other (6, 3)."""
    dataset, ids = places(), ids_of(places())
    n = dataset.vocabulary.n_classes
    one, other = np.zeros((2, n, n))
    one[ids[3], ids[6]], other[ids[6], ids[3]] = 5, 5
    ensemble = Ensemble([TablePredictor(one), TablePredictor(other)])
    found = predict(ensemble, dataset, top=1)
    assert {int(found.rows[0, 0]), int(found.rows[0, -1])} == {ids[3], ids[6]}
    assert found.votes is not None
    assert found.votes.agree.tolist() == [2]
    assert found.votes.true is None
    assert found.votes.words(0) == "2 of 2"


def test_reasons_are_shared_by_members() -> None:
    class Talker(TablePredictor):
        def __init__(self, *said: Reason) -> None:
            super().__init__(np.zeros((2, 2)), 0.5)
            self.said = said

        def explain(self, head: int, tail: int) -> tuple[Reason, ...]:
            return self.said

    ensemble = Ensemble([Talker(Reason("names", 1.0), Reason("partners", 3.0)), Talker(Reason("names", 4.0))])
    assert list(ensemble.explain(0, 1)) == [Reason("names", 2.5), Reason("partners", 1.5)]
    assert ensemble.scorer().tolerance == 0.5
    with pytest.raises(SettingError, match="one member or more"):
        Ensemble([])


def test_bulk_scores_are_means_too(folder: Path) -> None:
    run = Run.load(folder)
    classes = run.dataset.kinds.members(run.dataset.tail_kind)[:5]
    role, whole = run.dataset.target_role, run.predictor().scorer()
    parts = [member.predictor().scorer() for member in run.members]
    for name in ("tails", "heads"):
        mean = np.mean([getattr(part, name)(classes[:3], role, classes) for part in parts], axis=0)
        assert getattr(whole, name)(classes[:3], role, classes) == pytest.approx(mean, rel=1e-6)


@pytest.mark.slow
def test_a_broken_off_ensemble_is_gone_on_with(folder: Path, tmp_path: Path) -> None:
    """As if it had been killed in the second member: its record says no result, one member is whole."""
    again = tmp_path / "again"
    assert main(["train", "family", "-o", str(again), *OPTIONS, "--seed", "7", "--seeds", "3"]) == 0
    for name in ("seed-8", "seed-9"):
        shutil.rmtree(again / name)
    text = (again / "run.toml").read_text()
    (again / "run.toml").write_text(text[: text.index("[result]")])
    with pytest.raises(ElgeoError, match="not finished"):
        Run.load(again).predictor()
    before = (again / "seed-7" / "weights.safetensors").stat().st_mtime_ns
    assert main(["train", "-o", str(again), "--resume", "--quiet"]) == 0
    assert (again / "seed-7" / "weights.safetensors").stat().st_mtime_ns == before
    for mine, theirs in zip(Run.load(again).members, Run.load(folder).members, strict=True):
        for name, array in theirs.weights.items():
            assert np.array_equal(array, mine.weights[name])


@pytest.mark.slow
def test_in_memory_and_in_every_command(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = elgeo.train("family", "elem", seed=7, seeds=3, dimension=3, epochs=4)
    assert run.predict(top=5)["score"].tolist() == Run.load(folder).predict(top=5)["score"].tolist()
    assert main(["evaluate", str(folder), "--json"]) == 0
    assert main(["report", str(folder), "-o", str(tmp_path / "page.html")]) == 0
    capsys.readouterr()
    assert main(["predict", str(folder), "--all", "--top", "3"]) == 0
    assert "of 3, true in" in capsys.readouterr().out
    assert main(["export", str(folder), "--format", "tsv", "-o", str(tmp_path / "x")]) == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--model", "naive", "--seeds", "3"], "naive is counted and has no seed"),
        (["--seeds", "0"], "seeds have to be a number from 1"),
    ],
)
def test_what_cannot_be_an_ensemble(
    arguments: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", "family", "-o", str(tmp_path / "run"), *arguments]) == 2
    assert said in capsys.readouterr().err


def test_members_are_folders_of_the_run(folder: Path, tmp_path: Path) -> None:
    text = (folder / "run.toml").read_text()
    (tmp_path / "run.toml").write_text(text.replace('"seed-7"', '"../elsewhere"'))
    with pytest.raises(ReadError, match="members: has to be a list of names like seed-0"):
        Run.load(tmp_path)
    assert main(["train", "family", "-o", str(folder), *OPTIONS, "--seeds", "2"]) == 2


@pytest.mark.slow
def test_true_in_is_how_many_balls_lie_in_balls(
    folder: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Counted from the exported vectors of each member, by the distances of centres and by points drawn in balls."""
    command = ["predict", str(folder), "--all", "--top", "300", "--exclude", "nothing", "--format", "json"]
    capsys.readouterr()
    assert main(command) == 0
    rows = json.loads(capsys.readouterr().out)["predictions"]
    counts, generator = [0] * len(rows), np.random.default_rng(1)
    for seed in (7, 8, 9):
        out = tmp_path / f"{seed}.npz"
        assert main(["export", str(folder / f"seed-{seed}"), "--format", "npz", "-o", str(out)]) == 0
        with np.load(out) as vectors:
            classes, roles = ({str(iri): i for i, iri in enumerate(vectors[what])} for what in ("classes", "roles"))
            centres, radii, shifts = (vectors[name] for name in ("class_centres", "class_radii", "role_vectors"))
        for place, row in enumerate(rows):
            head, tail, role = classes[row["head"]], classes[row["tail"]], roles[row["role"]]
            moved = centres[head] + shifts[role]
            inside = math.dist(moved, centres[tail]) + radii[head] <= radii[tail] + 1e-4
            counts[place] += inside
            around = generator.standard_normal((200, 3))
            points = moved + radii[head] * around / np.linalg.norm(around, axis=1, keepdims=True)
            outside = np.linalg.norm(points - centres[tail], axis=1) > radii[tail] + 2e-4
            assert not (inside and outside.any())
    assert [row["true_in"] for row in rows] == counts
    assert len(set(counts)) > 2
    # and of axioms as people write them
    axioms = [f"<{row['head']}> SubClassOf <{row['role']}> some <{row['tail']}>" for row in rows[:40]]
    assert main(["score", str(folder), *axioms]) == 0
    lines = [line.split("\t") for line in capsys.readouterr().out.splitlines() if "\t" in line]
    said = {line[3]: line[0] for line in lines}
    assert [said[axiom] for axiom in axioms] == [f"true in {count} of 3" for count in counts[:40]]
    scored = {each.axiom: each for each in elgeo.api.scores(folder, axioms)}
    assert [scored[axiom].true for axiom in axioms] == [count == 3 for count in counts[:40]]
    assert [scored[axiom].score for axiom in axioms] == pytest.approx([row["score"] for row in rows[:40]])
