"""Settings fields: parsing, limits, and messages that help."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from elgeo.errors import SettingError
from elgeo.settings import checked, setting, settings_of, unknown


@dataclass(frozen=True)
class Example:
    rate: float = setting(0.1, "how fast", above=0)
    count: int = setting(3, "how many", at_least=1, at_most=5)
    forms: tuple[str, ...] = setting(("a",), "which", choices=("a", "b"))
    mode: str = setting("x", "how", choices=("x", "y"))
    on: bool = setting(True, "whether")

    def __post_init__(self) -> None:
        checked(self)


def test_values_are_normalised() -> None:
    example = Example(rate=1, forms=["a", "b"])  # type: ignore[arg-type]
    assert example.rate == 1.0
    assert isinstance(example.rate, float)
    assert example.forms == ("a", "b")


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [("rate", "1e-3", 1e-3), ("count", "5", 5), ("forms", "b, a", ("b", "a")), ("forms", "", ()), ("on", "no", False)],
)
def test_text_is_parsed(name: str, text: str, value: object) -> None:
    assert settings_of(Example)[name].parse(text) == value


@pytest.mark.parametrize(
    ("name", "text"),
    [("rate", "0"), ("rate", "nan"), ("rate", "fast"), ("count", "6"), ("count", "1.5"), ("forms", "a,c"),
     ("mode", "z"), ("on", "perhaps")],
)  # fmt: skip
def test_wrong_values_are_refused_by_name(name: str, text: str) -> None:
    with pytest.raises(SettingError, match=f"^{name} cannot be"):
        settings_of(Example)[name].parse(text)


def test_wrong_types_are_refused() -> None:
    for wrong in ({"count": True}, {"count": 2.0}, {"rate": "1"}, {"forms": "a"}, {"forms": 3}, {"mode": None}):
        with pytest.raises(SettingError):
            Example(**wrong)  # type: ignore[arg-type]


def test_a_near_miss_is_suggested() -> None:
    assert "did you mean count" in str(unknown("cuont", settings_of(Example)))
    assert "there are rate, count" in str(unknown("zzz", settings_of(Example)))
