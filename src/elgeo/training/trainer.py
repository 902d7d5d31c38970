"""`Trainer`: steps, epochs, validation, the best weights, and a state that can be saved and restored."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elgeo.datasets.model import Dataset
from elgeo.errors import ElgeoError, SettingError
from elgeo.models.contract import Arrays, Batch, Model, Predictor
from elgeo.ontology.sentences import written
from elgeo.training.batches import Batches
from elgeo.training.folder.checkpoint import Checkpoint
from elgeo.training.folder.history import Epoch
from elgeo.training.folder.state import State
from elgeo.training.plateau import BestEpoch, Plateau
from elgeo.training.settings import Training
from elgeo.training.workshop import Workshop, check_shapes

Rank = Callable[[Predictor], float]
"""The filtered MRR of a predictor on validation axioms."""


class DivergedError(ElgeoError):
    """A loss is no longer a number; the message says which, and for which axiom."""


class NotANumber(Exception):
    """The loss `name` of a step is not finite."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class Trainer:
    """Trains a model epoch by epoch, or step by step.

    Everything that decides what comes next is in `checkpoint()`; `restore()` brings it back to the same bits.
    """

    def __init__(
        self,
        dataset: Dataset,
        cls: type[Model],
        make: Callable[[np.random.Generator], Workshop],
        settings: Training,
        batches: Batches,
        rank: Rank | None = None,
    ) -> None:
        self.dataset, self.settings, self.batches, self.rank = dataset, settings, batches, rank
        self._make, self._has_valid_loss = make, len(dataset.valid) > 0 and dataset.target_form in cls.positive_forms
        self.restore(None)

    def restore(self, checkpoint: Checkpoint | None) -> None:
        """Go to a checkpoint, or to the very beginning."""
        # without a rank the training loss is watched, and less of it is better
        by_rank = self.settings.stop_by == "rank" and self.rank is not None
        self.generator = np.random.default_rng(self.settings.seed)
        self.workshop = self._make(self.generator)
        self.batches.share = self.workshop.share
        self.plateau = Plateau(
            self.settings.learning_rate, self.settings.plateau_patience, self.settings.plateau_factor, by_rank
        )
        self.best = BestEpoch(self.settings.stop_patience, by_rank)
        self.epoch = self.step = 0
        self._sums: dict[str, float] = {}
        self._seconds = 0.0
        self._epoch_start = self.generator.bit_generator.state
        self.batches.start_counting()
        if checkpoint is None:
            self.best_weights = self.workshop.arrays()
            return
        state, parts = checkpoint.state, _grouped(checkpoint.arrays)
        self._check(state)
        self.workshop.load(parts["model"], parts["engine"])
        check_shapes(self.workshop.arrays(), parts["best"])
        self.best_weights = parts["best"]
        self.epoch, self.step = checkpoint.place
        self._epoch_start = self.generator.bit_generator.state = dict(state.generator)
        self.plateau.learning_rate = state.learning_rate
        self.plateau.best, self.plateau.bad_epochs = state.plateau_best, state.bad_epochs
        self.best.epoch = state.best_epoch
        self.best.value = math.nan if state.best_value is None else state.best_value
        self._sums, self._seconds = dict(state.sums), state.seconds
        if self.workshop.share.rank == 0:  # one of the processes remembers what all of them have counted
            self.batches.dropped = dict(state.dropped)

    def _check(self, state: State) -> None:
        """Refuse a state of another training than this one."""
        forms = {*self.batches.tables, *(f"{form}-" for form in self.batches.corrupters)}
        if state.step > self.batches.steps or not set(state.sums) <= forms or not set(state.dropped) <= forms:
            raise SettingError(
                "the checkpoint is of another training than this dataset and these settings make: train a new one"
            )

    def checkpoint(self) -> Checkpoint:
        """All that is needed to go on from here, in the middle of an epoch too."""
        arrays = {
            **{f"model/{name}": array for name, array in self.workshop.arrays().items()},
            **{f"engine/{name}": array for name, array in self.workshop.state().items()},
            **{f"best/{name}": array for name, array in self.best_weights.items()},
        }
        state = State(
            self.epoch,
            self.step,
            self._epoch_start,
            self.plateau.learning_rate,
            self.plateau.best,
            self.plateau.bad_epochs,
            self.best.epoch,
            None if math.isnan(self.best.value) else self.best.value,
            self._sums,
            self._seconds,
            self.workshop.totals(self.batches.dropped),
        )
        return Checkpoint(arrays, state)

    @property
    def is_over(self) -> bool:
        """Whether the last epoch is done or nothing has improved for too long."""
        return bool(self.why_over)

    @property
    def why_over(self) -> str:
        """Why training has ended, in words; nothing while it has not."""
        if self.epoch >= self.settings.epochs:
            return f"all {self.settings.epochs} epochs are done"
        if self.best.is_over(self.epoch):
            return f"ended after epoch {self.epoch}: no better one for {self.settings.stop_patience} epochs"
        return ""

    def steps(self) -> Iterator[int]:
        """Take the steps of the current epoch one by one, from where it stands."""
        started = time.perf_counter()  # the negatives of a batch are drawn as it is asked for
        for batch in self.batches.epoch(self.generator, skip=self.step):
            self._take(batch)
            self.step += 1
            self._seconds += time.perf_counter() - started
            yield self.step
            started = time.perf_counter()

    def _take(self, batch: dict[str, Batch]) -> None:
        losses = self.workshop.step(batch, self.plateau.learning_rate)
        for name, loss in losses.items():
            if not math.isfinite(loss):
                raise NotANumber(name)
            self._sums[name] = self._sums.get(name, 0.0) + loss

    def finish_epoch(self) -> Epoch:
        """Validate after the last step; learning rate and best weights follow."""
        started = time.perf_counter()
        steps, self.epoch, self.step = self.step, self.epoch + 1, 0
        loss = {name: total / steps for name, total in self._sums.items()}
        weights = self.batches.weights
        loss["total"] = sum(weights[name.rstrip("-")] * value for name, value in loss.items())
        valid_loss = self._valid_loss()
        needs_rank = self.settings.show_rank or self.settings.stop_by == "rank"
        valid_mrr = self.workshop.measured(self.rank) if self.rank is not None and needs_rank else None
        watched = {"loss": valid_loss, "rank": valid_mrr, "training_loss": loss["total"]}[self.settings.stop_by]
        if watched is None:  # no validation axioms, or none that the model has a loss for
            watched = loss["total"]
        learning_rate = self.plateau.learning_rate
        self.plateau.step(watched)
        if self.best.step(self.epoch, watched):
            self.best_weights = self.workshop.arrays()
        seconds = self._seconds + time.perf_counter() - started
        dropped = self.workshop.totals(self.batches.dropped)
        done = Epoch(self.epoch, seconds, loss, learning_rate, valid_loss, valid_mrr, dropped)
        self._sums, self._seconds = {}, 0.0
        self._epoch_start = self.generator.bit_generator.state
        self.batches.start_counting()
        return done

    def _valid_loss(self) -> float | None:
        rows = self.dataset.valid
        if not self._has_valid_loss:
            return None
        losses = self.workshop.losses(self.dataset.target_form, rows, negative=False)
        if not np.isfinite(losses).all():
            axiom = written(self.dataset.target_form, rows[~np.isfinite(losses)][0], self.dataset.vocabulary)
            raise DivergedError(
                f"the validation loss is no longer a number after epoch {self.epoch}: {axiom}. {_ADVICE}"
            )
        return float(losses.mean())

    def check_result(self) -> None:
        """Refuse best weights that are no numbers: nothing looks at the losses after the last step of all."""
        for name, array in self.best_weights.items():
            if self.workshop.agreed(not np.isfinite(array).all()):
                raise DivergedError(f"the {name} are no longer numbers after epoch {self.best.epoch}. {_ADVICE}")

    def explain(self, name: str, start: Checkpoint | None) -> DivergedError:
        """Which axiom made the loss `name` of the step just taken what it is.

        The step has already spread what is not a number to every class it touched; so go from `start` to the step
        before it once more, and look at each axiom of the batch.
        """
        epoch, step = self.epoch, self.step
        form, negative = name.rstrip("-"), name.endswith("-")
        self.restore(start)
        while self.epoch < epoch:
            for _ in self.steps():
                pass
            self.finish_epoch()
        for batch in self.batches.epoch(self.generator, skip=self.step):
            if self.step == step:
                break
            self._take(batch)
            self.step += 1
        given: Any = batch[form].negatives if negative else batch[form].positives
        rows = self.workshop.gathered(given)
        losses = self.workshop.losses(form, rows, negative)
        bad = np.flatnonzero(~np.isfinite(losses))
        axiom = written(form, rows[bad[0] if len(bad) else 0], self.dataset.vocabulary)
        sign = "negative" if negative else "positive"
        return DivergedError(
            f"the {sign} loss of {form} axioms is no longer a number in epoch {epoch + 1}, step {step + 1}: {axiom}. "
            + _ADVICE
        )


_ADVICE = "Lower the learning rate, or look for a setting that lets losses grow without bound"


def _grouped(arrays: Mapping[str, NDArray[Any]]) -> dict[str, Arrays]:
    groups: dict[str, Arrays] = {"model": {}, "engine": {}, "best": {}}
    for name, array in arrays.items():
        group, _, rest = name.partition("/")
        groups.setdefault(group, {})[rest] = array
    return groups
