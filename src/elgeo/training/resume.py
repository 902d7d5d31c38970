"""What a run that is gone on with may be given: more epochs, other means, never another model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from elgeo.errors import ElgeoError
from elgeo.training.run import Run
from elgeo.training.settings import Settings

CHANGEABLE = ("epochs", "stop_patience", "device", "threads", "checkpoint_every")


def resumed(run: Run, changes: Mapping[str, Any]) -> Settings:
    """The settings with which a run goes on; changes that would make another run of it are refused."""
    settings = run.settings.changed(changes)
    for name in changes:
        before = run.settings.get(name)
        if name not in CHANGEABLE and settings.get(name) != before:
            raise ElgeoError(f"a resumed run keeps its {name} ({before}): train a new one")
    done = len(run.history)
    if settings.training.epochs < min(done, run.settings.training.epochs):
        raise ElgeoError(
            f"{done} epochs of the run in {run.folder} are done already: give epochs={done} to end it there"
        )
    return settings
