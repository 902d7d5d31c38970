"""Run by torchrun: trains every model in all processes together and in this one alone, and writes what differs."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

from elgeo.cli.torchrun import end
from elgeo.evaluation.validation import validation_rank
from elgeo.models.contract import REGISTRY, Model
from elgeo.training.distributed.processes import join, leave
from elgeo.training.loop import train
from elgeo.training.run import Run
from elgeo.training.settings import Settings
from tests.small_dataset import small_dataset

VARIANTS: dict[str, dict[str, Any]] = {
    "biased": {"negatives": "biased(0.3)", "negatives_per_positive": 2},
    "both sides": {"corrupt": "both"},
    "refuted": {"negatives": "refuted"},
    "hard": {"negatives": "hard", "batch": 7},
    "inclusion": {"conjunction": "inclusion", "regularisation": "strict", "activation": "relu", "margin": 0.1},
    "rank": {"stop_by": "rank", "rank_sample": 0},
}

NOTHING: dict[str, Any] = {}


def main(folder: Path) -> None:
    processes = join()
    dataset = small_dataset(3)
    runs: dict[str, tuple[str, dict[str, Any]]] = {
        name: (name, {}) for name, cls in REGISTRY.items() if issubclass(cls, Model)
    }
    runs |= {name: ("elem", settings) for name, settings in VARIANTS.items()}
    found = {}
    for name, (model, more) in runs.items():
        # a rate that does not let rounding grow: float32 is to show, nothing else
        settings = Settings.of(model, **{"dimension": 7, "batch": 50, "epochs": 3, "learning_rate": 0.002, **more})
        rank = validation_rank(dataset)
        shared = train(dataset, settings, folder / name, quiet=True, rank=rank, processes=processes)
        if processes.is_first:
            alone = train(dataset, settings, quiet=True, rank=rank)
            found[name] = compared(shared, alone)
    if processes.is_first:
        (folder / "found.json").write_text(json.dumps(found))
    leave()
    end(0)


def compared(shared: Run, alone: Run) -> dict[str, float]:
    """The largest differences: of losses, each beside itself; of ranks; of weights."""
    assert len(shared.history) == len(alone.history) == 3
    loss, rank = 0.0, 0.0
    for one, other in zip(shared.history, alone.history, strict=True):
        assert set(one.loss) == set(other.loss)
        assert one.dropped == other.dropped
        pairs = [(one.loss[name], value) for name, value in other.loss.items()]
        pairs.append((one.valid_loss or 0.0, other.valid_loss or 0.0))
        loss = max([loss, *(abs(mine - value) / abs(value) for mine, value in pairs if mine != value)])
        rank = max(rank, abs((one.valid_mrr or 0.0) - (other.valid_mrr or 0.0)))
    written = Run.load(shared.folder or "", alone.dataset)
    weights = max(float(np.abs(written.weights[name] - array).max()) for name, array in alone.weights.items())
    moved = max(float(np.abs(array).max()) for array in alone.weights.values())
    return {"loss": loss, "rank": rank, "weights": weights, "largest": moved, "best": shared.result["best_epoch"]}


if __name__ == "__main__":
    main(Path(sys.argv[1]))
