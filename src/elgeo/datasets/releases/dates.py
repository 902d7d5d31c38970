"""The day of a release, as the header of its file says it."""

from __future__ import annotations

import re
from pathlib import Path

from elgeo.ontology.reading.sources import beginning

HEADER = 1 << 16
_VERSION = re.compile(
    rb"(?m)(?:^data-version:|versionIRI|versionInfo|\bOntology\s*\(\s*<[^<>]*>\s*<|\"version\")"
    rb"[^\r\n]{0,300}?(\d{4})-(\d\d)-(\d\d)"
)
_SAVED = re.compile(rb"(?m)^date:\s*(\d\d):(\d\d):(\d{4})")
"""When an OBO file was saved: day, month, year."""


def day_of(path: Path) -> str | None:
    """Of its version, else when it was saved, as 2019-01-27; None where the header says no day."""
    header = beginning(path, HEADER)
    if found := _VERSION.search(header):
        return b"-".join(found.groups()).decode()
    if found := _SAVED.search(header):
        return b"-".join(reversed(found.groups())).decode()
    return None
