"""Documents that people may edit and disks may damage, read field by field: errors name the file and the field."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from elgeo.errors import ReadError

LARGEST = 2**53
"""The largest whole number that a field has unless told otherwise; beyond it a float is no longer exact."""


class Fields:
    """One table of a document."""

    def __init__(self, values: object, file: str | Path, place: str = "", line: int | None = None) -> None:
        self.file, self.place, self.line = str(file), place, line
        if not isinstance(values, Mapping) or not all(isinstance(name, str) for name in values):
            raise self.error("has to be a table of names and values" if place else "not a table of names and values")
        self.values: Mapping[str, Any] = values

    def error(self, problem: str, field: str = "") -> ReadError:
        """What is wrong with a field, or with the whole table."""
        where = ".".join(part for part in (self.place, field) if part)
        return ReadError(f"{where}: {problem}" if where else problem, self.file, self.line)

    def has(self, field: str) -> bool:
        return field in self.values

    def table(self, field: str) -> Fields:
        return Fields(self._value(field), self.file, f"{self.place}.{field}".lstrip("."), self.line)

    def text(self, field: str) -> str:
        value = self._value(field)
        if not isinstance(value, str):
            raise self.error(f"has to be text, not {shown(value)}", field)
        if any(ord(character) < 32 for character in value):
            raise self.error("has characters that cannot be printed", field)
        return value

    def whole(self, field: str, least: int = 0, most: int = LARGEST) -> int:
        value = self._value(field)
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise self.error(f"has to be a whole number from {least} to {most}, not {shown(value)}", field)
        return value

    def number(self, field: str, least: float = -math.inf, most: float = math.inf) -> float:
        """A finite number; within bounds where there are any."""
        value = self._value(field)
        try:
            number = math.nan if isinstance(value, bool | str) else float(value)
        except (TypeError, OverflowError):
            number = math.nan
        if not (math.isfinite(number) and least <= number <= most):
            bounds = f" from {least:g}" * (least > -math.inf) + f" to {most:g}" * (most < math.inf)
            raise self.error(f"has to be a number{bounds}, not {shown(value)}", field)
        return number

    def numbers(self, field: str) -> dict[str, float]:
        """A table of finite numbers."""
        table = self.table(field)
        return {name: table.number(name) for name in table.values}

    def counts(self, field: str) -> dict[str, int]:
        """A table of whole numbers, none below zero."""
        table = self.table(field)
        return {name: table.whole(name) for name in table.values}

    def texts(self, field: str) -> dict[str, str]:
        table = self.table(field)
        return {name: table.text(name) for name in table.values}

    def or_none(self, read: Callable[..., Any], field: str, *bounds: float) -> Any:
        """What `read` finds in a field that may be missing or null."""
        return None if self.values.get(field) is None else read(field, *bounds)

    def plain(self) -> Mapping[str, Any]:
        """The whole table, if all in it can be said in JSON too."""
        for name, value in self.values.items():
            if not _is_plain(value):
                raise self.error(f"has to be text, numbers, true or false, not {shown(value)}", name)
        return self.values

    def _value(self, field: str) -> Any:
        if field not in self.values:
            raise self.error("is missing", field)
        return self.values[field]


def read_toml(path: Path) -> Fields:
    """The fields of a TOML file; errors of the file itself are the caller's `FileNotFoundError` or `ReadError`."""
    import tomllib  # many commands read none

    return Fields(_parsed(path, _bytes(path), lambda text: tomllib.loads(text), "TOML"), path)


def parse_json(text: bytes | str, path: Path, line: int | None = None) -> Any:
    """What a JSON document says, or `ReadError`."""
    return _parsed(path, text.encode() if isinstance(text, str) else text, json.loads, "JSON", line)


def shown(value: object, most: int = 60) -> str:
    """A value as a message quotes it: on one line, and cut where it is long."""
    try:
        text = " ".join(repr(value).split())
    except ValueError:  # a number of thousands of digits
        return "a number that is too long"
    return text if len(text) <= most else f"{text[:most]}…"


def tidy(number: float) -> int | float:
    """A number as a document says it: a whole one without a point."""
    return int(number) if float(number).is_integer() else float(number)


def _is_plain(value: object) -> bool:
    if isinstance(value, Mapping):
        return all(isinstance(name, str) and _is_plain(inner) for name, inner in value.items())
    if isinstance(value, list):
        return all(map(_is_plain, value))
    return isinstance(value, (str, int, bool)) or (isinstance(value, float) and math.isfinite(value))


def _bytes(path: Path) -> bytes:
    if path.exists() and not path.is_file():
        raise ReadError("not a file", str(path))
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise
    except OSError as error:
        raise ReadError(error.strerror or str(error), str(path)) from None


def _parsed(path: Path, content: bytes, parse: Callable[[str], Any], what: str, line: int | None = None) -> Any:
    try:
        return parse(content.decode("utf-8"))
    except UnicodeDecodeError:
        raise ReadError("not UTF-8 text", str(path), line) from None
    except RecursionError:
        raise ReadError(f"not {what}: nested too deeply", str(path), line) from None
    except ValueError as error:
        raise ReadError(f"not {what}: {shown(str(error), 200)[1:-1]}", str(path), line) from None


def document_text(document: object) -> str:
    """A document as it is printed and written: JSON with a line for each of its parts."""
    return json.dumps(document, indent=1)
