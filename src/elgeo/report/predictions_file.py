"""Predictions in a file: tables for programs, or an ontology for the tools of ontologies; the ending says which."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from elgeo.errors import SettingError
from elgeo.evaluation.predictions.as_ontology import as_ontology
from elgeo.evaluation.predictions.predict import Predictions
from elgeo.files import write_text, written_atomically
from elgeo.ontology.writing.write import ENDINGS as SYNTAXES
from elgeo.ontology.writing.write import write
from elgeo.report.predictions_text import as_json, as_json_lines, as_tsv

_TEXTS: dict[str, Callable[[Predictions], str]] = {".tsv": as_tsv, ".json": as_json, ".jsonl": as_json_lines}
ENDINGS = (*_TEXTS, ".parquet", *SYNTAXES)
"""How the name of a file of predictions may end."""


def check_ending(path: str | os.PathLike[str]) -> None:
    """Refuse a name that does not say what is to be written, before anything is worked out."""
    if not os.fspath(path).lower().removesuffix(".gz").endswith(ENDINGS):
        raise SettingError(f"{os.fspath(path)}: the ending says no format; it may be one of {', '.join(ENDINGS)}")


def write_predictions(found: Predictions, path: str | os.PathLike[str], run: str = "") -> list[str]:
    """Write predictions whole or not at all; gives the axioms that the syntax has no words for."""
    check_ending(path)
    ending = Path(os.fspath(path).lower()).suffix
    if ending in _TEXTS:
        write_text(Path(path), _TEXTS[ending](found))
        return []
    if ending == ".parquet":
        with written_atomically(path) as temporary:
            found.frame().to_parquet(temporary, index=False)
        return []
    made = as_ontology(found, run)
    return write(made.ontology, path, notes=made.notes)
