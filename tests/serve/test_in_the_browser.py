"""A curator's day in headless Chromium, by keyboard: search, reasons, accept, reject, undo, export, what follows."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

import pytest

from elgeo.cli import main
from elgeo.ontology import read
from tests.serve.browser import Browser, browser

pytestmark = pytest.mark.slow
SHOTS = os.environ.get("ELGEO_SCREENSHOTS")
"""A folder in which the pictures are kept, to be looked at."""
SAID = "document.getElementById('says').textContent"
LAST_SAID = "[...document.querySelectorAll('.said')].at(-1)?.textContent"
CARD = "document.activeElement.closest('.axiom')"


class Site(NamedTuple):
    address: str
    decisions: Path
    ontology: Path


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Parts of bodies of animals: enough classes for a model to find a pattern in."""
    place = tmp_path_factory.mktemp("anatomy")
    animals, parts = (
        ["mouse", "rat", "cat", "dog", "cow", "pig"],
        ["body", "head", "eye", "lens", "leg", "foot", "heart"],
    )
    whole = {"head": "body", "eye": "head", "lens": "eye", "leg": "body", "foot": "leg", "heart": "body"}
    lines = [f"SubClassOf(:{a}_{p} :{p})" for a in animals for p in parts]
    lines += [
        f"SubClassOf(:{a}_{p} ObjectSomeValuesFrom(:part_of :{a}_{w}))" for a in animals for p, w in whole.items()
    ]
    lines += [f'AnnotationAssertion(rdfs:label :{a}_{p} "{p} of a {a}")' for a in animals for p in parts]
    lines += ['AnnotationAssertion(rdfs:label :part_of "part of")', "TransitiveObjectProperty(:part_of)"]
    (place / "o.ofn").write_text("\n".join(["Prefix(:=<http://x/>)", "Ontology(<http://x/>", *lines, ")"]))
    pattern = "?C SubClassOf part_of some ?D"
    split = [
        "dataset",
        "split",
        str(place / "o.ofn"),
        "--axioms",
        pattern,
        "--split",
        "60:20:20",
        "-o",
        str(place / "data"),
    ]
    assert main([*split, "--as-drawn"]) == 0
    assert main(["train", str(place / "data"), "-o", str(place / "atlas"), "--quiet"]) == 0
    assert main(["evaluate", str(place / "atlas"), "--json"]) == 0
    balls = ["train", str(place / "data"), "-o", str(place / "balls"), "--model", "elem", "--set", "dimension=2"]
    assert main([*balls, "--epochs", "40", "--quiet"]) == 0
    return place


@contextmanager
def served(folder: Path, kept: Path) -> Iterator[Site]:
    command = [sys.executable, "-m", "elgeo", "serve", str(folder / "atlas"), str(folder / "balls"), "--port", "0"]
    with subprocess.Popen([*command, "--decisions", str(kept)], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        yield Site(server.stdout.readline().strip(), kept, folder / "o.ofn")
        server.send_signal(signal.SIGINT)
        assert server.wait(20) in (0, 130)


@pytest.fixture
def site(folder: Path, tmp_path: Path) -> Iterator[Site]:
    """One on which a test decides what it likes."""
    with served(folder, tmp_path / "decisions.sqlite") as site:
        yield site


@pytest.fixture(scope="module")
def shown(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of one that is looked at by several tests, and on which nobody decides anything."""
    with served(folder, tmp_path_factory.mktemp("shown") / "decisions.sqlite") as site:
        yield site.address


@pytest.fixture(scope="module")
def window() -> Iterator[Browser]:
    with browser() as page:
        yield page


@pytest.fixture
def page(window: Browser) -> Browser:
    """A page that remembers nothing."""
    window.begin_anew()
    return window


def shot(page: Browser, name: str) -> None:
    if SHOTS:
        Path(SHOTS).mkdir(parents=True, exist_ok=True)
        page.screenshot(Path(SHOTS) / f"{name}.png")


def choose(page: Browser, field: str, value: str) -> None:
    """Put a value into a field of the page, as the keyboard would."""
    where = f"document.getElementById({json.dumps(field)})"
    page.value(f"{where}.value = {json.dumps(value)}")
    page.value(f"{where}.dispatchEvent(new Event('change', {{bubbles: true}}))")


def wait_for(path: Path) -> Path:
    """A file that a browser writes."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        if path.exists() and path.stat().st_size:
            return path
        time.sleep(0.02)
    raise AssertionError(f"{path.name} was never written: {[each.name for each in path.parent.iterdir()]}")


def names_are_readable(page: Browser) -> bool:
    """All names that are shown in the picture are in it, and none lies on another."""
    edges = "(({ left, right, top, bottom }) => [left, right, top, bottom])"
    shown = (
        "[...document.querySelectorAll('.picture svg text')].filter((e) => getComputedStyle(e).visibility !== 'hidden')"
    )
    boxes = page.value(f"{shown}.map((each) => {edges}(each.getBoundingClientRect()))")
    left, right, top, bottom = page.value(f"{edges}(document.querySelector('.picture svg').getBoundingClientRect())")
    assert len(boxes) > 3
    inside = all(left <= a and b <= right and top <= c and d <= bottom for a, b, c, d in boxes)
    apart = all(
        min(one[1], other[1]) <= max(one[0], other[0]) or min(one[3], other[3]) <= max(one[2], other[2]) + 2
        for one, other in combinations(boxes, 2)
    )
    return inside and apart


def fits(page: Browser) -> bool:
    """Nothing sticks out to the right."""
    return bool(page.value("document.documentElement.scrollWidth <= window.innerWidth"))


def test_a_curators_day_by_keyboard(site: Site, page: Browser, tmp_path: Path) -> None:
    page.open(site.address)
    page.press("/")
    assert page.value("document.activeElement.id") == "q"
    page.type("lens of a mou")
    page.wait("document.querySelectorAll('#found li').length === 1")
    page.press("Enter")
    page.wait("document.querySelector('h2')?.textContent.startsWith('lens of a mouse')")
    page.wait("document.querySelectorAll('.axiom').length > 1")
    # reasons, and the way back
    page.press("j", "w")
    page.wait(f"{CARD}.querySelectorAll('.reasons li').length > 0")
    shares = page.value(f"[...{CARD}.querySelectorAll('.share')].map((each) => Number(each.textContent))")
    facts = page.value(f"{CARD}.querySelector('.facts').textContent")
    score = float(facts.split("score ")[1].split(",")[0])
    assert sum(shares) == pytest.approx(score, rel=0.01, abs=0.001)
    shot(page, "reasons")
    # nobody decides without a name
    page.press("a")
    page.wait(f"{SAID} === 'say who you are first'")
    assert page.value("document.activeElement.id") == "who"
    page.type("ann")
    page.press("Enter")
    page.wait("document.activeElement.id === 'answer' && document.querySelectorAll('.axiom').length > 1")
    first = page.value("document.querySelector('.axiom').getAttribute('aria-label')")
    page.press("j", "a")
    page.wait(f"{SAID}.startsWith('the accepted axiom makes')")
    assert page.value("document.querySelector('.axiom .said').textContent") == "accept by ann"
    assert page.value(SAID).endswith("more follow and contradicts nothing")
    page.press("j", "r")
    page.wait("document.querySelectorAll('.axiom .said.reject').length === 1")
    # a note is typed into the card and kept with the decision
    page.press("j", "n")
    page.type("needs a look")
    page.press("Enter", "p")
    page.wait(f"{LAST_SAID} === 'postpone by ann: needs a look'")
    # undo
    page.press("u")
    page.wait("document.querySelectorAll('.axiom .said').length === 2")
    shot(page, "decided")
    # the way to the file, by keyboard from the top of the page
    page.keep_downloads(tmp_path)
    page.value("document.querySelector('.skip').focus()")
    for _ in range(10):
        page.press("Tab")
        if page.value("document.activeElement.id") == "export":
            break
    page.press("Enter")
    exported = wait_for(tmp_path / "accepted.ofn")
    axioms = [str(axiom) for axiom in read(exported).axioms]
    assert len(axioms) == 1
    assert "mouse_lens" in axioms[0]
    assert first.startswith("lens of a mouse part of")
    with sqlite3.connect(site.decisions) as database:
        said = database.execute("SELECT verdict, who, note FROM said ORDER BY number").fetchall()
    assert said == [
        ("accept", "ann", ""),
        ("reject", "ann", ""),
        ("postpone", "ann", "needs a look"),
        ("undo", "ann", ""),
    ]
    # what was said is listed, and taken back from there
    page.value("document.getElementById('decided').focus()")
    page.press("Enter")
    page.wait("document.querySelectorAll('.axiom').length === 2")
    shot(page, "decisions")
    # the latest first
    assert "reject by ann" in page.value("document.querySelector('.axiom').innerText")
    assert page.value("document.querySelector('.axiom').innerText").startswith(f"{first.split(' part of ')[0]} (")
    page.press("j", "u")
    page.wait("document.querySelectorAll('.axiom').length === 1")
    assert "accept by ann" in page.value("document.querySelector('.axiom').innerText")
    assert page.complaints == []
    out = tmp_path / "curated.ofn"
    assert main(["apply", str(site.decisions), str(site.ontology), "-o", str(out)]) == 0
    assert axioms[0] in {str(axiom) for axiom in read(out).axioms}


def test_who_goes_on_at_once_decides_about_the_next(site: Site, page: Browser) -> None:
    page.open(f"{site.address}#{quote('http://x/pig_lens', '')}")
    page.wait("document.querySelectorAll('.axiom').length > 3")
    page.value("document.getElementById('who').value = 'bob'")
    # answers come one after the other, each when the next axiom is looked at already
    page.value(
        "{ const asked = fetch; window.fetch = async (...a) => { const said = await asked(...a);"
        " await new Promise((go) => setTimeout(go, 300)); return said; }; }"
    )
    page.press("j", "w")
    page.wait(f"{CARD}.querySelectorAll('.reasons li').length > 0")
    page.press("a", "j", "r", "j")
    page.wait("document.querySelectorAll('.said').length === 2")
    cards = "[...document.querySelectorAll('.axiom')]"
    assert page.value(f"{cards}.indexOf({CARD})") == 2
    assert page.value(f"{cards}.map((each) => each.querySelector('.said')?.textContent ?? '').slice(0, 3)") == [
        *("accept by bob", "reject by bob", "")
    ]
    assert page.value(f"{cards}[0].querySelectorAll('.reasons li').length") > 0, "reasons stay open"


def test_each_view_has_an_address(shown: str, page: Browser) -> None:
    page.open(f"{shown}#{quote('http://x/cow_eye', '')}")
    heading = "(document.querySelector('h2')?.textContent ?? '')"
    page.wait(f"{heading}.startsWith('eye of a cow')")
    page.value("document.getElementById('decided').click()")
    page.wait(f"{heading} === 'Decisions'")
    page.value("[...document.querySelectorAll('nav button')][0].click()")
    page.wait(f"{heading} === 'Best missing axioms'")
    page.value("document.querySelector('.axiom .link').click()")
    page.wait(f"{heading} !== 'Best missing axioms'")
    for expected in ("Best missing axioms", "Decisions", "eye of a cow (cow_eye)"):
        page.value("history.back()")
        page.wait(f"{heading} === {json.dumps(expected)}")
    # an address that is typed into the same tab
    page.value(f"location.hash = {json.dumps(quote('http://x/pig_leg', ''))}")
    page.wait(f"{heading}.startsWith('leg of a pig')")
    page.value("location.hash = ''")
    page.wait("document.querySelector('main').innerText.startsWith('Search for a class')")
    page.value("location.hash = '%'")
    page.wait(f"{SAID} !== ''")
    assert page.complaints == []


def test_filters_show_what_is_asked_for(shown: str, page: Browser) -> None:
    page.open(f"{shown}#{quote('http://x/rat_lens', '')}")
    page.wait("document.querySelectorAll('.axiom').length > 1")
    number = "document.querySelectorAll('.axiom').length"
    every = page.value(number)
    choose(page, "status", "held out")
    page.wait(f"{number} < {every}")
    words = page.value("[...document.querySelectorAll('.facts')].map((each) => each.textContent)")
    assert all(each.startswith("held out") for each in words)
    choose(page, "status", "")
    page.wait(f"{number} === {every}")
    choose(page, "least", "0.9999")
    page.wait(f"{number} === 0")
    assert "nothing is missing here" in page.value("document.body.innerText")


@pytest.mark.parametrize(("width", "dark"), [(1200, False), (360, False), (360, True)])
def test_the_picture_around_a_class(shown: str, page: Browser, width: int, dark: bool) -> None:
    page.open(f"{shown}#{quote('http://x/cat_eye', '')}", width, 800, dark)
    page.wait("document.querySelectorAll('.axiom').length > 1")
    assert fits(page)
    page.value("document.querySelector('details.picture summary').focus()")
    page.press("Enter")
    page.wait("document.querySelectorAll('.picture svg g').length > 3")
    assert "drawing of axioms" in page.value("document.querySelector('.picture p').textContent")
    assert fits(page)
    assert names_are_readable(page)
    shot(page, f"axioms-{width}{'-dark' * dark}")
    before = page.value("document.querySelector('.picture svg').getAttribute('viewBox')")
    page.value("document.querySelector('.picture button[title=larger]').focus()")
    page.press("Enter")
    page.wait(f"document.querySelector('.picture svg').getAttribute('viewBox') !== {json.dumps(before)}")
    choose(page, "run", "balls")
    page.wait("document.querySelector('.picture p')?.textContent.startsWith('the geometry of elem itself')")
    assert page.value("document.querySelectorAll('.picture svg ellipse').length") > 3
    assert names_are_readable(page)
    shot(page, f"balls-{width}{'-dark' * dark}")
    # a shape leads to its class
    page.value("document.querySelector('.picture svg g.above').focus()")
    page.press("Enter")
    page.wait("document.querySelector('h2').textContent.startsWith('eye')")
    assert fits(page)
    assert page.complaints == []
