"""`write`: an ontology in the syntax that the ending of its file asks for."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import PurePath

from elgeo.errors import SettingError
from elgeo.ontology.model import Ontology
from elgeo.ontology.writing.functional import write_functional

WRITERS: Mapping[str, Callable[[Ontology, str], None]] = {".ofn": write_functional, ".fss": write_functional}
"""What writes a file, by its ending; `.gz` may follow."""


def write(ontology: Ontology, path: str | os.PathLike[str]) -> None:
    """Write an ontology: its axioms, declarations, labels, synonyms, definitions, and what is obsolete."""
    writer_of(path)(ontology, os.fspath(path))


def writer_of(path: str | os.PathLike[str]) -> Callable[[Ontology, str], None]:
    """What writes such a file; an error before the work where there is nothing that can."""
    ending = PurePath(os.fspath(path).removesuffix(".gz")).suffix
    if ending not in WRITERS:
        endings = ", ".join(WRITERS)
        raise SettingError(f"{os.fspath(path)}: the ending says no syntax that is written: use {endings} (or with .gz)")
    return WRITERS[ending]
