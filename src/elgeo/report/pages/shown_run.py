"""`ShownRun`: what a page shows of one run, gathered from its folder, its dataset and its model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from elgeo.datasets.model import Dataset
from elgeo.datasets.splits.leakage import measured
from elgeo.datasets.statistics import statistics
from elgeo.documents import Fields, parse_json
from elgeo.evaluation.calibration.document import Calibration, Reliability, calibration_of, read_calibration
from elgeo.evaluation.document import Evaluation
from elgeo.evaluation.predictions.came_true import RESULT, CameTrue
from elgeo.evaluation.predictions.predict import Predictions, predict
from elgeo.evaluation.reading import read_evaluation
from elgeo.models.contract import Geometry
from elgeo.report.pages.drawing import Drawn, drawn
from elgeo.training.folder.history import Epoch
from elgeo.training.folder.record import Record
from elgeo.training.run import EVALUATION, Run
from elgeo.training.settings import settings_of

_FIGURES = ("best_epoch", "best_value", "epochs", "seconds")
"""What a result has for people; the rest is how a model remembers what it found."""


@dataclass(frozen=True, eq=False)
class ShownRun:
    """One run as a page shows it."""

    name: str
    settings: Mapping[str, Any]
    """What run.toml says, without what its model has no use for."""
    history: Sequence[Epoch] = ()
    best_epoch: int | None = None
    evaluation: Evaluation | None = None
    """None if the run was not evaluated."""
    dataset: Mapping[str, Any] = field(default_factory=dict)
    """What there is to say of the dataset, with what leaks; empty while the run is not finished."""
    picture: Sequence[Drawn] = ()
    predictions: Predictions | None = None
    evidence: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """Of a model made of evidence: the weight of each piece, and what held-out axioms lose without it."""
    blocks: Mapping[str, float] = field(default_factory=dict)
    """What they lose without each block of context, where that was tried."""
    came_true: Sequence[str] = ()
    """What its first suggestions would have been worth, if that was asked for."""
    calibration: tuple[Calibration, Reliability | None] | None = None
    """What probabilities are read off, and how far they hold."""


def gather(folder: Path, name: str, dataset: Dataset | str | None = None, top: int = 20) -> ShownRun:
    """Read a run and look at it; one that is not finished is shown without dataset, picture and predictions."""
    run = Run.load(folder, dataset)
    record = shown_settings(run.record)
    place = folder / EVALUATION
    evaluation = read_evaluation(place) if place.exists() else None
    if run.record.result is None:
        return ShownRun(name, record, run.history, None, evaluation)
    predictor = run.predictor()
    return ShownRun(
        name,
        record,
        run.history,
        run.record.result.get("best_epoch"),
        evaluation,
        facts(run.dataset),
        drawn(predictor, run.dataset) if isinstance(predictor, Geometry) else (),
        predict(predictor, run.dataset, top=top, calibration=calibration_of(folder)) if top else None,
        *evidence_of(run.record.result),
        sentences_of(folder),
        read_calibration(folder),
    )


def shown_settings(record: Record) -> dict[str, Any]:
    """What a page lists of a record: of training only what the model has a use for, of the result only its figures."""
    known, model = record.to_dict(), record.settings.model
    used = {each.name for each in settings_of(model).get("training", ())}
    known["settings"] = {name: value for name, value in known["settings"].items() if name in used or name == model}
    known["result"] = {name: known["result"][name] for name in _FIGURES if name in known.get("result", {})}
    return known


def evidence_of(result: Mapping[str, Any]) -> tuple[dict[str, tuple[float, float]], dict[str, float]]:
    """Pieces of evidence with weight and worth, and blocks with theirs, from a record that anyone may have changed."""
    try:
        pieces = {str(k): (float(v["weight"]), float(v["worth"])) for k, v in result.get("evidence", {}).items()}
        return pieces, {str(k): float(v) for k, v in result.get("blocks", {}).items()}
    except (AttributeError, KeyError, TypeError, ValueError):
        return {}, {}


def sentences_of(folder: Path) -> list[str]:
    """What `elgeo evaluate --suggestions` found, in words."""
    place = folder / RESULT
    if not place.is_file():
        return []
    fields = Fields(parse_json(place.read_bytes(), place), place)
    try:
        first = [int(number) for number in fields.values["first"]]
        counts = {str(name): [int(n) for n in some] for name, some in fields.values["came_true"].items()}
        return CameTrue(fields.text("dataset"), fields.whole("held_out"), first, counts).sentences()
    except (KeyError, TypeError, ValueError, AttributeError, IndexError):
        raise fields.error("not what `elgeo evaluate --suggestions` writes: run it again") from None


def facts(dataset: Dataset) -> dict[str, Any]:
    """The counts of a dataset, with what of it can be seen in training measured where its record does not say."""
    found = statistics(dataset)
    return found if "leakage" in found else {**found, "leakage": measured(dataset)}


def told_apart(folders: Sequence[Path]) -> list[str]:
    """A name for each folder: as much of the end of its path as no other has; a folder given twice gets a number.

    >>> told_apart([Path("/runs/relu/seed-0"), Path("/runs/filter/seed-0")])
    ['relu/seed-0', 'filter/seed-0']
    """
    paths = [folder.resolve() for folder in folders]
    names = {path: path.name for path in paths}
    for length in range(2, max((len(path.parts) for path in paths), default=0)):  # all begin at the same root
        alike = [path for path in names if list(names.values()).count(names[path]) > 1]
        names |= {path: str(Path(*path.parts[-length:])) for path in alike}
    return [
        names[path] + (f" ({paths[: i + 1].count(path)})" if paths.count(path) > 1 else "")
        for i, path in enumerate(paths)
    ]
