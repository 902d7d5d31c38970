"""Settings are frozen dataclasses whose fields carry their own meaning; the CLI, the record and the docs use it."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

from elgeo.documents import shown
from elgeo.errors import SettingError
from elgeo.messages import near

T = TypeVar("T")


def setting(
    default: Any, doc: str, least: float | None = None, above: float | None = None, most: float | None = None
) -> Any:
    """A field of a settings dataclass: its default, one line on it, and the bounds a number has to keep."""
    return field(default=default, metadata={"doc": doc, "least": least, "above": above, "most": most})


class Setting(NamedTuple):
    """What there is to say about one setting."""

    name: str
    type: Any
    default: Any
    doc: str
    choices: tuple[Any, ...]
    """The values it may have (for a list: its members), where they are few; else empty."""

    @property
    def values(self) -> str:
        """What may be given, in words."""
        several = get_origin(self.type) is tuple
        if self.choices:
            joined = ", ".join(str(choice) for choice in self.choices)
            return f"any of {joined}, separated by commas" if several else f"one of {joined}"
        return "names separated by commas" if several else _named(self.type)


def describe(settings: type[Any]) -> list[Setting]:
    """The settings of a dataclass made with `setting`, in order."""
    hints = get_type_hints(settings)
    found = []
    for each in dataclasses.fields(settings):
        kind = hints[each.name]
        inner = get_args(kind)[0] if get_origin(kind) is tuple else kind
        choices = get_args(inner) if get_origin(inner) is Literal else ()
        found.append(Setting(each.name, kind, each.default, each.metadata.get("doc", ""), choices))
    return found


def make(settings: type[T], values: Mapping[str, Any]) -> T:
    """Settings from names and values; values may be text, as on a command line, or of the right type already."""
    known = {each.name: each for each in describe(settings)}
    for name in values:
        if name not in known:
            raise unknown(name, known)
    return settings(**{name: _converted(known[name], value) for name, value in values.items()})


def check(settings: Any) -> None:
    """For `__post_init__`: every value has its type (1 becomes 1.0, a list a tuple) and keeps its bounds."""
    for each, entry in zip(describe(type(settings)), dataclasses.fields(settings), strict=True):
        value = _converted(each, getattr(settings, each.name))
        object.__setattr__(settings, each.name, value)
        least, above, most = (entry.metadata.get(bound) for bound in ("least", "above", "most"))
        if value is None:
            continue
        if least is not None and not value >= least:
            raise SettingError(f"{each.name} has to be at least {least}, not {value}: {each.doc}")
        if above is not None and not value > above:
            raise SettingError(f"{each.name} has to be more than {above}, not {value}: {each.doc}")
        if most is not None and not value <= most:
            raise SettingError(f"{each.name} has to be at most {most}, not {value}: {each.doc}")


def unknown(name: str, known: Iterable[str], what: str = "setting", listed_by: str = "") -> SettingError:
    """The error for a name that does not exist, with the nearest that do.

    Where there are many and none is near, the command `listed_by` is named instead of all of them.
    """
    names = list(known)
    if question := near(name, names):
        hint = question
    elif listed_by:
        hint = f"there are {', '.join(names[:3])}, … (all {len(names)}: {listed_by})"
    else:
        hint = f"there are {', '.join(names)}"
    return SettingError(f"no {what} is called {shown(name)}: {hint}")


@dataclass(frozen=True)
class NoSettings:
    """For models that have nothing to set."""


def _converted(setting: Setting, value: Any) -> Any:
    """`value` as the type of `setting`; SettingError when it cannot be."""
    kinds = get_args(setting.type) if get_origin(setting.type) in (Union, types.UnionType) else (setting.type,)
    for kind in kinds:
        converted = _as(kind, value)
        if converted is not _WRONG:
            return converted
    raise SettingError(f"{setting.name} has to be {setting.values}, not {shown(value)}: {setting.doc}")


_WRONG = object()
_LARGEST = 2**63 - 1
"""The largest whole number that any setting takes."""
_TRUTH = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}


def _as(kind: Any, value: Any) -> Any:
    """`value` as a `kind`, or `_WRONG`."""
    if get_origin(kind) is Literal:
        return next((choice for choice in get_args(kind) if value in (choice, str(choice))), _WRONG)
    if kind is type(None):
        return None if value is None or value == "none" else _WRONG
    if kind is bool:
        text = value.lower() if isinstance(value, str) else None
        return value if isinstance(value, bool) else _TRUTH.get(text or "", _WRONG)
    if isinstance(value, bool):
        return _WRONG
    if get_origin(kind) is tuple:
        parts = value.split(",") if isinstance(value, str) else value if isinstance(value, (list, tuple)) else [_WRONG]
        parts = [part.strip() if isinstance(part, str) else part for part in parts]
        converted = tuple(_as(get_args(kind)[0], part) for part in parts if part != "")
        return _WRONG if _WRONG in converted else converted
    try:
        if kind is int:
            if not isinstance(value, (int, str)) and not float(value).is_integer():
                return _WRONG
            whole = int(value)
            return whole if abs(whole) <= _LARGEST else _WRONG
        if kind is float:
            number = float(value)
            return number if number == number and abs(number) != float("inf") else _WRONG
    except (TypeError, ValueError, OverflowError):
        return _WRONG
    return value if isinstance(value, kind) else _WRONG


def _named(kind: Any) -> str:
    names = {int: "a whole number", float: "a number", bool: "true or false", str: "text", type(None): "none"}
    if get_origin(kind) in (Union, types.UnionType):
        return " or ".join(_named(each) for each in get_args(kind))
    if get_origin(kind) is Literal:
        return " or ".join(str(choice) for choice in get_args(kind))
    return str(names.get(kind, kind))
