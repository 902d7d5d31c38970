"""The house is as docs/architecture.md draws it: every room is named there, and imports only from rooms above it."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

import elgeo

HOUSE = Path(elgeo.__file__).parent
PAGE = (HOUSE.parents[1] / "docs" / "architecture.md").read_text(encoding="utf-8")
ROOMS = (
    "ontology", "reasoning", "datasets", "negatives", "models", "training", "evaluation", "experiments", "report",
    "serve", "cli",
)  # fmt: skip
DEEP = ("contexts", "operators", "sampled", "weighing", "reranking")
"""Rooms within atlas: its own `__init__` tells them apart."""


def rooms() -> list[Path]:
    return sorted(path.parent for path in HOUSE.rglob("__init__.py") if path.parent != HOUSE)


@cache
def statements(path: Path) -> list[ast.stmt]:
    return ast.parse(path.read_text(encoding="utf-8")).body


def imported(path: Path) -> set[str]:
    """The rooms a module imports from when it is loaded, by name."""
    found = set()
    for node in statements(path):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("elgeo"):
            names = [node.module] if node.module != "elgeo" else [f"elgeo.{each.name}" for each in node.names]
            found |= {name.split(".")[1] for name in names}
        elif isinstance(node, ast.Import):
            found |= {each.name.split(".")[1] for each in node.names if each.name.startswith("elgeo.")}
    return found & set(ROOMS)


def test_every_room_is_drawn_and_says_what_it_is() -> None:
    for room in rooms():
        assert room.name in DEEP or f"`{room.name}/`" in PAGE, room
        text = ast.get_docstring(ast.parse((room / "__init__.py").read_text(encoding="utf-8"))) or ""
        for word in (r"\b[Tt]akes?\b", r"\bgives?\b|\bmoves\b", r"\b[Bb]egin\b"):
            assert re.search(word, text), (room, word)


def test_what_rooms_name_is_in_them() -> None:
    """A module or sub-room that an `__init__` speaks of is there, and so is what the page says to begin with."""
    wrong = []
    for room in rooms():
        said = ast.get_docstring(ast.parse((room / "__init__.py").read_text(encoding="utf-8"))) or ""
        named = re.findall(r"`([\w/]+(?:\.py|/))`", said)
        wrong += [f"{room.relative_to(HOUSE)}: {name}" for name in named if not (room / name).exists()]
    above = HOUSE
    for line in PAGE.splitlines():
        if row := re.match(r"\| (&nbsp;&nbsp;)?(`.*?) \|.*\| (.*) \|$", line):
            # a room, or some in it, and the modules to begin with in any of them
            names = re.findall(r"`(\w+)/`", row[2])
            within = [(above if row[1] else HOUSE) / name for name in names]
            above = above if row[1] else within[0]
            wrong += [
                f"architecture.md: {', '.join(names)}: {name}"
                for name in re.findall(r"`([\w/]+(?:\.py|/))`", row[3])
                if not any((place / name).exists() for place in within)
            ]
    assert wrong == []


@pytest.mark.slow  # every module is parsed
def test_data_never_walks_up() -> None:
    wrong = []
    for path in HOUSE.rglob("*.py"):
        room = path.relative_to(HOUSE).parts[0]
        if room in ROOMS:
            above = ROOMS[: ROOMS.index(room) + 1]
            wrong += [f"{path.relative_to(HOUSE)} imports {other}" for other in imported(path) if other not in above]
    assert wrong == []


def test_the_page_fits_on_two_screens() -> None:
    assert len(PAGE.splitlines()) <= 100


SHARED = {"Axiom", "Target"}
"""The same thing seen from another room: an axiom by its IRIs, a target by the places of its heads and tails."""


def test_no_test_module_imports_another() -> None:
    """What several need has a module of its own, without `test_`."""
    here = Path(__file__).parent
    found = re.compile(r"^\s*(?:from|import) +tests\.(?:\w+\.)*test_\w+", re.MULTILINE)
    assert [str(p.relative_to(here)) for p in here.rglob("*.py") if found.search(p.read_text(encoding="utf-8"))] == []


@pytest.mark.slow  # every module is parsed
def test_one_word_is_one_thing() -> None:
    homes: dict[str, list[str]] = {}
    for path in HOUSE.rglob("*.py"):
        for node in statements(path):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, []).append(str(path.relative_to(HOUSE)))
    twice = {name: places for name, places in homes.items() if len(places) > 1 and name not in SHARED}
    assert twice == {}
