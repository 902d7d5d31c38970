"""Literals taken apart: what was escaped is as it was said, with its language or datatype."""

from __future__ import annotations

import pytest

from elgeo.ontology.grammar import literal
from elgeo.ontology.writing.literals import LiteralParts, parts


@pytest.mark.parametrize("text", ["", "plain", "back\\slash", 'a "quote"', '"', "\\", '\\"', "two\nlines", "a\\\\b@en"])
def test_what_was_said_comes_back(text: str) -> None:
    assert parts(literal(text)) == LiteralParts(text, "", "")


def test_languages_and_datatypes() -> None:
    assert parts('"d\\\\\\"x"@en-GB') == LiteralParts('d\\"x', "en-GB", "")
    assert parts('"3"^^<http://www.w3.org/2001/XMLSchema#integer>') == LiteralParts(
        "3", "", "http://www.w3.org/2001/XMLSchema#integer"
    )
    with pytest.raises(ValueError, match="no literal"):
        parts("3")
