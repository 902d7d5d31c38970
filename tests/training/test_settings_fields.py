"""Settings fields: parsing, limits, and messages that help."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Literal

import pytest

from elgeo.errors import SettingError
from elgeo.settings import check, describe, make, setting


@dataclass(frozen=True)
class Example:
    rate: float = setting(0.1, "how fast", above=0)
    count: int = setting(3, "how many", least=1, most=5)
    forms: tuple[Literal["a", "b"], ...] = setting(("a",), "which")
    mode: Literal["x", "y"] = setting("x", "how")
    on: bool = setting(True, "whether")
    radius: float | None = setting(None, "how far")

    def __post_init__(self) -> None:
        check(self)


def test_values_are_normalised() -> None:
    example = Example(rate=1, forms=["a", "b"])  # type: ignore[arg-type]
    assert example.rate == 1.0
    assert isinstance(example.rate, float)
    assert example.forms == ("a", "b")


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [("rate", "1e-3", 1e-3), ("count", "5", 5), ("forms", "b, a", ("b", "a")), ("forms", "", ()), ("on", "no", False),
     ("radius", "none", None), ("radius", "2", 2.0)],
)  # fmt: skip
def test_text_is_parsed(name: str, text: str, value: object) -> None:
    assert getattr(make(Example, {name: text}), name) == value


@pytest.mark.parametrize(
    ("name", "text"),
    [("rate", "0"), ("rate", "nan"), ("rate", "fast"), ("count", "6"), ("count", "1.5"), ("forms", "a,c"),
     ("mode", "z"), ("on", "perhaps"), ("radius", "far")],
)  # fmt: skip
def test_wrong_text_is_refused_by_name(name: str, text: str) -> None:
    with pytest.raises(SettingError, match=f"^{name} has to be"):
        make(Example, {name: text})


def test_bounds_are_within_and_large_numbers_are_numbers() -> None:
    assert make(Example, {"count": "1"}).count == 1
    assert make(Example, {"count": 4.0}).count == 4
    for name, value in (("count", "0"), ("count", 10**400), ("rate", 10**400), ("radius", 10**400)):
        with pytest.raises(SettingError, match=f"^{name} has to be"):
            make(Example, {name: value})


def test_what_is_beyond_a_bound_is_said_with_it() -> None:
    for values, said in (
        ({"rate": 0}, "rate has to be more than 0, not 0.0: how fast"),
        ({"count": 0}, "count has to be at least 1, not 0: how many"),
        ({"count": 6}, "count has to be at most 5, not 6: how many"),
    ):
        with pytest.raises(SettingError, match=f"^{re.escape(said)}$"):
            Example(**values)  # type: ignore[arg-type]
    assert [Example(count=count).count for count in (1, 5)] == [1, 5]
    assert Example(rate=5e-324).rate == 5e-324


@dataclass(frozen=True)
class Free:
    whole: int = setting(0, "any")
    real: float = setting(0.0, "any")
    words: tuple[str, ...] = setting((), "any")
    either: Literal[1, "many"] = setting(1, "any")

    def __post_init__(self) -> None:
        check(self)


def test_numbers_go_as_far_as_64_bits_and_words_are_any() -> None:
    for fine in (2**63 - 1, 1 - 2**63, "-9223372036854775807", 2.0**62):
        assert make(Free, {"whole": fine}).whole == int(fine)
    for wrong in (2**63, -(2**63), "9223372036854775808", 2.0**63, "1.0", "", None, True, 0.5):
        with pytest.raises(SettingError, match=r"^whole has to be a whole number, not "):
            make(Free, {"whole": wrong})
    for wrong in ("inf", "-inf", "nan", float("nan"), "", None, False, "1,5"):
        with pytest.raises(SettingError, match=r"^real has to be a number, not "):
            make(Free, {"real": wrong})
    assert make(Free, {"words": " b,a ,, c"}).words == make(Free, {"words": ["b", "a", "", "c"]}).words
    assert make(Free, {"words": "x"}).words == ("x",)
    no_words: list[Any] = [3, [3], ["a", None]]
    for wrong in no_words:
        with pytest.raises(SettingError, match=r"^words has to be names separated by commas, not "):
            make(Free, {"words": wrong})
    assert [make(Free, {"either": given}).either for given in ("1", 1, "many")] == [1, 1, "many"]
    assert [each.values for each in describe(Free)] == [
        "a whole number", "a number", "names separated by commas", "one of 1, many"
    ]  # fmt: skip
    for text, truth in (("true", True), ("YES", True), ("1", True), ("Off", False), ("no", False), ("0", False)):
        assert make(Example, {"on": text}).on is truth


def test_wrong_types_are_refused() -> None:
    for wrong in ({"count": True}, {"count": 2.5}, {"forms": 3}, {"mode": None}, {"on": 1}, {"rate": [1.0]}):
        with pytest.raises(SettingError):
            Example(**wrong)


def test_a_near_miss_is_suggested() -> None:
    with pytest.raises(SettingError, match="did you mean count"):
        make(Example, {"cuont": 1})
    with pytest.raises(SettingError, match="there are rate, count"):
        make(Example, {"zzz": 1})


def test_values_are_described() -> None:
    words = {each.name: each.values for each in describe(Example)}
    assert words["forms"] == "any of a, b, separated by commas"
    assert words["radius"] == "a number or none"
