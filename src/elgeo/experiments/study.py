"""Trials shared through a database: every worker runs the same loop, and each trial of a grid is done exactly once."""

from __future__ import annotations

import hashlib
import json
import logging
import re
import time
import warnings
from collections.abc import Callable, Mapping
from typing import Any

import optuna
import sqlalchemy
from optuna.exceptions import DuplicatedStudyError, ExperimentalWarning
from optuna.storages import RDBStorage, RetryHeartbeatStaleTrialCallback
from optuna.trial import FrozenTrial, Trial, TrialState

from elgeo.errors import ElgeoError
from elgeo.experiments.space import Space, Value

HEARTBEAT = 5
"""Seconds between a worker's signs of life; after three of them without one its trial is given to another worker."""
POINT = "grid point"
DUPLICATE = "duplicate"
MAX_RETRIES = 5

OnRank = Callable[[int, float], None]
"""Told the epoch and the validation rank measure; raises `optuna.TrialPruned` when the trial should stop."""
Objective = Callable[[Mapping[str, Value], str, OnRank], float]
"""Trains with the given settings under the given folder name, reporting on the way; gives the validation MRR."""


def open_study(
    url: str, name: str, space: Space, heartbeat: int = HEARTBEAT, dataset: str | None = None
) -> optuna.Study:
    """The study called `name` in a database, made if it is not there, with the missing points of a grid enqueued.

    `dataset` is a checksum of what its trials are trained on.

    Several workers may do this at once: a point that was enqueued twice is recognised when it is taken (see `work`).
    """
    warnings.simplefilter("ignore", ExperimentalWarning)
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    logging.getLogger("alembic").setLevel(logging.WARNING)
    storage = _storage(url, heartbeat)
    sampler: optuna.samplers.BaseSampler
    if space.method == "tpe":
        sampler = optuna.samplers.TPESampler(constant_liar=True)
    else:
        sampler = optuna.samplers.RandomSampler()
    pruner: optuna.pruners.BasePruner = (
        optuna.pruners.MedianPruner(n_warmup_steps=5) if space.prune else optuna.pruners.NopPruner()
    )
    try:
        study = optuna.create_study(
            storage=storage, study_name=name, direction="maximize", sampler=sampler, pruner=pruner
        )
    except DuplicatedStudyError:
        study = optuna.load_study(study_name=name, storage=storage, sampler=sampler, pruner=pruner)
    _same_space(study, space)
    if dataset is not None and study.user_attrs.get("dataset", dataset) != dataset:
        raise ElgeoError(f"study {study.study_name!r} was made for another dataset: choose another --name")
    if dataset is not None and "dataset" not in study.user_attrs:
        study.set_user_attr("dataset", dataset)
    if space.method == "grid":
        there = {t.user_attrs.get(POINT) for t in study.get_trials(deepcopy=False) if not _lost(t)}
        for number, point in enumerate(space.grid()):
            if number not in there:
                study.enqueue_trial(point, user_attrs={POINT: number})
    return study


def _storage(url: str, heartbeat: int, attempts: int = 8) -> RDBStorage:
    try:
        storage = RDBStorage(
            url,
            heartbeat_interval=heartbeat,
            grace_period=3 * heartbeat,
            heartbeat_stale_trial_callback=RetryHeartbeatStaleTrialCallback(max_retry=MAX_RETRIES),
            engine_kwargs={"connect_args": {"timeout": 60}} if url.startswith("sqlite") else None,
        )
        if url.startswith("sqlite"):
            sqlalchemy.event.listen(storage.engine, "begin", _begin_alone)
        return storage
    except ImportError as error:
        raise ElgeoError(f"{url}: the driver is not installed ({error}): pip install 'elgeo[postgres]'") from None
    except Exception as error:
        # workers that start together on an empty database stumble over each other's tables: look again
        if attempts > 1 and re.search("already exists|duplicate key|UNIQUE constraint", str(error)):
            time.sleep(0.25)
            return _storage(url, heartbeat, attempts - 1)
        raise ElgeoError(f"cannot open the database {url}: {str(error).splitlines()[0]}") from None


def _begin_alone(connection: sqlalchemy.Connection) -> None:
    """Let nobody else into an SQLite file from the first look on: two workers that both look before they take would
    both take the same trial. (PostgreSQL locks the row.)"""
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def work(study: optuna.Study, space: Space, objective: Objective) -> None:
    """Take trials and run them until none is left; trials whose worker died are taken up again.

    An error in one trial is recorded with it and the next one is taken.
    """

    def run(trial: Trial) -> float:
        if space.method == "grid" and not _first_to_take(study, trial):
            trial.set_user_attr(DUPLICATE, True)
            raise optuna.TrialPruned
        settings = {**space.fixed, **space.suggest(trial)}

        def report(epoch: int, value: float) -> None:
            trial.report(value, epoch)
            if space.prune and trial.should_prune():
                raise optuna.TrialPruned

        trial.set_user_attr("folder", trial_folder(settings))
        try:
            return objective(settings, trial_folder(settings), report)
        except ElgeoError as error:
            trial.set_user_attr("error", str(error))
            raise

    signed: set[int] = set()
    while (outlook := _outlook(study, space)) != "done":
        if outlook == "take":
            try:
                study.optimize(run, n_trials=1, catch=(ElgeoError,))
            except ValueError as error:
                # it was given to another worker, because this one gave no sign of life for too long
                if not str(error).startswith("Cannot tell"):
                    raise
        else:
            time.sleep(1)
            optuna.storages.fail_stale_trials(study)
            _sign_once(study, signed)


def _sign_once(study: optuna.Study, signed: set[int]) -> None:
    """Give each running trial one sign of life, so that it can grow stale.

    A worker killed between taking a trial and its own first sign would leave one that never does.
    """
    storage: Any = study._storage
    for trial in study.get_trials(deepcopy=False, states=(TrialState.RUNNING,)):
        if trial._trial_id not in signed:
            signed.add(trial._trial_id)
            storage.record_heartbeat(trial._trial_id)


def trial_folder(settings: Mapping[str, Value]) -> str:
    """The folder of a trial: named by its settings, so that whoever takes it up again finds the checkpoints."""
    text = json.dumps(settings, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def finished(study: optuna.Study) -> list[FrozenTrial]:
    """Trials that ran to a result, were pruned or failed for good, without duplicates and retried attempts."""
    done = (TrialState.COMPLETE, TrialState.PRUNED, TrialState.FAIL)
    trials = [t for t in study.get_trials(deepcopy=False, states=done) if DUPLICATE not in t.user_attrs]
    retried = {t.system_attrs.get("failed_trial") for t in study.get_trials(deepcopy=False)}
    return [t for t in trials if not _lost(t) and t.number not in retried]


def _lost(trial: FrozenTrial) -> bool:
    """Whether a trial ended without a result and without an error of its own: its worker was stopped."""
    return trial.state == TrialState.FAIL and "error" not in trial.user_attrs


def _outlook(study: optuna.Study, space: Space) -> str:
    """`take` a trial, `wait` for other workers' trials (which may be given back), or `done`."""
    trials = study.get_trials(deepcopy=False)
    waiting = any(t.state == TrialState.WAITING for t in trials)
    running = sum(t.state == TrialState.RUNNING for t in trials)
    done = len(finished(study))
    if waiting:
        return "take"
    if space.method != "grid" and done + running < space.size:
        return "take"
    return "wait" if running else "done"


def _same_space(study: optuna.Study, space: Space) -> None:
    text = json.dumps({"vary": str(dict(space.vary)), "fixed": dict(space.fixed), "method": space.method})
    before = study.user_attrs.get("space")
    if before is None:
        study.set_user_attr("space", text)
    elif before != text:
        raise ElgeoError(f"study {study.study_name!r} was made for another search space: choose another --name")


def _first_to_take(study: optuna.Study, trial: Trial) -> bool:
    """Whether no other trial of the same grid point, earlier or done, stands before this one."""
    point = trial.user_attrs.get(POINT)
    if point is None:
        # nothing was waiting when this worker asked, so the sampler made a trial up
        return False
    for other in study.get_trials(deepcopy=False):
        if other.user_attrs.get(POINT) != point or other.number == trial.number or DUPLICATE in other.user_attrs:
            continue
        if other.state == TrialState.COMPLETE or other.state == TrialState.PRUNED:
            return False
        if other.number < trial.number and other.state in (TrialState.RUNNING, TrialState.WAITING):
            return False
    return True


def describe(trial: FrozenTrial) -> dict[str, Any]:
    """A trial as a flat row for tables."""
    return {
        "trial": trial.number,
        "state": trial.state.name.lower(),
        "valid_mrr": trial.value if trial.state == TrialState.COMPLETE else None,
        **trial.params,
        "seconds": trial.duration.total_seconds() if trial.duration else None,
        "folder": trial.user_attrs.get("folder"),
        "error": trial.user_attrs.get("error"),
    }
