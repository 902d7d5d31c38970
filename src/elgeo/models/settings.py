"""Settings are frozen dataclasses whose fields document themselves: to the CLI, the record of a run, the docs."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

from elgeo.errors import SettingError

T = TypeVar("T")


def setting(default: Any, doc: str, least: float | None = None, above: float | None = None) -> Any:
    """A field of a settings dataclass: its default, one line on it, and the bound a number has to keep."""
    return field(default=default, metadata={"doc": doc, "least": least, "above": above})


class Setting(NamedTuple):
    """What there is to say about one setting."""

    name: str
    type: Any
    default: Any
    doc: str
    choices: tuple[Any, ...]
    """The values it may have, where they are few; else empty."""


def describe(settings: type[Any]) -> list[Setting]:
    """The settings of a dataclass made with `setting`, in order."""
    hints = get_type_hints(settings)
    found = []
    for each in dataclasses.fields(settings):
        kind = hints[each.name]
        choices = get_args(kind) if get_origin(kind) is Literal else ()
        found.append(Setting(each.name, kind, each.default, each.metadata.get("doc", ""), choices))
    return found


def make(settings: type[T], values: Mapping[str, Any]) -> T:
    """Settings from names and values; values may be text, as on a command line, or of the right type already."""
    known = {each.name: each for each in describe(settings)}
    for name in values:
        if name not in known:
            raise SettingError(f"no setting is called {name!r}; there are {', '.join(known)}")
    return settings(**{name: _converted(known[name], value) for name, value in values.items()})


def check(settings: Any) -> None:
    """Raise `SettingError` unless every value has its type and keeps its bounds; for `__post_init__`."""
    for each, entry in zip(describe(type(settings)), dataclasses.fields(settings), strict=True):
        value = getattr(settings, each.name)
        if _converted(each, value) != value:
            raise SettingError(f"{each.name} cannot be {value!r}: {each.doc}")
        least, above = entry.metadata.get("least"), entry.metadata.get("above")
        if value is not None and least is not None and not value >= least:
            raise SettingError(f"{each.name} has to be at least {least}, not {value}: {each.doc}")
        if value is not None and above is not None and not value > above:
            raise SettingError(f"{each.name} has to be more than {above}, not {value}: {each.doc}")


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
    wanted = f"one of {', '.join(map(str, setting.choices))}" if setting.choices else _named(setting.type)
    raise SettingError(f"{setting.name} has to be {wanted}, not {value!r}: {setting.doc}")


_WRONG = object()
_TRUTH = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}


def _as(kind: Any, value: Any) -> Any:
    if get_origin(kind) is Literal:
        return next((choice for choice in get_args(kind) if value in (choice, str(choice))), _WRONG)
    if kind is type(None):
        return None if value is None or value == "none" else _WRONG
    if kind is bool:
        return (
            value
            if isinstance(value, bool)
            else _TRUTH.get(value.lower(), _WRONG)
            if isinstance(value, str)
            else _WRONG
        )
    if isinstance(value, bool):
        return _WRONG
    try:
        if kind is int:
            return int(value) if isinstance(value, (int, str)) or float(value).is_integer() else _WRONG
        if kind is float:
            number = float(value)
            return number if number == number and abs(number) != float("inf") else _WRONG
    except (TypeError, ValueError):
        return _WRONG
    if get_origin(kind) is tuple:
        parts = [part.strip() for part in value.split(",") if part.strip()] if isinstance(value, str) else list(value)
        converted = tuple(_as(get_args(kind)[0], part) for part in parts)
        return _WRONG if _WRONG in converted else converted
    return value if isinstance(value, kind) else _WRONG


def _named(kind: Any) -> str:
    names = {int: "a whole number", float: "a number", bool: "true or false", str: "text"}
    return str(names.get(kind, kind))
