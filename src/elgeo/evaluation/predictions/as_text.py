"""Predictions as text: a table for a terminal, tab-separated values, or a JSON document."""

from __future__ import annotations

import json

from elgeo.evaluation.predictions.predict import Predictions
from elgeo.evaluation.report_table import aligned


def as_table(found: Predictions) -> str:
    """Labels, scores and reasons, one line for each axiom."""
    frame = found.frame()
    if frame.empty:
        return "nothing is left to predict\n"
    role = found.dataset.vocabulary.role_label(int(found.rows[0, 1])) if found.rows.shape[1] == 3 else "SubClassOf"
    rows = [["rank", "score", "head", role, "status", "nearest known"]]
    for each in frame.itertuples(index=False):
        shown = [f"{each.rank:g}", f"{each.score:.4f}", each.head_label, each.tail_label, each.status, each.neighbours]
        rows.append([str(cell) for cell in shown])
    return "\n".join(line.rstrip() for line in aligned(rows, right=(0, 1))) + "\n"


def as_tsv(found: Predictions) -> str:
    """All columns with a heading."""
    return str(found.frame().to_csv(sep="\t", index=False, lineterminator="\n"))


def as_json(found: Predictions) -> str:
    """One document: a list of predictions under `predictions`."""
    frame = found.frame()
    records = frame.drop(columns="neighbours").to_dict(orient="records")
    names = found.dataset.vocabulary
    for record, near in zip(records, found.neighbours, strict=True):
        record["neighbours"] = [names.classes[c] for c in near]
    return json.dumps({"predictions": records}) + "\n"
