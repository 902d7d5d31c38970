"""Settings as frozen dataclasses whose fields carry their meaning: help, records and docs are made from them."""

from __future__ import annotations

import dataclasses
import difflib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_type_hints

from elgeo.errors import SettingError


def setting(
    default: Any,
    meaning: str,
    *,
    choices: Sequence[Any] | None = None,
    at_least: float | None = None,
    above: float | None = None,
    at_most: float | None = None,
    below: float | None = None,
) -> Any:
    """A dataclass field with a default, one line on what it means, and the values it may have.

    For a tuple, `choices` are the values its members may have.
    """
    limits = {"at_least": at_least, "above": above, "at_most": at_most, "below": below}
    metadata = {"meaning": meaning, "choices": choices, "limits": {k: v for k, v in limits.items() if v is not None}}
    return dataclasses.field(default=default, metadata=metadata)


@dataclass(frozen=True)
class Setting:
    """One setting as help, docs and parsers see it."""

    name: str
    type: Any
    default: Any
    meaning: str = ""
    choices: Sequence[Any] | None = None
    limits: Mapping[str, float] = dataclasses.field(default_factory=dict)

    @property
    def values(self) -> str:
        """What may be given, in words."""
        if self.choices is not None:
            joined = ", ".join(str(choice) for choice in self.choices)
            return f"any of {joined}" if _is_tuple(self.type) else joined
        words = {int: "a whole number", float: "a number", bool: "true or false", str: "text"}.get(self.type, "a list")
        return ", ".join([words, *(f"{name.replace('_', ' ')} {limit:g}" for name, limit in self.limits.items())])

    def check(self, value: Any) -> Any:
        """The value as this setting keeps it (a list becomes a tuple, 1 becomes 1.0), or a `SettingError`."""
        if _is_tuple(self.type):
            if isinstance(value, str) or not isinstance(value, Iterable):
                raise self._wrong(value)
            members = tuple(value)
            if self.choices is not None and not all(member in self.choices for member in members):
                raise self._wrong(value)
            return members
        if self.type is float and isinstance(value, int) and not isinstance(value, bool):
            value = float(value)
        if type(value) is not self.type or (isinstance(value, float) and not math.isfinite(value)):
            raise self._wrong(value)
        if self.choices is not None and value not in self.choices:
            raise self._wrong(value)
        if any(not _TESTS[name](value, limit) for name, limit in self.limits.items()):
            raise self._wrong(value)
        return value

    def parse(self, text: str) -> Any:
        """The value written on a command line; members of a list are separated by commas."""
        text = text.strip()
        try:
            if _is_tuple(self.type):
                value: Any = tuple(part.strip() for part in text.split(",") if part.strip())
            elif self.type is bool:
                value = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}[text.lower()]
            else:
                value = self.type(text)
        except (KeyError, ValueError):
            raise self._wrong(text) from None
        return self.check(value)

    def _wrong(self, value: Any) -> SettingError:
        return SettingError(f"{self.name} cannot be {value!r}: it is {self.values}")


_TESTS = {
    "at_least": lambda value, limit: value >= limit,
    "above": lambda value, limit: value > limit,
    "at_most": lambda value, limit: value <= limit,
    "below": lambda value, limit: value < limit,
}


def settings_of(kind: Any) -> dict[str, Setting]:
    """The settings of a dataclass (or of an instance of one) by name, in order."""
    cls = kind if isinstance(kind, type) else type(kind)
    hints = get_type_hints(cls)
    found = {}
    for field in dataclasses.fields(cls):
        known = {key: field.metadata[key] for key in ("meaning", "choices", "limits") if key in field.metadata}
        found[field.name] = Setting(field.name, hints[field.name], field.default, **known)
    return found


def checked(settings: Any) -> None:
    """Call from `__post_init__`: validates every field of a frozen dataclass, normalising lists and whole floats."""
    for name, one in settings_of(settings).items():
        object.__setattr__(settings, name, one.check(getattr(settings, name)))


def unknown(name: str, known: Iterable[str], what: str = "setting") -> SettingError:
    """The error for a name that does not exist, with the nearest that do."""
    names = list(known)
    near = difflib.get_close_matches(name, names, n=2, cutoff=0.6)
    hint = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(names)}"
    return SettingError(f"no {what} is called {name!r}: {hint}")


def _is_tuple(kind: Any) -> bool:
    return getattr(kind, "__origin__", None) is tuple
