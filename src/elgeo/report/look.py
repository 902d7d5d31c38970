"""A run looked at for its page: a few of its balls in the plane, and the best axioms it predicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elgeo.datasets.model import Dataset
from elgeo.evaluation.predictions.predict import predict
from elgeo.models.contract import Model
from elgeo.ontology.vocabulary import Kind
from elgeo.report.figures import Ball
from elgeo.report.subject import Subject, read_subject
from elgeo.training.run import Run

SHOWN = 24


def look(folder: str | Path, dataset: Dataset | str | None = None, top: int = 20) -> Subject:
    """Read a run and look at it; a run that is not finished is shown without balls and predictions."""
    run = Run.load(folder, dataset)
    if run.record.result is None:
        return read_subject(folder)
    predictor = run.predictor()
    balls = project(run.dataset, run.weights) if isinstance(predictor, Model) else []
    found = predict(predictor, run.dataset, top=top).frame() if top else None
    predictions: Sequence[Mapping[str, Any]] = []
    if found is not None and len(found):
        found["head"], found["tail"] = found["head_label"], found["tail_label"]
        kept = found[["head", "tail", "score", "rank", "status", "neighbours"]]
        predictions = [{str(key): value for key, value in row.items()} for row in kept.to_dict("records")]
    return read_subject(folder, balls, predictions)


def project(dataset: Dataset, weights: Mapping[str, NDArray[Any]]) -> list[Ball]:
    """The classes that most axioms speak of, in the plane that shows their centres best; radii are kept."""
    if not {"centres", "radii"} <= set(weights):
        return []
    names = dataset.vocabulary
    mentions = np.bincount(dataset.forms.subclass.ravel(), minlength=names.n_classes)
    mentions += np.bincount(dataset.forms.existential[:, [0, 2]].ravel(), minlength=names.n_classes)
    real = np.isin(names.class_kinds, (Kind.NAMED, Kind.INDIVIDUAL)) & (mentions > 0)
    order = np.argsort(-np.where(real, mentions, -1), kind="stable")
    shown = np.sort(order[: min(SHOWN, int(real.sum()))])
    centres = np.asarray(weights["centres"], np.float64)[shown]
    radii = np.abs(np.asarray(weights["radii"], np.float64))[shown]
    plane = centres
    if centres.shape[1] > 2:
        around = centres - centres.mean(axis=0)
        plane = around @ np.linalg.svd(around, full_matrices=False)[2][:2].T
    return [
        Ball(names.class_label(int(c)), float(x), float(y), float(r), int(dataset.kinds.of_class[c]))
        for c, (x, y), r in zip(shown, plane, radii, strict=True)
    ]
