"""The day of a release in the headers of every syntax, and a warning where the old one is the later."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from elgeo.datasets.releases.backtest import Releases, back_test
from elgeo.datasets.releases.dates import day_of

HEADERS = {
    "format-version: 1.2\ndata-version: releases/2019-01-27\ndate: 03:02:2020 10:00\n": "2019-01-27",
    "format-version: 1.2\ndata-version: 4.1.33\ndate: 21:01:2020 13:44\n": "2020-01-21",
    "Ontology(<http://x/a.owl>\n<http://x/releases/2025-01-28/a.owl>\n": "2025-01-28",
    "Ontology(<http://x/a.owl>\nImport(<http://x/2018-01-01/b.owl>)\n": None,
    '<owl:Ontology rdf:about="http://x"><owl:versionIRI rdf:resource="http://x/2024-11-18/so.owl"/>': "2024-11-18",
    'Annotation(owl:versionInfo "made on 2021-12-05")': "2021-12-05",
    '{"graphs": [{"meta": {"version": "http://x/2023-07-09/x.json"}}]}': "2023-07-09",
    "ontology: x\ncreation_date: 2001-01-01\nremark: date: 01:01:2001\n": None,
    "": None,
}


@pytest.mark.parametrize(("header", "day"), HEADERS.items())
def test_the_day_that_a_header_says(header: str, day: str | None, tmp_path: Path) -> None:
    (tmp_path / "plain").write_text(header)
    (tmp_path / "packed").write_bytes(gzip.compress(header.encode()))
    assert day_of(tmp_path / "plain") == day_of(tmp_path / "packed") == day
    assert day_of(tmp_path / "missing") is None


def test_a_warning_where_the_old_release_is_of_a_later_day(tmp_path: Path) -> None:
    for name, parent, day in (("a", 1, "28:02:2019"), ("b", 0, "01:03:2019"), ("undated", 0, "")):
        terms = "".join(f"\n[Term]\nid: T:{i}\nis_a: T:{parent if i == 9 else 3}\n" for i in range(4, 10))
        date = f"date: {day} 09:30\n" if day else ""
        (tmp_path / name).write_text(
            f"format-version: 1.2\n{date}ontology: t\n{terms}\n[Term]\nid: T:0\n\n[Term]\nid: T:1\n"
        )
    for old, new, warned in (("a", "b", False), ("b", "a", True), ("a", "undated", False), ("undated", "a", False)):
        said: list[str] = []
        back_test(Releases(tmp_path / old, tmp_path / new, ("?C SubClassOf ?D",)), said.append)
        found = [message for message in said if "looks like the newer one" in message]
        assert len(found) == warned
        if warned:
            assert "of 2019-03-01" in found[0]
            assert "of 2019-02-28" in found[0]
