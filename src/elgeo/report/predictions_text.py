"""Predictions as text: a table for a terminal, tab-separated values, or a JSON document."""

from __future__ import annotations

import json
from typing import Any

from elgeo.documents import tidy
from elgeo.evaluation.predictions.predict import Predictions
from elgeo.ontology.short_names import called
from elgeo.report.text_table import aligned


def as_table(found: Predictions) -> str:
    """Labels with ids, scores and reasons, one line for each axiom and one under it for each reason."""
    if not len(found.rows):
        return "nothing is left to predict\n"
    names = found.dataset.vocabulary
    role = names.role_label(int(found.rows[0, 1])) if found.rows.shape[1] == 3 else "SubClassOf"
    likely, agreed = found.probabilities, found.votes
    rows = [["rank", *(["probability"] if likely is not None else []), "score", "margin", "head", role]]
    rows[0] += [*(["models"] if agreed is not None else []), "status", "nearest known"]
    for i, (row, score, margin, place, status, near) in enumerate(
        zip(found.rows, found.scores, found.margins, found.ranks, found.status, found.neighbours, strict=True)
    ):
        known = ", ".join(called(names, c) for c in near)
        ends = (called(names, int(c)) for c in (row[0], row[-1]))
        probability = [] if likely is None else [f"{likely[i]:.3f}"]
        rows.append([f"{place:g}", *probability, f"{score:.4f}", f"{margin:+.4f}", *ends])
        rows[-1] += [*([] if agreed is None else [agreed.words(i)]), status, known]
    numbers = 3 if likely is None else 4
    heading, *lines = (line.rstrip() for line in aligned(rows, right=tuple(range(numbers))))
    shown = [heading]
    for number, (line, reasons) in enumerate(zip(lines, found.reasons, strict=True)):
        shown += [line, *(f"    {reason.share:+.4f}  {reason.words}" for reason in reasons)]
        if again := found.again:
            shown.append(
                f"    without {' and '.join(again.axioms)}: place {again.before[number]:g} → {again.after[number]:g} "
                f"among the tails of its head, score {again.scores[number]:.4f} by weights found anew"
            )
    return "\n".join(shown) + "\n"


def as_tsv(found: Predictions) -> str:
    """All columns with a heading."""
    return str(found.frame().to_csv(sep="\t", index=False, lineterminator="\n"))


def as_json(found: Predictions) -> str:
    """One document: a list of predictions under `predictions`."""
    return json.dumps({"predictions": _records(found)}) + "\n"


def as_json_lines(found: Predictions) -> str:
    """A document for each prediction, one a line."""
    return "".join(json.dumps(record) + "\n" for record in _records(found))


def _records(found: Predictions) -> list[dict[Any, Any]]:
    records = found.frame().drop(columns="neighbours").to_dict(orient="records")
    names = found.dataset.vocabulary
    for record, near, reasons in zip(records, found.neighbours, found.reasons, strict=True):
        record["rank"] = tidy(record["rank"])
        record["neighbours"] = [names.classes[c] for c in near]
        if reasons:
            record["reasons"] = [{"words": reason.words, "share": reason.share} for reason in reasons]
    if again := found.again:
        for record, score, before, after in zip(records, again.scores, again.before, again.after, strict=True):
            places = {"place": tidy(float(before)), "place_without": tidy(float(after))}
            record["without"] = {"axioms": list(again.axioms), "score": float(score), **places}
    return records
