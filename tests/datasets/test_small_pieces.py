"""Small pieces of the way to a dataset: what is counted, how folders are called, whose names terms have."""

from __future__ import annotations

import io
import itertools
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from elgeo.datasets.assemble import kinds_by_name
from elgeo.datasets.drops import Drops
from elgeo.datasets.sources.download import DownloadLimits, _receive
from elgeo.datasets.sources.iris import TermNames, role_named, space_of
from elgeo.datasets.targets import folder_names
from elgeo.errors import SettingError
from elgeo.ontology import normalise, read
from elgeo.ontology.vocabulary import Kind


def test_a_reason_counts_as_often_as_it_is_given_and_a_thing_is_listed_once() -> None:
    drops = Drops()
    drops.count("asked for")
    drops.count("asked for", 3)
    drops.count("never", 0)
    for what in ("a", "b", "a"):
        drops.add("unknown", what)
    assert drops.counts == {"asked for": 4, "unknown": 3}
    assert drops.listed == [("unknown", "a"), ("unknown", "b")]


def test_folders_of_labels_are_all_different_whatever_the_system_makes_of_case() -> None:
    labels = ["part of", "part-of", "Part of", "Überall", "∃", "part_of-2", ""]
    assert folder_names(labels) == ["part_of", "part_of-2", "Part_of-3", "berall", "role", "part_of_2", "role-2"]


def test_terms_are_found_by_iri_curie_prefix_and_alternative(tmp_path: Path) -> None:
    (tmp_path / "o.ofn").write_text(
        "Prefix(mine:=<http://mine/>) Prefix(obo:=<http://purl.obolibrary.org/obo/>) Ontology(<http://o>\n"
        "SubClassOf(mine:A obo:GO_0000001) SubClassOf(<http://x:y/B> mine:A))"
    )
    names = TermNames(read(tmp_path / "o.ofn"))
    expected = {
        "mine:A": "http://mine/A",
        "http://mine/A": "http://mine/A",
        "GO:0000001": "http://purl.obolibrary.org/obo/GO_0000001",
        "http://x:y/B": "http://x:y/B",
        "yours:A": None,
        "mine:B": None,
        "A": None,
    }
    assert {term: names.find(term) for term in expected} == expected
    (tmp_path / "o.obo").write_text("format-version: 1.4\n\n[Term]\nid: GO:0000001\nalt_id: GO:0000009\n")
    assert TermNames(read(tmp_path / "o.obo")).find("GO:0000009") == "http://purl.obolibrary.org/obo/GO_0000001"


def test_long_downloads_say_how_far_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a clock on which a second goes by between two looks."""
    monkeypatch.setattr("elgeo.datasets.sources.download.CHUNK", 100_000)
    for total, have, expected in (
        (700_000, 0, ["0.3 of 0.7 MB, 0.1 MB/s, 4 s left", "0.6 of 0.7 MB, 0.1 MB/s, 1 s left"]),
        (None, 0, ["0.3 MB, 0.1 MB/s", "0.6 MB, 0.1 MB/s"]),
        (1_700_000, 1_000_000, ["1.3 of 1.7 MB, 0.1 MB/s, 4 s left", "1.6 of 1.7 MB, 0.1 MB/s, 1 s left"]),
    ):
        part, said, ticks = tmp_path / "a.gz.part", list[str](), itertools.count()
        part.write_bytes(b"y" * have)
        clock = SimpleNamespace(monotonic=lambda ticks=ticks: float(next(ticks)))
        monkeypatch.setattr("elgeo.datasets.sources.download.time", clock)
        reply: Any = io.BytesIO(b"x" * 700_000)
        assert _receive(reply, "http://x/a.gz", part, have, total, DownloadLimits(), said.append) == have + 700_000
        assert said == [f"a.gz: {line}" for line in expected]
        assert part.read_bytes() == b"y" * have + b"x" * 700_000


def test_a_target_that_is_no_role_is_answered_by_the_roles_that_there_are() -> None:
    roles = [f"http://x/{name}" for name in "hbdgacief"]
    known = ", ".join(f"http://x/{name}" for name in "abcdefgh")
    with pytest.raises(SettingError, match=f"'z' is not one of the roles: {known}$"):
        role_named("z", roles, None)
    with pytest.raises(SettingError, match=r"'z' is not one of the roles of f\.tsv: none$"):
        role_named("z", [], Path("f.tsv"))
    with pytest.raises(SettingError, match="not one of the roles"):  # which of them is meant is not said
        role_named("a", ["http://x/a", "http://y/a"], None)
    assert role_named("a", roles, None) == "http://x/a"


def test_every_class_is_of_the_kind_it_is_said_to_be(tmp_path: Path) -> None:
    """Kinds called like those of built-in and of fresh classes are theirs; a name may be a class and an individual."""
    (tmp_path / "o.ofn").write_text(
        "Prefix(:=<http://x/>) Ontology(<http://o> SubClassOf(:C :A) SubClassOf(:B :D) ClassAssertion(:B :A)\n"
        "ClassAssertion(:C :k) SubClassOf(ObjectIntersectionOf(:A :B :C) :D) SubClassOf(:E owl:Thing))"
    )
    words = normalise(read(tmp_path / "o.ofn")).vocabulary
    said = {"A": "other", "B": "protein", "C": "fresh", "D": "term", "E": "term"}
    kinds = kinds_by_name(words, lambda iri, individual: "person" if individual else said[iri[9:]])
    assert len(kinds.of_class) == words.n_classes
    found = [kinds.names[number] for number in kinds.of_class.tolist()]
    by_name = [
        (iri[9:], kind)
        for iri, kind, sort in zip(words.classes, found, words.class_kinds.tolist(), strict=True)
        if sort == Kind.NAMED
    ]
    assert sorted(by_name) == sorted(said.items())
    assert {kind for kind, sort in zip(found, words.class_kinds, strict=True) if sort == Kind.INDIVIDUAL} == {"person"}
    assert {kind for kind, sort in zip(found, words.class_kinds, strict=True) if sort == Kind.FRESH} == {"fresh"}
    assert found[:2] == ["other", "other"]
    assert sorted(kinds.names) == ["fresh", "other", "person", "protein", "term"]


@pytest.mark.parametrize(
    ("iri", "space"),
    [
        ("http://purl.obolibrary.org/obo/GO_0008150", "GO"),
        ("http://mine.example/terms#Heart", "http://mine.example/terms#"),
        ("http://mine.example/terms/Lung", "http://mine.example/terms/"),
    ],
)
def test_the_space_of_a_name_is_its_prefix_or_what_stands_before_it(iri: str, space: str) -> None:
    assert space_of(iri) == space
