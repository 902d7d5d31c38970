"""Training in several processes, which are threads here: it is the training of one, and its checkpoints are too."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from elgeo.datasets import load
from elgeo.errors import ElgeoError, ReadError, SettingError
from elgeo.evaluation.validation import validation_rank
from elgeo.models import ElEmbeddings
from elgeo.models.contract import Sizes
from elgeo.training.distributed import drawing, sharded
from elgeo.training.distributed.processes import ALONE, PeerError, Processes
from elgeo.training.distributed.sharded import Sharded
from elgeo.training.loop import batches_of, train
from elgeo.training.run import Run
from elgeo.training.settings import Settings
from elgeo.training.trainer import Trainer
from elgeo.training.workshop import InOneProcess, Workshop
from tests.small_dataset import small_dataset
from tests.training.distributed.compare_models import compared
from tests.training.distributed.in_threads import together


class NeverLucky:
    """numpy, whose fresh arrays hold nothing that was there before: rows that are left out show."""

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)

    def empty(self, shape: Any, dtype: Any = np.float64) -> Any:
        return np.full(shape, -77, dtype)


def settings(model: str, **more: Any) -> Settings:
    return Settings.of(model, **{"dimension": 3, "batch": 50, "epochs": 3, "learning_rate": 0.002, **more})


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "model", "more"),
    [
        (2, "elem", {"stop_by": "rank", "rank_sample": 0}),
        (3, "box2el", {"negatives": "biased(0.3)", "negatives_per_positive": 2}),
        (2, "transe", {"corrupt": "both"}),
    ],
)
def test_it_is_the_training_of_one(
    size: int, model: str, more: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drawing, "BLOCK", 12)  # tables of several blocks
    monkeypatch.setattr(sharded, "BLOCK", 12)
    monkeypatch.setattr(sharded, "np", NeverLucky())
    dataset, wanted = small_dataset(3), settings(model, threads=1, **more)
    rank = validation_rank(dataset)

    def work(processes: Processes) -> Run:
        return train(dataset, wanted, tmp_path / "shared", quiet=True, rank=rank, processes=processes)

    found = together(size, work, monkeypatch)
    differences = compared(found[0], train(dataset, wanted, quiet=True, rank=rank))
    assert differences["loss"] < 1e-5
    assert differences["rank"] < 1e-6
    assert differences["weights"] < 1e-4 * differences["largest"]
    assert [[epoch.loss for epoch in each.history] for each in found[1:]] == [[e.loss for e in found[0].history]] * (
        size - 1
    )


@pytest.mark.slow
def test_individuals_are_points_in_any_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dataset, wanted = load("family"), settings("box2el", threads=1, bump_weight=0.7)
    own = Sizes.of(dataset).individuals

    def work(processes: Processes) -> Run:
        return train(dataset, wanted, tmp_path / "shared", quiet=True, processes=processes)

    found, alone = together(2, work, monkeypatch)[0], train(dataset, wanted, quiet=True)
    differences = compared(found, alone)
    assert differences["loss"] < 1e-5
    assert differences["weights"] < 1e-4 * differences["largest"]
    for run in (found, alone):
        assert np.flatnonzero((run.weights["offsets"] == 0).all(axis=1)).tolist() == list(own)


@pytest.mark.slow
def test_any_number_of_processes_goes_on_with_what_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dataset, folder = small_dataset(3), tmp_path / "shared"
    done: list[int] = []

    def trained(epochs: int, resume: bool) -> Any:
        wanted = settings("elem", threads=1, epochs=epochs, checkpoint_every=1)
        how: dict[str, Any] = {"resume": resume, "quiet": True, "on_epoch": lambda epoch: done.append(epoch.epoch)}
        return lambda processes: train(dataset, wanted, folder, processes=processes, **how)

    together(2, trained(2, False), monkeypatch)
    places = sorted((folder / "checkpoints").iterdir())
    assert [len(list(place.iterdir())) for place in places] == [2, 2]
    part = sorted(places[-1].iterdir())[1]
    part.write_bytes(part.read_bytes()[:-9])  # then that of the first epoch is the last one that is whole
    together(3, trained(4, True), monkeypatch)
    assert done == [1, 2, 2, 3, 4]
    together(2, trained(5, True), monkeypatch)
    assert done[5:] == [5], "what is whole is gone on with"
    alone = train(dataset, settings("elem", threads=1, epochs=5), quiet=True)
    weights = Run.load(folder, dataset).weights
    for name, array in alone.weights.items():
        np.testing.assert_allclose(weights[name], array, rtol=0, atol=1e-4 * np.abs(array).max())
    assert len(Run.load(folder, dataset).history) == 5


def test_what_could_not_be_drawn_is_counted_once_wherever_an_epoch_is_broken_off(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    dataset, wanted = small_dataset(3), settings("elem", threads=1, negatives="refuted")
    sizes, made = Sizes.of(dataset), batches_of(dataset, wanted)

    def model(sizes: Sizes, generator: np.random.Generator) -> ElEmbeddings:
        return ElEmbeddings(sizes, wanted.own, generator)

    def trainer(p: Processes) -> Trainer:
        def workshop(generator: np.random.Generator) -> Workshop:
            return InOneProcess(model(sizes, generator)) if p.size == 1 else Sharded(model, sizes, generator, p)

        return Trainer(dataset, ElEmbeddings, workshop, wanted.training, replace(made))

    def counted(p: Processes, at: int) -> Mapping[str, int]:
        begun, gone_on_with = trainer(p), trainer(p)
        for _ in islice(begun.steps(), at):
            pass
        gone_on_with.restore(begun.checkpoint())
        for _ in gone_on_with.steps():
            pass
        return gone_on_with.finish_epoch().dropped

    whole = counted(ALONE, 0)
    assert min(whole.values()) > 0
    assert counted(ALONE, 3) == whole
    assert together(3, lambda p: counted(p, 2), monkeypatch) == [whole] * 3


@pytest.mark.slow
def test_a_start_after_a_death_goes_on_with_the_same_training_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "shared"

    def again(seed: int, epochs: int) -> Any:
        wanted = settings("elem", threads=1, epochs=epochs)
        return lambda p: train(small_dataset(seed), wanted, folder, quiet=True, processes=replace(p, restarts=1))

    together(2, again(3, 1), monkeypatch)
    assert len(together(2, again(3, 1), monkeypatch)[1].history) == 1
    for other in (again(4, 1), again(3, 2)):
        with pytest.raises(ElgeoError, match="resume"):
            together(2, other, monkeypatch)


def test_what_processes_say_is_heard_in_the_order_of_ranks(monkeypatch: pytest.MonkeyPatch) -> None:
    def work(p: Processes) -> dict[str, Any]:
        rows = np.arange(p.rank, dtype=np.float64) + 10 * p.rank
        table = np.full((2 - p.rank, 3, 2), p.rank, np.int16)
        return {
            "joined": p.joined(rows).tolist(),
            "tables": (p.joined(table).shape, p.joined(table)[:, 2, 1].tolist()),
            "shapes": {part.shape for part in p.collected(table)},
            "summed": p.summed(np.array([1, p.rank])).tolist(),
            "reduced": p.reduced(np.array([0.5, p.rank])).tolist(),
            "collected": [part.tolist() for part in p.collected(rows)],
            "any": (p.any(p.rank == 2), p.any(False)),
            "told": p.told("first" if p.is_first else "other"),
            "first": p.first(lambda: 7),
        }

    first, *others = together(3, work, monkeypatch)
    assert first == {
        "joined": [10.0, 20.0, 21.0],
        "tables": ((3, 3, 2), [0, 0, 1]),
        "shapes": {(2, 3, 2)},
        "summed": [3, 3],
        "reduced": [1.5, 3.0],
        "collected": [[0.0, 0.0], [10.0, 0.0], [20.0, 21.0]],
        "any": (True, False),
        "told": "first",
        "first": 7,
    }
    assert others == [first | {"collected": [], "shapes": set(), "first": None}] * 2


def test_no_more_processes_than_classes_share_a_model(monkeypatch: pytest.MonkeyPatch) -> None:
    def work(p: Processes) -> int:
        def model(sizes: Sizes, generator: np.random.Generator) -> ElEmbeddings:
            return ElEmbeddings(sizes, ElEmbeddings.Settings(dimension=2), generator)

        return len(Sharded(model, Sizes(3, 2), np.random.default_rng(0), p).arrays()["centres"])

    assert together(2, work, monkeypatch) == [2, 1]
    assert together(3, work, monkeypatch) == [1, 1, 1]
    with pytest.raises(SettingError, match="4 processes are more than there are classes: 3"):
        together(4, work, monkeypatch)


def test_an_error_of_one_ends_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def bad() -> None:
        raise ReadError("cannot read it")

    def work(p: Processes) -> str:
        with pytest.raises(ElgeoError) as caught:
            p.first(bad)
        return type(caught.value).__name__

    assert together(2, work, monkeypatch) == ["ReadError", PeerError.__name__]
