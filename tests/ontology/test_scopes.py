"""Synonyms keep what their source says of them, in every syntax that has a word for it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from elgeo.ontology import read
from elgeo.ontology.grammar import SYNONYMS
from elgeo.ontology.model import Builder, Ontology
from elgeo.ontology.reading.merging import merged
from elgeo.ontology.writing.write import write

EX = "http://purl.obolibrary.org/obo/EX_"
STANZA = """format-version: 1.2
ontology: ex

[Term]
id: EX:1
name: heart
synonym: "organ of the heart" EXACT []
synonym: "pump" NARROW [X:1]
synonym: "circulatory organ" BROAD slang []
synonym: "cor" RELATED []
synonym: "ticker" []
synonym: "cor" EXACT []
synonym: "pump" BROAD []
"""
WANTED = {(EX + "1", "pump"): "Narrow", (EX + "1", "circulatory organ"): "Broad", (EX + "1", "ticker"): "Related"}


def scopes(ontology: Ontology) -> dict[tuple[str, str], str]:
    return {key: re.sub(r".*#has(\w+)Synonym", r"\1", said) for key, said in ontology.scopes.items()}


@pytest.fixture
def heart(tmp_path: Path) -> Ontology:
    (tmp_path / "heart.obo").write_text(STANZA)
    return read(tmp_path / "heart.obo")


def test_obo_says_how_near_a_synonym_is_and_exactness_counts_most(heart: Ontology) -> None:
    assert heart.synonyms == {EX + "1": ("organ of the heart", "pump", "circulatory organ", "cor", "ticker")}
    assert scopes(heart) == WANTED


@pytest.mark.parametrize("ending", ["obo", "owl", "ofn", "omn", "owx", "ttl", "json"])
def test_they_are_written_and_read_again(heart: Ontology, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"again.{ending}"
    write(heart, path)
    again = read(path)
    assert again.synonyms == heart.synonyms
    assert scopes(again) == WANTED


def test_what_obo_has_no_word_for_is_related(tmp_path: Path, heart: Ontology) -> None:
    builder = Builder.resume(heart)
    builder.scopes = {(EX + "1", "pump"): SYNONYMS[4]}
    for ending, expected in (("obo", SYNONYMS[1]), ("json", SYNONYMS[1]), ("ofn", SYNONYMS[4])):
        path = tmp_path / f"alternative.{ending}"
        write(builder.finish(), path)
        assert read(path).scopes == {(EX + "1", "pump"): expected}


def test_what_is_put_together_keeps_them(heart: Ontology) -> None:
    resumed = Builder.resume(heart).finish()
    assert scopes(resumed) == WANTED
    assert scopes(merged([Builder().finish(), heart])) == WANTED
