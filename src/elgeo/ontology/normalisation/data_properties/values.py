"""Literals by their values, and data ranges: which lie within which, and what two have in common."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from xml.etree import ElementTree

from elgeo.ontology.grammar import PLAIN_LITERAL, PREFIXES, XSD_STRING

XSD, OWL, RDF, RDFS = (PREFIXES[name] for name in ("xsd", "owl", "rdf", "rdfs"))
LITERAL = RDFS + "Literal"
Value = tuple[str, object]
"""The kind of a value, and what tells it from others of its kind."""

_TREES: dict[str, tuple[str, ...]] = {
    "number": (
        f"{OWL}real > {OWL}rational > decimal > integer > nonNegativeInteger > positiveInteger",
        "integer > nonPositiveInteger > negativeInteger",
        "integer > long > int > short > byte",
        "nonNegativeInteger > unsignedLong > unsignedInt > unsignedShort > unsignedByte",
    ),
    "text": (
        f"{PLAIN_LITERAL} > string > normalizedString > token > NMTOKEN > Name > NCName",
        "token > language",
        f"{PLAIN_LITERAL} > {RDF}langString",
    ),
    "time": ("dateTime > dateTimeStamp",),
    **{name: (name,) for name in ("float", "double", "boolean", "hexBinary", "base64Binary", "anyURI")},
    "xml": (f"{RDF}XMLLiteral",),
}
"""The datatypes of OWL 2 by kind; those of one kind are inside each other, or overlap; kinds have nothing in common."""


def _read_trees() -> tuple[dict[str, str], dict[str, str]]:
    kinds: dict[str, str] = {}
    above: dict[str, str] = {}
    for kind, lines in _TREES.items():
        for line in lines:
            names = [name if ":" in name else XSD + name for name in line.split(" > ")]
            kinds.update(dict.fromkeys(names, kind))
            for general, special in pairwise(names):
                above[special] = general
    return kinds, above


_KIND, _ABOVE = _read_trees()
_SIZES = {XSD + name: 1 << bits for name, bits in (("long", 63), ("int", 31), ("short", 15), ("byte", 7))}
_UNSIGNED = {
    XSD + name: 1 << bits
    for name, bits in (("unsignedLong", 64), ("unsignedInt", 32), ("unsignedShort", 16), ("unsignedByte", 8))
}
_NAME_START = (
    "A-Z_a-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c\u200d\u2070-\u218f\u2c00-\ud7ff"
)
_NAME_MORE = _NAME_START + "\\-.0-9\u00b7\u0300-\u036f\u203f\u2040"
_TEXTS: dict[str, Callable[[str], bool]] = {
    XSD + "string": lambda _: True,
    XSD + "normalizedString": lambda text: not re.search("[\t\r\n]", text),
    XSD + "token": lambda text: not re.search("[\t\r\n]|^ | $|  ", text),
    XSD + "NMTOKEN": lambda text: re.fullmatch(f"[:{_NAME_MORE}]+", text) is not None,
    XSD + "Name": lambda text: re.fullmatch(f"[:{_NAME_START}][:{_NAME_MORE}]*", text) is not None,
    XSD + "NCName": lambda text: re.fullmatch(f"[{_NAME_START}][{_NAME_MORE}]*", text) is not None,
    XSD + "language": lambda text: re.fullmatch("[a-zA-Z]{1,8}(-[a-zA-Z0-9]{1,8})*", text) is not None,
}


@dataclass(frozen=True)
class DataRange:
    """The values that are in all of some datatypes, or the one value; without either every value."""

    types: frozenset[str] = frozenset()
    value: Value | None = None
    text: str = ""
    """The value as a literal, of several the first."""
    is_empty: bool = False

    def __str__(self) -> str:
        parts = [f"DataOneOf({self.text})"] * (self.value is not None)
        parts += [f"<{name}>" if not name.startswith('"') else f"DataOneOf({name})" for name in sorted(self.types)]
        return parts[0] if len(parts) == 1 else f"DataIntersectionOf({' '.join(parts)})" if parts else f"<{LITERAL}>"

    @property
    def is_single(self) -> bool:
        """Whether it is one value, maybe one of a datatype that is not known."""
        return self.value is not None or any(name.startswith('"') for name in self.types)

    @property
    def surely_has_values(self) -> bool:
        """Whether there is a value in it: a known one, or any of one known datatype."""
        return not self.is_empty and (
            not self.types or (self.value is None and len(self.types) == 1 and self.types <= {*_KIND})
        )

    @property
    def key(self) -> tuple[frozenset[str], Value | None]:
        """What makes it equal to another."""
        return self.types, self.value

    def within(self, other: DataRange) -> bool:
        """Whether all values are known to be in another range."""
        if other.is_empty or (other.value is not None and other.value != self.value):
            return self.is_empty
        return self.is_empty or all(self._inside(name) for name in other.types)

    def _inside(self, name: str) -> bool:
        if any(_below(mine, name) for mine in self.types):
            return True
        return self.value is not None and is_in(self.value, name) is True

    def meet(self, other: DataRange) -> DataRange:
        """What is in both."""
        if self.is_empty or other.is_empty or (self.value and other.value and self.value != other.value):
            return EMPTY
        value, text = self.value or other.value, self.text or other.text
        types = self.types | other.types
        if value is not None:
            known = {name: is_in(value, name) for name in types}
            if False in known.values():
                return EMPTY
            types = frozenset(name for name in types if known[name] is None)
        kinds = {_KIND[name] for name in types if name in _KIND}
        if len(kinds) > 1:
            return EMPTY
        least = frozenset(a for a in types if not any(b != a and _below(b, a) for b in types))
        return DataRange(least, value, text)


EVERYTHING, EMPTY = DataRange(), DataRange(is_empty=True)


def datatype(iri: str) -> DataRange:
    """The range of a datatype."""
    return EVERYTHING if iri == LITERAL else DataRange(frozenset([iri]))


def one_of(literal: str) -> DataRange:
    """The range of one literal; of a datatype that is not known it is like a datatype of its own."""
    value = value_of(literal)
    return DataRange(frozenset([literal])) if value is None else DataRange(value=value, text=literal)


@lru_cache(maxsize=1 << 16)
def value_of(literal: str) -> Value | None:
    """The value of a literal in functional syntax; None where its datatype is not known, or does not allow it."""
    end = literal.rindex('"') if '"' in literal[1:] else len(literal)
    text = re.sub(r'\\(["\\])', r"\1", literal[1:end])
    rest = literal[end + 1 :]
    if rest.startswith("@"):
        return "text", (text, rest[1:].lower())
    kind = rest.removeprefix("^^").strip("<>") or XSD_STRING
    try:
        value = _read(text, kind)
    except (ValueError, ArithmeticError, binascii.Error):
        return None
    return value if value is not None and is_in(value, kind) else None


def _read(text: str, kind: str) -> Value | None:
    family, bare = _KIND.get(kind), text.strip(" \t\r\n")
    match family:
        case "number":
            shape = {OWL + "rational": r"[+-]?\d+ */ *\d+", XSD + "decimal": r"[+-]?(\d+(\.\d*)?|\.\d+)"}
            if not re.fullmatch(shape.get(kind, r"[+-]?\d+"), bare, re.ASCII):
                return None
            return family, Fraction(bare.replace(" ", ""))
        case "text":
            whole = (
                text if kind in (XSD + "string", XSD + "normalizedString", PLAIN_LITERAL) else " ".join(text.split())
            )
            return family, whole
        case "float" | "double":
            number = {"INF": "inf", "+INF": "inf", "-INF": "-inf", "NaN": "nan"}.get(bare, bare)
            if "_" in number or (number == bare and not re.search(r"\d", number)):
                return None
            return family, float(number).hex()
        case "boolean":
            return (family, bare in ("true", "1")) if bare in ("true", "false", "1", "0") else None
        case "hexBinary":
            return family, bytes.fromhex(bare).hex()
        case "base64Binary":
            return family, base64.b64decode("".join(bare.split()), validate=True).hex()
        case "time":
            return family, _time(bare)
        case "anyURI":
            return family, bare
        case "xml":
            return family, _canonical(text)
    return None


def _canonical(text: str) -> str:
    """XML in its canonical form: order and quotes of attributes do not count, nor how an empty element is written."""
    try:
        return ElementTree.canonicalize(f"<xml>{text}</xml>", with_comments=True)
    except ElementTree.ParseError as error:
        raise ValueError(text) from error


def _time(text: str) -> tuple[str, str]:
    """Local time and offset: times with different offsets are different values."""
    found = re.fullmatch(r"(-?\d{4,})(-\d\d-\d\dT)(\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)?", text, re.ASCII)
    if not found:
        raise ValueError(text)
    year, day, clock, fraction, zone = found[1], found[2], found[3], (found[4] or ".").rstrip("0"), found[5] or ""
    midnight = clock == "24:00:00" and fraction == "."
    # Python's calendar knows four digits, and the same days every 400 years
    local = datetime.fromisoformat(f"{2000 + int(year) % 400}{day}{'00:00:00' if midnight else clock}")
    if midnight:
        # the end of a day is the beginning of the next
        later = local + timedelta(days=1)
        year, local = str(int(year) + later.year - local.year), later
    if zone not in ("", "Z") and (int(zone[4:]) > 59 or int(zone[1:3]) * 60 + int(zone[4:]) > 14 * 60):
        raise ValueError(text)
    moment = f"{int(year):0{4 + (int(year) < 0)}d}{local:-%m-%dT%H:%M:%S}{fraction.rstrip('.')}"
    return moment, "Z" if zone in ("+00:00", "-00:00") else zone


def is_in(value: Value, name: str) -> bool | None:
    """Whether a value is in a datatype; None if the datatype is not known."""
    kind, content = value
    if name == LITERAL:
        return True
    if name not in _KIND:
        return None
    if _KIND[name] != kind:
        return False
    if kind == "text":
        if isinstance(content, tuple):
            return name in (PLAIN_LITERAL, RDF + "langString")
        return name == PLAIN_LITERAL or (name in _TEXTS and _TEXTS[name](str(content)))
    if kind == "time":
        return name == XSD + "dateTime" or (isinstance(content, tuple) and content[1] != "")
    return _number_in(content, name) if isinstance(content, Fraction) else True


def _number_in(number: Fraction, name: str) -> bool:
    if name in (OWL + "real", OWL + "rational"):
        return True
    if name == XSD + "decimal":
        rest = number.denominator
        for prime in (2, 5):
            while rest % prime == 0:
                rest //= prime
        return rest == 1
    if number.denominator != 1:
        return False
    if name in _SIZES:
        return -_SIZES[name] <= number < _SIZES[name]
    if name in _UNSIGNED:
        return 0 <= number < _UNSIGNED[name]
    signs = {
        "nonNegativeInteger": (0, 1),
        "positiveInteger": (1,),
        "nonPositiveInteger": (0, -1),
        "negativeInteger": (-1,),
    }
    sign = (number > 0) - (number < 0)
    return sign in signs.get(name.removeprefix(XSD), (-1, 0, 1))


def _below(name: str, other: str) -> bool:
    """Whether a datatype is known to be inside another."""
    step: str | None = name
    while step is not None and step != other:
        step = _ABOVE.get(step)
    return step is not None
