"""Cases in the manner of the W3C's tests of OWL 2 EL, in our own words: what follows, what not, what has no model."""

from __future__ import annotations

from pathlib import Path

import pytest

import elgeo

HEADER = """Prefix(:=<http://e/>)
Prefix(owl:=<http://www.w3.org/2002/07/owl#>)
Prefix(xsd:=<http://www.w3.org/2001/XMLSchema#>)
Ontology("""
NO_MODEL = "SubClassOf(owl:Thing owl:Nothing)"
CASES = {
    "a key of everything": (
        'HasKey(owl:Thing () (:ssn)) DataPropertyAssertion(:ssn :peter "1") DataPropertyAssertion(:ssn :griffin "1")',
        "SameIndividual(:peter :griffin)",
        True,
    ),
    "a key of a class that one is not known to be in": (
        'HasKey(:Member () (:name)) ClassAssertion(:Member :peter) DataPropertyAssertion(:name :peter "P")'
        ' DataPropertyAssertion(:name :other "P")',
        "SameIndividual(:peter :other)",
        False,
    ),
    "a key of a class that both are in": (
        'HasKey(:Member () (:name)) ClassAssertion(:Member :peter) DataPropertyAssertion(:name :peter "P")'
        ' DataPropertyAssertion(:name :other "P") ClassAssertion(:Member :other)',
        "SameIndividual(:peter :other)",
        True,
    ),
    "different individuals with one key": (
        'HasKey(owl:Thing () (:ssn)) DataPropertyAssertion(:ssn :peter "1") DataPropertyAssertion(:ssn :griffin "1")'
        " DifferentIndividuals(:peter :griffin)",
        NO_MODEL,
        True,
    ),
    "one who likes himself": (
        "ObjectPropertyAssertion(:likes :peter :peter)",
        "ClassAssertion(ObjectHasSelf(:likes) :peter)",
        True,
    ),
    "one of those who like themselves": (
        "ClassAssertion(ObjectHasSelf(:likes) :peter)",
        "ObjectPropertyAssertion(:likes :peter :peter)",
        True,
    ),
    "a text where a number has to be": (
        'DataPropertyRange(:age xsd:integer) ClassAssertion(DataHasValue(:age "a text"^^xsd:string) :a)',
        NO_MODEL,
        True,
    ),
    "two values of a functional property": (
        'FunctionalDataProperty(:p) DataPropertyAssertion(:p :a "1"^^xsd:integer)'
        ' DataPropertyAssertion(:p :a "2"^^xsd:integer)',
        NO_MODEL,
        True,
    ),
    "one value in two spellings": (
        'FunctionalDataProperty(:p) DataPropertyAssertion(:p :a "1"^^xsd:integer)'
        ' DataPropertyAssertion(:p :a "01"^^xsd:integer)',
        NO_MODEL,
        False,
    ),
    "a negative assertion against a positive one": (
        'DataPropertyAssertion(:p :a "1"^^xsd:integer) NegativeDataPropertyAssertion(:p :a "1.0"^^xsd:decimal)',
        NO_MODEL,
        True,
    ),
    "somebody without a name": (
        "ClassAssertion(ObjectSomeValuesFrom(:p owl:Thing) :a)",
        "ObjectPropertyAssertion(:p :a _:x)",
        True,
    ),
    "nobody without a name": (
        "ClassAssertion(ObjectSomeValuesFrom(:p owl:Thing) :a)",
        "ObjectPropertyAssertion(:q :a _:x)",
        False,
    ),
    "somebody without a name on the left": (
        "ClassAssertion(ObjectSomeValuesFrom(:p :C) :a)",
        "ClassAssertion(:C _:x)",
        True,
    ),
    "an existential of somebody without a name": (
        "ObjectPropertyAssertion(:p :a _:x) ClassAssertion(:C _:x)",
        "ClassAssertion(ObjectSomeValuesFrom(:p :C) :a)",
        True,
    ),
    "a chain of roles": (
        "SubObjectPropertyOf(ObjectPropertyChain(:mother :sister) :aunt) ObjectPropertyAssertion(:mother :s :l)"
        " ObjectPropertyAssertion(:sister :l :c)",
        "ObjectPropertyAssertion(:aunt :s :c)",
        True,
    ),
    "the range of a data property": (
        "DataPropertyRange(:p DataIntersectionOf(xsd:integer xsd:nonNegativeInteger))",
        "DataPropertyRange(:p xsd:decimal)",
        True,
    ),
    "the empty range": (
        "DataPropertyRange(:p DataIntersectionOf(xsd:integer xsd:string))"
        ' DataPropertyAssertion(:p :a "1"^^xsd:integer)',
        NO_MODEL,
        True,
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_case(tmp_path: Path, case: str) -> None:
    told, asked, follows = CASES[case]
    path = tmp_path / "case.ofn"
    known = " ".join(f"Declaration(ObjectProperty(:{name}))" for name in ("p", "q", "likes") if "Data" not in told)
    path.write_text(f"{HEADER}{known} {told})")
    reasoner = elgeo.Reasoner(elgeo.read(path))
    whole = asked.replace(" :", " http://e/").replace("(:", "(http://e/")
    parts = [f"<{part}>" if part.startswith("http") else part for part in _split(whole)]
    assert reasoner.entails(" ".join(parts)) == follows


def _split(text: str) -> list[str]:
    return text.replace("(", " ( ").replace(")", " ) ").split()
