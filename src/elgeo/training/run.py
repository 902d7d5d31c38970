"""`Run`: settings, weights and history of a training; a folder without code that can be copied."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import elgeo
from elgeo import datasets
from elgeo.datasets.model import Dataset
from elgeo.errors import ElgeoError, SettingError
from elgeo.messages import counted
from elgeo.models import find
from elgeo.models.atlas.geometry import LOADERS
from elgeo.models.contract import Baseline, Fitted, Model, Predictor, Sizes
from elgeo.models.ensemble import Ensemble
from elgeo.ontology import glimpse
from elgeo.training.folder.history import Epoch, read_history, write_history
from elgeo.training.folder.record import RECORD, Record, TrainedOn, fingerprint, read_record, write_record
from elgeo.training.folder.tensors import DamagedError, load_arrays, save_arrays
from elgeo.training.settings import Settings

MAPPED_FROM, BLOCK = 1 << 28, 1 << 16
"""Bytes of weights from which on they stay in their file until they are used; rows of a table looked at together."""
WEIGHTS, EVALUATION, CALIBRATION = "weights.safetensors", "evaluation.json", "calibration.json"


@dataclass(frozen=True, eq=False)
class Run:
    """A finished training.

    `dataset` is where it was trained on: kept in memory, or found again by what `run.toml` says of it.
    """

    record: Record
    """What `run.toml` says: settings, versions, dataset, result."""
    history: Sequence[Epoch] = ()
    """Every epoch, as in `metrics.jsonl`."""
    folder: Path | None = None
    given_weights: Mapping[str, NDArray[Any]] | None = field(default=None, repr=False)
    given_dataset: Dataset | str | None = field(default=None, repr=False)
    given_members: Sequence[Run] = field(default=(), repr=False)

    def __repr__(self) -> str:
        place = "in memory" if self.folder is None else str(self.folder)
        state = "" if self.record.result is not None else ", not finished"
        epochs = f", {counted(len(self.history), 'epoch')}" if self.history else ""
        return f"<Run of {self.settings.model} on {self.record.dataset.name}: {place}{epochs}{state}>"

    def _repr_html_(self) -> str:
        known = {name: value for name, value in (self.record.result or {}).items() if not isinstance(value, Mapping)}
        return glimpse.table(repr(self), {"seed": self.settings.training.seed, **known})

    @classmethod
    def load(cls, folder: str | os.PathLike[str], dataset: Dataset | str | None = None) -> Run:
        """A run from its folder. `dataset` (or its folder) is needed only where it is no longer where it was."""
        place = Path(folder)
        return cls(read_record(place), read_history(place), place, None, dataset)

    @property
    def settings(self) -> Settings:
        return self.record.settings

    @property
    def result(self) -> Mapping[str, Any]:
        """What came of it (`best_epoch`, `best_value`, `epochs`, `seconds`); an error while it is not finished."""
        if self.record.result is None:
            raise self._not_finished()
        return self.record.result

    @cached_property
    def dataset(self) -> Dataset:
        """The dataset the run was trained on; an error if it cannot be found or is another one."""
        known = self.record.dataset
        found = self.given_dataset if isinstance(self.given_dataset, Dataset) else datasets.load(self._place(known))
        if fingerprint(found) != known.sha256:
            raise ElgeoError(
                f"the run was trained on another dataset than {found.name!r} as it is now (the checksum differs)"
            )
        return found

    @cached_property
    def weights(self) -> Mapping[str, NDArray[Any]]:
        """The parameters of the best epoch by name."""
        if self.given_weights is not None:
            return self.given_weights
        if self.folder is None or not (self.folder / WEIGHTS).is_file():
            raise self._not_finished()
        return load_arrays(self.folder / WEIGHTS, mapped=(self.folder / WEIGHTS).stat().st_size >= MAPPED_FROM)[0]

    @cached_property
    def members(self) -> Sequence[Run]:
        """The runs that an ensemble is made of, one for each seed; no other run has any."""
        if self.folder is None:
            return self.given_members
        _ = self.result  # all of them are there once it is finished
        return [Run.load(self.folder / name, self.dataset) for name in self.record.members]

    def predictor(self) -> Predictor:
        """The trained or fitted model, the baseline counted anew from the dataset, or an ensemble of its members."""
        if self.record.members:
            return Ensemble([member.predictor() for member in self.members])
        cls = find(self.settings.model)
        if issubclass(cls, Baseline):
            return cls.fit(self.dataset)
        if issubclass(cls, Fitted):
            return cls.restore(self.dataset, self.settings.own, self.weights)
        if not issubclass(cls, Model):
            raise SettingError(f"{self.settings.model} can neither be trained nor fitted nor counted")
        model = cls.restored(Sizes.of(self.dataset), self.settings.own, self.weights)
        for name, array in zip(self.weights, map(np.atleast_1d, self.weights.values()), strict=True):
            if not all(np.isfinite(array[first : first + BLOCK]).all() for first in range(0, len(array), BLOCK)):
                raise DamagedError(f"{WEIGHTS} of {self.folder} is damaged: {name} has values that are no numbers")
        return model

    def predict(self, **options: Any) -> Any:
        """The best missing axioms as a pandas DataFrame; see `elgeo.predict`."""
        # evaluation is a later room: only the public face of the package knows both
        return elgeo.predict(self, **options)

    def place(self, terms: Any, **options: Any) -> Any:
        """Where a new term belongs, by its label (or terms, by theirs); see `elgeo.place`."""
        return elgeo.place(self, terms, **options)

    def score(self, axioms: str | Sequence[str]) -> Any:
        """Truth and score of whole axioms as a pandas DataFrame; see `elgeo.score`."""
        return elgeo.score(self, axioms)

    def save(self, folder: str | os.PathLike[str]) -> Run:
        """Write a run that was trained without a folder."""
        place = Path(folder)
        if (place / RECORD).exists():
            raise ElgeoError(f"{place} already holds a run: choose another folder")
        write_history(place, self.history)
        if self.given_weights is not None:
            save_arrays(place / WEIGHTS, self.weights, {})
        write_record(place, self.record)
        return replace(self, folder=place)

    def _place(self, known: TrainedOn) -> str:
        if self.given_dataset is not None:
            return str(self.given_dataset)
        beside = self.folder / known.relative if self.folder and known.relative else None
        for place in (known.path, beside):
            if place and Path(place).is_dir():
                return str(place)
        if known.name in datasets.EMBEDDED:
            return known.name
        gone = f"is no longer at {known.path}" if known.path else "was in memory, not in a folder"
        raise ElgeoError(f"the dataset {known.name!r} of the run {gone}: say where it is (--dataset FOLDER)")

    def _not_finished(self) -> ElgeoError:
        return ElgeoError(f"{self.folder} is not finished: go on with `elgeo train -o {self.folder} --resume`")


LOADERS.append(lambda folder, dataset: Run.load(folder, dataset).predictor())
