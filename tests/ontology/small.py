"""Small ontologies written as text in tests: functional syntax without prefixes, names told apart by their place."""

from __future__ import annotations

import re

from elgeo.ontology.expressions import BOTTOM_OBJECT_PROPERTY, NOTHING, THING, TOP_OBJECT_PROPERTY, Op
from elgeo.ontology.model import Builder, Ontology

EX = "http://example.org/"
_BUILT_IN = {"Thing": THING, "Nothing": NOTHING, "topRole": TOP_OBJECT_PROPERTY, "bottomRole": BOTTOM_OBJECT_PROPERTY}


def iri(name: str) -> str:
    return _BUILT_IN.get(name, EX + name)


def small(text: str) -> Ontology:
    """An ontology: lower-case words are roles, words after an underscore individuals, the others classes.

    Numbers and quoted strings are literals; names that start with `d:` are data properties.
    """
    builder = Builder()
    tokens = re.findall(r'[()]|"[^"]*"|[^\s()]+', text)
    place = 0

    def node(top: bool) -> int:
        nonlocal place
        token = tokens[place]
        place += 1
        if place < len(tokens) and tokens[place] == "(":
            place += 1
            arguments = []
            while tokens[place] != ")":
                arguments.append(node(False))
            place += 1
            return builder.axiom(Op[token], *arguments) if top else builder.node(Op[token], *arguments)
        if token[0] == '"' or token.isdigit():
            return builder.entity(Op.Literal, token)
        if token.startswith("d:"):
            return builder.entity(Op.DataProperty, iri(token))
        if token.startswith("_"):
            return builder.entity(Op.NamedIndividual, iri(token[1:]))
        return builder.entity(Op.ObjectProperty if token[0].islower() else Op.Class, iri(token))

    while place < len(tokens):
        node(True)
    return builder.finish()
