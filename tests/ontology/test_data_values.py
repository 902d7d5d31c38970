"""Datatypes at their edges: every type of XML Schema and OWL beside its definition, written down once more."""

from __future__ import annotations

from fractions import Fraction

import pytest

from elgeo.ontology.normalisation.data_properties.values import EVERYTHING, DataRange, datatype, is_in, one_of, value_of

XSD = "http://www.w3.org/2001/XMLSchema#"
OWL = "http://www.w3.org/2002/07/owl#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
FAR = 10**30
WHOLE = {
    "integer": (-FAR, FAR),
    "nonNegativeInteger": (0, FAR),
    "positiveInteger": (1, FAR),
    "nonPositiveInteger": (-FAR, 0),
    "negativeInteger": (-FAR, -1),
    "long": (-9223372036854775808, 9223372036854775807),
    "int": (-2147483648, 2147483647),
    "short": (-32768, 32767),
    "byte": (-128, 127),
    "unsignedLong": (0, 18446744073709551615),
    "unsignedInt": (0, 4294967295),
    "unsignedShort": (0, 65535),
    "unsignedByte": (0, 255),
}
# what is derived from what, by the specification of XML Schema
DERIVED = {
    "decimal": ("integer", "nonNegativeInteger", "positiveInteger", "nonPositiveInteger", "negativeInteger", "long"),
    "integer": (
        "nonNegativeInteger",
        "positiveInteger",
        "nonPositiveInteger",
        "negativeInteger",
        "long",
        "unsignedInt",
    ),
    "nonPositiveInteger": ("negativeInteger",),
    "nonNegativeInteger": ("positiveInteger", "unsignedLong", "unsignedInt", "unsignedShort", "unsignedByte"),
    "long": ("int", "short", "byte"),
    "short": ("byte",),
    "unsignedLong": ("unsignedInt", "unsignedShort", "unsignedByte"),
    "unsignedShort": ("unsignedByte",),
    "string": ("normalizedString", "token", "NMTOKEN", "Name", "NCName", "language"),
    "token": ("NMTOKEN", "Name", "NCName", "language"),
    "dateTime": ("dateTimeStamp",),
}


@pytest.mark.parametrize("name", WHOLE)
def test_whole_numbers_at_the_edges_of_their_types(name: str) -> None:
    least, most = WHOLE[name]
    edges = {edge + step for low_high in WHOLE.values() for edge in low_high for step in (-1, 0, 1)}
    for number in edges - {FAR - 1, FAR, FAR + 1, -FAR - 1, -FAR, 1 - FAR}:
        assert is_in(("number", Fraction(number)), XSD + name) is (least <= number <= most), number
        known = value_of(f'"{number}"^^<{XSD}{name}>')
        assert known == (("number", number) if least <= number <= most else None)
    assert is_in(("number", Fraction(1, 2)), XSD + name) is False


@pytest.mark.parametrize(
    ("number", "decimal"),
    [
        (Fraction(3, 8), True),
        (Fraction(1, 250), True),
        (Fraction(1, 3), False),
        (Fraction(1, 14), False),
        (Fraction(7), True),
        (Fraction(1, 75), False),
    ],
)
def test_which_fractions_are_decimals(number: Fraction, decimal: bool) -> None:
    assert is_in(("number", number), XSD + "decimal") is decimal
    assert is_in(("number", number), OWL + "rational") is True
    assert is_in(("number", number), OWL + "real") is True
    assert is_in(("number", number), RDFS + "Literal") is True
    assert is_in(("number", number), XSD + "string") is False
    assert is_in(("number", number), "urn:own") is None


def test_types_are_inside_those_they_are_derived_from_and_no_others() -> None:
    for general, specials in DERIVED.items():
        for special in specials:
            assert datatype(XSD + special).within(datatype(XSD + general)), (special, general)
            assert not datatype(XSD + general).within(datatype(XSD + special)), (special, general)
            both = datatype(XSD + general).meet(datatype(XSD + special))
            assert both == datatype(XSD + special)
    for one, other in (
        ("int", "unsignedInt"),
        ("long", "nonPositiveInteger"),
        ("language", "NCName"),
        ("byte", "string"),
    ):
        assert not datatype(XSD + one).within(datatype(XSD + other))
        assert not datatype(XSD + other).within(datatype(XSD + one))
    assert datatype(XSD + "decimal").within(datatype(OWL + "rational"))
    assert datatype(OWL + "rational").within(datatype(OWL + "real"))
    assert datatype(XSD + "string").within(datatype(RDF + "PlainLiteral"))
    assert datatype(RDF + "langString").within(datatype(RDF + "PlainLiteral"))
    assert datatype(RDFS + "Literal") is EVERYTHING


@pytest.mark.parametrize(
    ("text", "types"),
    [
        ("plain", {"normalizedString", "token", "NMTOKEN", "Name", "NCName", "language"}),
        ("en-GB-oed", {"normalizedString", "token", "NMTOKEN", "Name", "NCName", "language"}),
        ("muchtoolong-x", {"normalizedString", "token", "NMTOKEN", "Name", "NCName"}),
        ("a:b", {"normalizedString", "token", "NMTOKEN", "Name"}),
        ("1a", {"normalizedString", "token", "NMTOKEN"}),
        ("a b", {"normalizedString", "token"}),
        ("a  b", {"normalizedString"}),
        (" a", {"normalizedString"}),
        ("a ", {"normalizedString"}),
        ("a\tb", set()),
        ("a\nb", set()),
        ("", {"normalizedString", "token"}),
    ],
)
def test_texts_in_types(text: str, types: set[str]) -> None:
    every = ("normalizedString", "token", "NMTOKEN", "Name", "NCName", "language")
    value = ("text", text)
    assert {name for name in every if is_in(value, XSD + name)} == types
    assert is_in(value, XSD + "string") is True
    assert is_in(value, RDF + "PlainLiteral") is True
    assert is_in(value, RDF + "langString") is False
    assert is_in(("text", (text, "en")), RDF + "langString") is True
    assert is_in(("text", (text, "en")), XSD + "string") is False


@pytest.mark.parametrize(
    ("literal", "value"),
    [
        ('"1.50"^^<decimal>', Fraction(3, 2)),
        ('".5"^^<decimal>', Fraction(1, 2)),
        ('"-3."^^<decimal>', Fraction(-3)),
        ('"1e2"^^<decimal>', None),
        ('"."^^<decimal>', None),
        ('"1_0"^^<integer>', None),
        ('"١"^^<integer>', None),
        ('" +7\t"^^<integer>', Fraction(7)),
        ('"1e2"^^<double>', (100.0).hex()),
        ('"INF"^^<float>', "inf"),
        ('"+INF"^^<float>', "inf"),
        ('"-INF"^^<float>', "-inf"),
        ('"NaN"^^<double>', "nan"),
        ('"nan"^^<double>', None),
        ('"infinity"^^<double>', None),
        ('"1_0"^^<double>', None),
        ('"0"^^<boolean>', False),
        ('"false"^^<boolean>', False),
        ('"1"^^<boolean>', True),
        ('"true"^^<boolean>', True),
        ('"TRUE"^^<boolean>', None),
        ('"0aFF"^^<hexBinary>', "0aff"),
        ('" urn:x "^^<anyURI>', "urn:x"),
        ('" a  b"^^<string>', " a  b"),
        ('" a  b"^^<normalizedString>', " a  b"),
        ('" a  b"^^<token>', "a b"),
        ('"say \\"so\\" \\\\"', 'say "so" \\'),
        ('"x"@de-AT', ("x", "de-at")),
        ('"2020-02-30T00:00:00"^^<dateTime>', None),
        ('"2020-02-29T10:20:30"^^<dateTime>', ("2020-02-29T10:20:30", "")),
        ('"2020-02-29T10:20:30.250"^^<dateTime>', ("2020-02-29T10:20:30.25", "")),
        ('"2020-02-29T10:20:30.000-00:00"^^<dateTime>', ("2020-02-29T10:20:30", "Z")),
        ('"-0044-03-15T12:00:00+01:00"^^<dateTime>', ("-0044-03-15T12:00:00", "+01:00")),
        ('"2020-02-29T24:00:00"^^<dateTime>', ("2020-03-01T00:00:00", "")),
        ('"2019-12-31T24:00:00.000Z"^^<dateTime>', ("2020-01-01T00:00:00", "Z")),
        ('"9999-12-31T24:00:00"^^<dateTime>', ("10000-01-01T00:00:00", "")),
        ('"-0001-12-31T24:00:00"^^<dateTime>', ("0000-01-01T00:00:00", "")),
        ('"-0400-02-29T00:00:00"^^<dateTime>', ("-0400-02-29T00:00:00", "")),
        ('"12345-02-29T00:00:00"^^<dateTime>', None),
        ('"2020-02-28T24:00:01"^^<dateTime>', None),
        ('"2020-02-28T24:00:00.5"^^<dateTime>', None),
        ('"2020-02-30T24:00:00"^^<dateTime>', None),
        ('"2020-02-28T10:00:00+14:00"^^<dateTime>', ("2020-02-28T10:00:00", "+14:00")),
        ('"2020-02-28T10:00:00+14:01"^^<dateTime>', None),
        ('"2020-02-28T10:00:00+14:10"^^<dateTime>', None),
        ('"2020-02-28T10:00:00-13:59"^^<dateTime>', ("2020-02-28T10:00:00", "-13:59")),
        ('"2020-02-28T10:00:00-05:59"^^<dateTime>', ("2020-02-28T10:00:00", "-05:59")),
        ('"2020-02-28T10:00:00-05:60"^^<dateTime>', None),
        ('"2020-02-29T10:20:30"^^<dateTimeStamp>', None),
        ('"2020-02-29T10:20:30+02:00"^^<dateTimeStamp>', ("2020-02-29T10:20:30", "+02:00")),
    ],
)
def test_values_as_written(literal: str, value: object) -> None:
    found = value_of(literal.replace("^^<", f"^^<{XSD}"))
    assert (None if found is None else found[1]) == value


def test_xml_is_compared_in_its_canonical_form() -> None:
    kind = "http://www.w3.org/1999/02/22-rdf-syntax-ns#XMLLiteral"
    same = [value_of(f'"{text}"^^<{kind}>') for text in ("<b y='2' x='1'/>t", "<b x='1'  y='2'></b >t")]
    assert same[0] is not None
    assert same[0] == same[1]
    assert value_of(f"\"<b x='1' y='3'/>t\"^^<{kind}>") not in (None, same[0])
    assert value_of(f'"<b>t"^^<{kind}>') is None


def test_ranges_print_as_functional_syntax() -> None:
    one = one_of(f'"1"^^<{XSD}integer>')
    own, other = datatype("urn:own"), datatype("urn:other")
    assert str(one) == f'DataOneOf("1"^^<{XSD}integer>)'
    assert str(own) == "<urn:own>"
    assert str(own.meet(other)) == "DataIntersectionOf(<urn:other> <urn:own>)"
    assert str(one.meet(own)) == f'DataIntersectionOf(DataOneOf("1"^^<{XSD}integer>) <urn:own>)'
    assert str(one_of('"x"^^<urn:own>')) == 'DataOneOf("x"^^<urn:own>)'
    assert str(EVERYTHING) == str(DataRange()) == f"<{RDFS}Literal>"
