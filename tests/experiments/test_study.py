"""Workers that share a study: every grid point once, and nothing lost when one of them is killed."""

from __future__ import annotations

import gc
import time
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import optuna
import pytest
from optuna.storages import RDBStorage

from elgeo.errors import ElgeoError
from elgeo.experiments import study as study_module
from elgeo.experiments.space import Choice, Space, Value
from elgeo.experiments.study import (
    DUPLICATE,
    POINT,
    OnRank,
    _first_to_take,
    _outlook,
    describe,
    finished,
    open_study,
    work,
)
from tests.experiments.postgres import new_database, postgres
from tests.experiments.sweep_worker import SPACE
from tests.forked import Forked
from tests.forked import start as fork

WORKER = "tests.experiments.sweep_worker"
LOADED = ("elgeo.experiments.study", "optuna.storages._rdb.storage", "sqlalchemy.dialects", "psycopg")
"""What a worker needs."""


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with postgres() as address:
        yield address


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A database of its own."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/study.db"
    else:
        yield new_database(request.getfixturevalue("server"))
        with warnings.catch_warnings():  # connections that optuna's storages leave to the collector
            warnings.simplefilter("ignore", ResourceWarning)
            gc.collect()


def start(url: str, log: Path, seconds: float) -> Forked:
    return fork(log.parent / "said", WORKER, url, str(log), str(seconds), loaded=LOADED)


def ended(log: Path) -> list[tuple[str, str]]:
    lines = [line.split() for line in log.read_text(encoding="utf-8").splitlines()] if log.exists() else []
    return [(a, b) for what, _, a, b in lines if what == "end"]


@pytest.mark.slow
def test_two_workers_do_every_point_of_a_grid_exactly_once(url: str, tmp_path: Path) -> None:
    log = tmp_path / "log"
    workers = [start(url, log, 0.1) for _ in range(2)]
    assert [w.wait(timeout=120) for w in workers] == [0, 0]
    counts = Counter(ended(log))
    assert counts == Counter((str(p["a"]), str(p["b"])) for p in SPACE.grid())
    assert len({line.split()[1] for line in log.read_text().splitlines()}) == 2, "one worker did everything"
    trials = finished(open_study(url, "test", SPACE))
    assert sorted(t.value for t in trials if t.value is not None) == sorted(
        float(p["a"]) * 10 + float(p["b"]) for p in SPACE.grid()
    )


@pytest.mark.slow
def test_workers_in_a_hurry_take_no_trial_twice(url: str, tmp_path: Path) -> None:
    log = tmp_path / "log"
    workers = [start(url, log, 0.0) for _ in range(3)]
    assert [w.wait(timeout=120) for w in workers] == [0, 0, 0]
    assert Counter(ended(log)) == Counter((str(p["a"]), str(p["b"])) for p in SPACE.grid())


@pytest.mark.slow
def test_a_worker_whose_trial_was_given_away_goes_on(url: str) -> None:
    space = Space({"a": Choice((1, 2, 3))})
    study = open_study(url, "slow", space)
    taken: list[Any] = []

    def objective(settings: Mapping[str, Value], folder: str, report: OnRank) -> float:
        if not taken:
            taken.extend(study.get_trials(states=(optuna.trial.TrialState.RUNNING,)))
            study._storage.set_trial_state_values(taken[0]._trial_id, optuna.trial.TrialState.FAIL)
            report(1, 0.5)
        return float(settings["a"])

    work(study, space, objective)
    values = [t.value for t in finished(study)]
    assert sorted(v for v in values if v is not None) == [float(a) for a in (1, 2, 3) if a != taken[0].params["a"]]


@pytest.mark.slow
def test_a_killed_workers_trial_is_taken_up_again(url: str, tmp_path: Path) -> None:
    log = tmp_path / "log"
    victim = start(url, log, 1.0)
    while not ended(log):
        time.sleep(0.05)
        assert victim.poll() is None
    time.sleep(0.3)
    victim.kill()
    victim.wait()
    before = ended(log)
    heir = start(url, log, 0.05)
    assert heir.wait(timeout=120) == 0
    counts = Counter(ended(log))
    assert set(counts) == {(str(p["a"]), str(p["b"])) for p in SPACE.grid()}
    assert all(counts[point] == 1 for point in before), "a finished trial was run again"
    assert len(finished(open_study(url, "test", SPACE))) == SPACE.size


@pytest.mark.slow
def test_a_worker_killed_before_its_first_sign_of_life_loses_nothing(url: str) -> None:
    space = Space({"a": Choice((1, 2, 3))})
    study = open_study(url, "silent", space, heartbeat=1)
    with pytest.warns(UserWarning, match="Heartbeat"):
        taken = study.ask()  # running from now on, with nobody behind it
    work(study, space, lambda settings, folder, report: float(settings["a"]))
    assert sorted(t.value for t in finished(study) if t.value is not None) == [1.0, 2.0, 3.0]
    assert study.trials[taken.number].state == optuna.trial.TrialState.FAIL


@pytest.mark.slow
def test_an_error_in_one_trial_leaves_the_others(tmp_path: Path) -> None:
    space = Space({"a": Choice((1, 2, 3))})
    study = open_study(f"sqlite:///{tmp_path}/s.db", "errors", space)

    def objective(settings: object, folder: str, report: object) -> float:
        assert isinstance(settings, dict)
        if settings["a"] == 2:
            raise ElgeoError("the loss is not a number")
        return float(settings["a"])

    work(study, space, objective)
    rows = sorted((describe(t) for t in finished(study)), key=lambda row: int(row["a"]))
    assert [row["valid_mrr"] for row in rows] == [1.0, None, 3.0]
    assert rows[1]["error"] == "the loss is not a number"


@pytest.mark.slow
def test_random_and_tpe_make_as_many_trials_as_asked(tmp_path: Path) -> None:
    for method in ("random", "tpe"):
        space = Space({"a": Choice((1, 2, 3))}, method=method, trials=5)
        study = open_study(f"sqlite:///{tmp_path}/s.db", method, space)
        work(study, space, lambda settings, folder, report: float(settings["a"]))
        assert len(finished(study)) == 5


def test_a_trial_that_nothing_is_better_than_goes_on_to_its_end() -> None:
    space = Space({"a": Choice((1, 2, 3))}, method="random", trials=1, prune=True)
    study, epochs = optuna.create_study(direction="maximize"), list[int]()

    def objective(settings: Mapping[str, Value], folder: str, report: OnRank) -> float:
        for epoch in range(1, 4):
            report(epoch, epoch / 4)
            epochs.append(epoch)
        return 0.75

    work(study, space, objective)
    assert epochs == [1, 2, 3]
    assert [trial.value for trial in finished(study)] == [0.75]


def test_trials_that_are_running_count_among_those_that_are_asked_for() -> None:
    space, study = Space({"a": Choice((1, 2, 3))}, method="random", trials=3), optuna.create_study()
    outlooks = [_outlook(study, space)]
    first = study.ask()
    study.tell(first, 1.0)
    for _ in range(2):
        study.ask()
        outlooks.append(_outlook(study, space))
    assert outlooks == ["take", "take", "wait"]
    study.tell(1, 1.0)
    assert _outlook(study, space) == "wait"
    study.tell(2, 1.0)
    assert _outlook(study, space) == "done"


@pytest.mark.parametrize("prune", [False, True])
@pytest.mark.parametrize("method", ["tpe", "random"])
def test_a_trial_has_some_epochs_before_it_can_fall_behind(
    method: str, prune: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Others must have ended before it, and it lags behind them all the time: from its fifth epoch on that counts."""
    monkeypatch.setattr(study_module, "_storage", lambda *given: optuna.storages.InMemoryStorage())
    study = open_study("", "s", Space({"a": Choice((1, 2))}, method=method, trials=9, prune=prune))
    assert isinstance(study.sampler, optuna.samplers.TPESampler) == (method == "tpe")
    curve = {epoch: 0.1 * epoch for epoch in range(1, 9)}
    for _ in range(5):
        study.add_trial(optuna.create_trial(value=0.8, intermediate_values=curve))
    trial, stopped = study.ask(), list[int]()
    for epoch, others in curve.items():
        trial.report(others - 0.01, epoch)
        if trial.should_prune():
            stopped.append(epoch)
    assert stopped == ([5, 6, 7, 8] if prune else [])


def test_points_that_were_lost_or_never_enqueued_are_made_up_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Opened again, a study has one more trial of the point whose worker was stopped, and of no other."""
    storage, states = optuna.storages.InMemoryStorage(), optuna.trial.TrialState
    monkeypatch.setattr(study_module, "_storage", lambda *given: storage)
    space = Space({"a": Choice((1, 2, 3, 5))})
    study = open_study("", "s", space)
    done, lost, failed = (study.ask() for _ in range(3))
    study.tell(done, 0.5)
    study.tell(lost, state=states.FAIL)
    failed.set_user_attr("error", "of its own")
    study.tell(failed, state=states.FAIL)
    for _ in range(2):
        again = open_study("", "s", space).get_trials()
        assert [trial.user_attrs[POINT] for trial in again] == [0, 1, 2, 3, 1]
        assert [trial.state for trial in again[3:]] == [states.WAITING] * 2
        assert again[4].system_attrs["fixed_params"] == {"a": 2}
    assert [trial.number for trial in finished(study)] == [0, 2]


@pytest.mark.slow
def test_a_study_keeps_to_its_space(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/s.db"
    open_study(url, "s", Space({"a": Choice((1, 2))}))
    with pytest.raises(ElgeoError, match="another search space"):
        open_study(url, "s", Space({"a": Choice((1, 3))}))


@pytest.mark.slow
def test_a_study_keeps_to_its_dataset(tmp_path: Path) -> None:
    url, space = f"sqlite:///{tmp_path}/s.db", Space({"a": Choice((1, 2))})
    for dataset in (None, "one", None, "one"):  # the first that is named
        open_study(url, "s", space, dataset=dataset)
    with pytest.raises(ElgeoError, match="another dataset"):
        open_study(url, "s", space, dataset="two")


def test_a_database_that_is_not_there_is_an_error() -> None:
    with pytest.raises(ElgeoError, match="cannot open the database"):
        open_study("postgresql+psycopg://elgeo@127.0.0.1:9/none", "s", SPACE)


@pytest.mark.slow
def test_of_two_trials_of_one_point_the_first_is_taken(tmp_path: Path) -> None:
    """Points by hand: what stands before a trial are earlier ones at work and any that is done, of the same point."""
    space = Space({"a": Choice((1, 2))})
    study = open_study(f"sqlite:///{tmp_path}/s.db", "points", space)
    states = optuna.trial.TrialState
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        first, other = study.ask(), study.ask()
        study.enqueue_trial({"a": 1}, user_attrs={POINT: 0})
        again = study.ask()
        study.enqueue_trial({"a": 1}, user_attrs={POINT: 0})
        later = study.ask()
        strange = study.ask()
    assert [trial.user_attrs.get(POINT) for trial in (first, other, again, later, strange)] == [0, 1, 0, 0, None]
    assert [_first_to_take(study, trial) for trial in (first, other, again, later, strange)] == [
        True, True, False, False, False,
    ]  # fmt: skip
    again.set_user_attr(DUPLICATE, True)
    study.tell(first, state=states.FAIL)
    assert _first_to_take(study, later), "one that failed and one that is a duplicate do not stand before it"
    study.tell(again, 0.5)
    assert _first_to_take(study, later), "a duplicate that is done neither"
    study.tell(later, 0.5)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        study.enqueue_trial({"a": 1}, user_attrs={POINT: 0})
        last = study.ask()
    assert not _first_to_take(study, last), "one that is done does"


def test_a_worker_is_given_up_after_three_signs_that_did_not_come(tmp_path: Path) -> None:
    study = open_study(f"sqlite:///{tmp_path}/s.db", "s", Space({"a": Choice((1,))}), heartbeat=7)
    storage: Any = study._storage
    backend = getattr(storage, "_backend", storage)
    assert (backend.heartbeat_interval, backend.grace_period) == (7, 21)


@pytest.mark.filterwarnings("ignore:.*experimental")
@pytest.mark.parametrize(("failures", "said"), [(7, ""), (8, "table trials already exists"), (1, "no such host")])
def test_a_database_that_another_worker_is_just_making_is_looked_at_again(
    failures: int, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries, pauses = list[int](), list[float]()

    def storage(*args: object, **more: object) -> object:
        tries.append(1)
        if len(tries) <= failures:
            raise RuntimeError(said or "UNIQUE constraint failed")
        return RDBStorage(*args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(study_module, "RDBStorage", storage)
    monkeypatch.setattr(time, "sleep", pauses.append)
    if said:
        with pytest.raises(ElgeoError, match=f"cannot open the database .*: {said}"):
            study_module._storage(f"sqlite:///{tmp_path}/s.db", 60)
    else:
        study_module._storage(f"sqlite:///{tmp_path}/s.db", 60)
    assert len(tries) == (1 if said == "no such host" else 8)
    assert len(pauses) == len(tries) - 1
