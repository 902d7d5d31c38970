"""The loop: the same bits however often it is broken off, the best epoch's weights, losses that run away."""

from __future__ import annotations

import json
import math
import os
import signal
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from elgeo.errors import ElgeoError, SettingError
from elgeo.models import ElEmbeddings, Sizes
from elgeo.models.contract import REGISTRY
from elgeo.models.engines.torch_engine import TorchEngine
from elgeo.training.folder.checkpoint import latest
from elgeo.training.folder.history import Epoch
from elgeo.training.loop import Stopped, batches_of, train
from elgeo.training.run import Run
from elgeo.training.settings import Settings
from elgeo.training.trainer import DivergedError, Trainer
from elgeo.training.workshop import InOneProcess
from tests.small_dataset import small_dataset

DATASET = small_dataset()


def settings(**values: Any) -> Settings:
    return Settings.of(
        "elem", **{"epochs": 7, "batch": 100, "dimension": 5, "checkpoint_every": 2, "negatives": "random", **values}
    )


def same_bits(one: Run, other: Run) -> bool:
    return all(np.array_equal(one.weights[name], other.weights[name]) for name in one.weights)


def without_times(history: Any) -> list[dict[str, Any]]:
    return [{key: value for key, value in epoch.to_dict().items() if key != "seconds"} for epoch in history]


@pytest.fixture(scope="module")
def unbroken() -> Run:
    return train(DATASET, settings(), quiet=True)


class Killed(Exception):
    """Stands for a kill: nothing is saved on the way out."""


def killed_in(epoch: int) -> Callable[[Epoch], None]:
    def on_epoch(done: Epoch) -> None:
        if done.epoch == epoch:
            raise Killed

    return on_epoch


def test_a_run_is_reproducible_and_seeds_matter(unbroken: Run) -> None:
    again = train(DATASET, settings(), quiet=True)
    assert same_bits(unbroken, again)
    assert without_times(again.history) == without_times(unbroken.history)
    assert not same_bits(unbroken, train(DATASET, settings(seed=1), quiet=True))


def test_a_run_on_disk_is_the_run_in_memory(unbroken: Run, tmp_path: Path) -> None:
    train(DATASET, settings(), tmp_path / "run", quiet=True)
    loaded = Run.load(tmp_path / "run", DATASET)
    assert same_bits(unbroken, loaded)
    assert loaded.settings == unbroken.settings
    assert without_times(loaded.history) == without_times(unbroken.history)
    saved = unbroken.save(tmp_path / "saved")
    assert same_bits(Run.load(saved.folder or "", DATASET), loaded)
    scores = [run.predictor().scorer().pairs(DATASET.test[:, 0], 1, DATASET.test[:, 2]) for run in (unbroken, loaded)]
    assert np.array_equal(scores[0], scores[1])


@pytest.mark.parametrize("epoch", [1, 2, 3, 6])
def test_a_killed_run_resumes_to_the_same_bits(unbroken: Run, tmp_path: Path, epoch: int) -> None:
    with pytest.raises(Killed):
        train(DATASET, settings(), tmp_path, quiet=True, on_epoch=killed_in(epoch))
    resumed = train(DATASET, settings(), tmp_path, resume=True, quiet=True)
    assert same_bits(unbroken, resumed)
    loaded = Run.load(tmp_path, DATASET)
    assert same_bits(unbroken, loaded)
    assert without_times(loaded.history) == without_times(unbroken.history)
    assert loaded.result["best_epoch"] == unbroken.result["best_epoch"]


def test_a_damaged_checkpoint_costs_epochs_but_no_bits(unbroken: Run, tmp_path: Path) -> None:
    with pytest.raises(Killed):
        train(DATASET, settings(), tmp_path, quiet=True, on_epoch=killed_in(5))
    last = sorted((tmp_path / "checkpoints").iterdir())[-1]
    last.write_bytes(last.read_bytes()[:-100])
    assert same_bits(unbroken, train(DATASET, settings(), tmp_path, resume=True, quiet=True))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interruption_saves_in_the_middle_of_an_epoch(
    unbroken: Run, tmp_path: Path, monkeypatch: Any, number: int
) -> None:
    taken = 0
    take = Trainer._take

    def interrupt_at_step_eight(self: Trainer, batch: Any) -> None:
        nonlocal taken
        taken += 1
        if taken == 8:
            os.kill(os.getpid(), number)
        take(self, batch)

    monkeypatch.setattr(Trainer, "_take", interrupt_at_step_eight)
    with pytest.raises(Stopped, match=r"stopped after epoch 2, step 2.*--resume"):
        train(DATASET, settings(), tmp_path, quiet=True)
    saved = latest(tmp_path)
    assert saved is not None
    assert saved.place == (2, 2)
    resumed = train(DATASET, settings(), tmp_path, resume=True, quiet=True)
    assert same_bits(unbroken, resumed)
    assert without_times(resumed.history) == without_times(unbroken.history)


def test_checkpoints_are_made_as_often_as_asked_for(tmp_path: Path) -> None:
    with pytest.raises(Killed):
        train(DATASET, settings(checkpoint_every=3), tmp_path, quiet=True, on_epoch=killed_in(7))
    names = sorted(path.name[:12] for path in (tmp_path / "checkpoints").iterdir())
    assert names == ["epoch-000003", "epoch-000006"]


def test_training_works_in_any_thread(unbroken: Run) -> None:
    with ThreadPoolExecutor(1) as pool:
        assert same_bits(unbroken, pool.submit(train, DATASET, settings(), quiet=True).result())


def test_only_what_has_a_loss_gets_negatives() -> None:
    class Modest(ElEmbeddings):
        """Knows what is not an existential, and of nothing else what is not."""

        name = "modest"
        negative_forms = ("existential",)

    try:
        assert set(batches_of(DATASET, Settings.of("modest")).corrupters) == {"existential"}
    finally:
        REGISTRY.pop("modest")
    with pytest.raises(SettingError, match="naive is not trained"):
        batches_of(DATASET, Settings.of("naive"))


def test_a_checkpoint_of_another_training_is_refused() -> None:
    trainer = Trainer(
        DATASET,
        ElEmbeddings,
        lambda generator: InOneProcess(ElEmbeddings(Sizes.of(DATASET), settings().own, generator)),
        settings().training,
        batches_of(DATASET, settings()),
    )
    steps = iter(trainer.steps())
    next(steps)
    saved = trainer.checkpoint()
    last = replace(saved, state=replace(saved.state, step=trainer.batches.steps))
    trainer.restore(last)
    assert trainer.step == trainer.batches.steps
    for change in ({"step": trainer.batches.steps + 1}, {"sums": {"chain": 1.0}}, {"dropped": {"chain": 1}}):
        with pytest.raises(SettingError, match="of another training"):
            trainer.restore(replace(saved, state=replace(saved.state, **change)))
    for name in ("engine/mean.radii", "engine/step", "best/centres"):
        array = saved.arrays[name]
        for wrong in (array[None], array.astype(np.float16)):
            with pytest.raises(SettingError, match=f"{name.split('/')[1]} of the checkpoint does not fit"):
                trainer.restore(replace(saved, arrays={**saved.arrays, name: wrong}))
        with pytest.raises(SettingError, match="does not fit"):
            trainer.restore(replace(saved, arrays={key: a for key, a in saved.arrays.items() if key != name}))
    with pytest.raises(SettingError, match="cannot have taken -1 steps"):
        trainer.restore(replace(saved, arrays={**saved.arrays, "engine/step": np.array(-1, np.int64)}))


def test_a_rank_that_nobody_asked_for_decides_nothing() -> None:
    asked: list[int] = []

    def rank(predictor: object) -> float:
        asked.append(1)
        return 1 - 0.1 * len(asked)

    run = train(DATASET, settings(), quiet=True, rank=rank)
    assert not asked
    assert all(done.valid_mrr is None for done in run.history)
    run = train(DATASET, settings(show_rank=True), quiet=True, rank=rank)
    assert len(asked) == 7
    losses = [done.valid_loss or 0.0 for done in run.history]
    assert run.result["best_epoch"] == 1 + losses.index(min(losses)) > 1
    assert train(DATASET, settings(show_rank=True, epochs=1), quiet=True).history[0].valid_mrr is None


def test_the_seconds_of_epochs_are_within_those_of_the_training() -> None:
    started = time.perf_counter()
    run = train(DATASET, settings(epochs=3), quiet=True)
    seconds = [done.seconds for done in run.history]
    assert min(seconds) > 0
    assert sum(seconds) < time.perf_counter() - started
    assert run.result["seconds"] == pytest.approx(sum(seconds), abs=0.01)


def test_a_target_without_a_loss_is_steered_by_the_training_loss() -> None:
    class Hierarchy(ElEmbeddings):
        """Learns C ⊑ D only."""

        name = "hierarchy"
        positive_forms = negative_forms = ("subclass",)

    try:
        run = train(DATASET, Settings.of("hierarchy", epochs=4, dimension=3, negatives="random"), quiet=True)
    finally:
        REGISTRY.pop("hierarchy")
    assert [done.valid_loss for done in run.history] == [None] * 4
    totals = [done.loss["total"] for done in run.history]
    assert run.result["best_epoch"] == 1 + totals.index(min(totals))
    assert set(run.history[0].loss) == {"subclass", "subclass-", "total"}


def test_metrics_have_the_promised_lines(tmp_path: Path) -> None:
    train(DATASET, settings(epochs=3, show_rank=True), tmp_path, quiet=True, rank=lambda predictor: 0.25)
    lines = [json.loads(line) for line in (tmp_path / "metrics.jsonl").read_text().splitlines()]
    assert [line["epoch"] for line in lines] == [1, 2, 3]
    for line in lines:
        assert {"epoch", "seconds", "loss", "lr", "valid_loss", "valid_mrr"} <= set(line)
        assert {"existential", "existential-", "subclass", "disjoint", "total"} <= set(line["loss"])
        assert line["valid_mrr"] == 0.25


def test_the_total_is_the_weighted_sum_and_validation_the_mean_loss(unbroken: Run) -> None:
    trained = {name.rstrip("-") for name in unbroken.history[0].loss} - {"total"}
    assert trained == {form for form, table in DATASET.forms.tables.items() if len(table)} - {"subrole"}
    steps = {form: -(-len(DATASET.forms[form]) // 100) for form in trained}
    for done in unbroken.history:
        expected = sum(
            steps[name.rstrip("-")] / sum(steps.values()) * value
            for name, value in done.loss.items()
            if name != "total"
        )
        assert done.loss["total"] == pytest.approx(expected)
    # the result is the best epoch's weights: their validation loss, computed by hand in numpy, is the smallest seen
    best = min(done.valid_loss or 0.0 for done in unbroken.history)
    centres, radii, roles = (unbroken.weights[name].astype(np.float64) for name in ("centres", "radii", "roles"))
    c, r, d = DATASET.valid.T
    inner = np.linalg.norm(centres[c] + roles[r] - centres[d], axis=1) + abs(radii[c]) - abs(radii[d])
    norms = [np.maximum(np.linalg.norm(centres[x], axis=1) - 1, 0) for x in (c, d)]
    losses = np.where(inner > 0, inner, 0.01 * inner) + sum(norms)
    assert losses.mean() == pytest.approx(best, rel=1e-5)


def test_training_stops_early_by_loss_and_by_rank() -> None:
    falling = iter([0.5, 0.6] + [0.4] * 50)
    run = train(
        DATASET,
        settings(epochs=50, stop_by="rank", stop_patience=4, plateau_patience=1, plateau_factor=0.5),
        quiet=True,
        rank=lambda predictor: next(falling),
    )
    assert dict(run.result) | {"seconds": 0} == {"best_epoch": 2, "best_value": 0.6, "epochs": 6, "seconds": 0}
    assert [done.lr for done in run.history] == [0.01, 0.01, 0.01, 0.01, 0.005, 0.005]
    by_loss = train(DATASET, settings(epochs=50, stop_patience=2, learning_rate=1.0), quiet=True)
    assert by_loss.result["epochs"] == by_loss.result["best_epoch"] + 2 < 50


@pytest.mark.parametrize("checkpoint_every", [1, 100])
def test_a_loss_that_runs_away_is_named_with_its_axiom(tmp_path: Path, checkpoint_every: int) -> None:
    steps_taken, not_numbers = 0, []

    class Overflowing(ElEmbeddings):
        """Has one axiom whose loss is not a number once its class has moved; the others stay sound."""

        name = "overflowing"

        def loss(self, form: str, rows: Any, negative: bool = False) -> Any:
            loss = super().loss(form, rows, negative)
            if form == "existential" and not negative:
                moved = (self.parameters["radii"][rows[:, 0]] - self._start).abs() > 0.021
                loss = torch.where(moved & (rows[:, 0] == WHO) & (rows[:, 2] == WHOM), float("nan"), loss)
            return loss

        def __init__(self, sizes: Sizes, settings: Any = None, generator: Any = None) -> None:
            super().__init__(sizes, settings, generator)
            self._start = float(self.parameters["radii"][WHO])

        def engine(self, device: str = "cpu") -> Any:
            return Counting(self, device)

    class Counting(TorchEngine):
        def step(self, batch: Any, learning_rate: float) -> dict[str, float]:
            nonlocal steps_taken
            losses = super().step(batch, learning_rate)
            if not all(math.isfinite(loss) for loss in losses.values()):
                not_numbers.append(steps_taken)
            steps_taken += 1
            return losses

    WHO, _, WHOM = DATASET.train[5].tolist()
    values = {"epochs": 30, "batch": 100, "dimension": 5, "checkpoint_every": checkpoint_every, "negatives": "random"}
    head, tail = (DATASET.vocabulary.class_label(i) for i in (WHO, WHOM))
    with pytest.raises(DivergedError) as raised:
        train(DATASET, Settings.of("overflowing", **values), tmp_path, quiet=True)
    epoch, step = divmod(not_numbers[0], -(-max(map(len, DATASET.forms.tables.values())) // 100))
    assert epoch > 0
    assert step > 0
    assert str(raised.value).startswith(
        f"the positive loss of existential axioms is no longer a number in epoch {epoch + 1}, step {step + 1}:"
        f" {head} SubClassOf knows some {tail}. Lower the learning rate"
    )
    assert not (tmp_path / "weights.safetensors").exists()


def test_a_real_divergence_is_said_too() -> None:
    with pytest.raises(DivergedError, match="no longer a number"):
        train(DATASET, settings(learning_rate=1e30), quiet=True)


def test_baselines_are_runs_too(tmp_path: Path) -> None:
    train(DATASET, Settings.of("naive"), tmp_path, quiet=True)
    scorer = Run.load(tmp_path, DATASET).predictor().scorer()
    tails = np.unique(DATASET.train[:, 2])
    counts = np.bincount(DATASET.train[:, 2])[tails]
    assert np.allclose(scorer.pairs(np.zeros_like(tails), 1, tails), counts / len(DATASET.train))


def test_a_run_refuses_another_dataset_and_says_when_it_is_not_finished(tmp_path: Path) -> None:
    with pytest.raises(Killed):
        train(DATASET, settings(), tmp_path, quiet=True, on_epoch=killed_in(1))
    with pytest.raises(ElgeoError, match="not finished"):
        Run.load(tmp_path, DATASET).weights  # noqa: B018
    with pytest.raises(ElgeoError, match="another dataset"):
        Run.load(tmp_path, small_dataset(1)).dataset  # noqa: B018
    with pytest.raises(ElgeoError, match="there is no such folder: a run is made by"):
        Run.load(tmp_path / "nowhere")


def test_an_unwritable_folder_is_said_plainly(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ElgeoError, match="cannot write to"):
        train(DATASET, settings(), tmp_path / "file" / "run", quiet=True)


def test_unknown_devices_are_refused() -> None:
    with pytest.raises(SettingError, match="cannot train on"):
        train(DATASET, settings(device="abacus"), quiet=True)
