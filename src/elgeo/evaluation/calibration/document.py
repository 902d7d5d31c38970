"""`Calibration` and `Reliability`: what they say, and the file they are kept in beside a run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from elgeo.arrays import Floats
from elgeo.documents import Fields, parse_json
from elgeo.errors import ReadError
from elgeo.evaluation.calibration.isotonic import Steps
from elgeo.files import write_json
from elgeo.training.run import CALIBRATION

BY = ("margin", "score")


@dataclass(frozen=True, eq=False)
class Calibration:
    """How many of the suggestions with a score, or with a margin, were true on validation."""

    by: str
    """`margin` or `score`: what probabilities are read off."""
    steps: Steps
    true: int
    suggestions: int
    heads: int
    """Classes whose suggestions were counted."""

    def probabilities(self, scores: Floats, margins: Floats) -> Floats:
        """Of suggestions made for a head."""
        return self.steps.at(margins if self.by == "margin" else scores)


class Bin(NamedTuple):
    """Suggestions with like probabilities: their mean, the share that was true, and how many they are."""

    probability: float
    true: float
    number: int


@dataclass(frozen=True)
class Reliability:
    """How probabilities from validation hold on test."""

    bins: tuple[Bin, ...]
    suggestions: int
    true: int

    @property
    def error(self) -> float:
        """The expected calibration error: how far off probabilities are in the mean over suggestions."""
        return sum(each.number * abs(each.probability - each.true) for each in self.bins) / self.suggestions

    def words(self) -> str:
        """For people."""
        return (
            f"of {self.suggestions:,} suggestions {self.true:,} are test axioms; probabilities read off validation are"
            f" off by {self.error:.4f} in the mean (expected calibration error), shares by {self.worst:.4f} at most"
        )

    @property
    def worst(self) -> float:
        """The largest difference in a bin."""
        return max(abs(each.probability - each.true) for each in self.bins)


def write_calibration(folder: Path, calibration: Calibration, reliability: Reliability | None) -> None:
    """Keep both beside a run."""
    steps = [dict(zip(Steps._fields, map(float, block), strict=True)) for block in zip(*calibration.steps, strict=True)]
    said: dict[str, Any] = {
        **{name: getattr(calibration, name) for name in ("by", "true", "suggestions", "heads")},
        "steps": steps,
    }
    if reliability is not None:
        said["reliability"] = {
            "suggestions": reliability.suggestions,
            "true": reliability.true,
            "expected_calibration_error": reliability.error,
            "bins": [each._asdict() for each in reliability.bins],
        }
    write_json(folder / CALIBRATION, said)


def read_calibration(folder: Path) -> tuple[Calibration, Reliability | None] | None:
    """What is kept beside a run, if anything is; every field is checked."""
    path = folder / CALIBRATION
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ReadError(error.strerror or str(error), str(path)) from None
    fields = Fields(parse_json(content, path), path)
    by = fields.text("by")
    if by not in BY:
        raise fields.error(f"has to be one of {', '.join(BY)}", "by")
    blocks = [[each.number("low"), each.number("high"), each.number("share", 0, 1), each.number("number", 1)]
              for each in _tables(fields, "steps")]  # fmt: skip
    steps = Steps(*np.array(blocks, np.float64).reshape(-1, 4).T)
    ends = np.stack([steps.low, steps.high], axis=1).ravel()
    if not len(ends) or (np.diff(ends) < 0).any() or (np.diff(steps.share) < 0).any():
        raise fields.error("have to be blocks of ascending values and shares: run `elgeo evaluate` again", "steps")
    made = Calibration(by, steps, fields.whole("true"), fields.whole("suggestions"), fields.whole("heads"))
    if not fields.has("reliability"):
        return made, None
    said = fields.table("reliability")
    bins = tuple(
        Bin(each.number("probability", 0, 1), each.number("true", 0, 1), each.whole("number", 1))
        for each in _tables(said, "bins")
    )
    if not bins:
        raise said.error("has to have some", "bins")
    return made, Reliability(bins, said.whole("suggestions", 1), said.whole("true"))


def calibration_of(folder: Path | None) -> Calibration | None:
    """The calibration of a run, if it has a folder and was evaluated."""
    found = None if folder is None else read_calibration(folder)
    return None if found is None else found[0]


def _tables(fields: Fields, name: str) -> list[Fields]:
    values = fields.values.get(name)
    if not isinstance(values, list):
        raise fields.error("has to be a list", name)
    return [Fields(value, fields.file, f"{fields.place}.{name}.{i}".lstrip(".")) for i, value in enumerate(values)]
