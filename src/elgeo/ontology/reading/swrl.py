"""SWRL rules, which no part of elgeo reasons with: kept whole as text, so that they are counted and listed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from elgeo.ontology.expressions import Op
from elgeo.ontology.model import Ontology

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"(?:@[\w-]+|\^\^)?|<[^<>]*>|[()]|[^\s()<>"]+', re.DOTALL)


def rule_text(source: str, prefixes: Mapping[str, str]) -> str:
    """The body and head of a rule with whole IRIs and single spaces, without annotations."""
    tokens = _without_annotations(_TOKEN.findall(source))
    text = ""
    for token in tokens:
        prefix, colon, local = token.partition(":")
        if token[0] not in '"<(' and colon and prefix in prefixes:
            token = f"<{prefixes[prefix]}{local}>"
        glued = token in "()" or not text or text[-1] == "(" or text.endswith("^^")
        text += token if glued else f" {token}"
    return text


def with_rules(ontology: Ontology, rules: Sequence[tuple[int, str]]) -> Ontology:
    """The ontology with rules put in before the axioms with the given indices."""
    numbers: dict[str, int] = {}
    for _, text in rules:
        numbers.setdefault(text, len(numbers))
    nodes, strings, args = len(ontology.op), len(ontology.strings), len(ontology.args)
    new = np.arange(len(numbers))
    # each rule is a literal and, right behind it, a node over that literal
    pairs = np.stack([strings + new, nodes + 2 * new], axis=1).astype(np.int32).ravel()
    rule_nodes = np.array([nodes + 2 * numbers[text] + 1 for _, text in rules], np.int32)
    return replace(
        ontology,
        strings=[*ontology.strings, *numbers],
        op=np.concatenate([ontology.op, np.tile(np.array([Op.Literal, Op.DLSafeRule], np.uint8), len(new))]),
        start=np.concatenate([ontology.start, args + 1 + np.arange(2 * len(new), dtype=np.int64)]),
        args=np.concatenate([ontology.args, pairs]),
        axiom_nodes=np.insert(ontology.axiom_nodes, [at for at, _ in rules], rule_nodes),
    )


def _without_annotations(tokens: list[str]) -> list[str]:
    while tokens[:1] == ["Annotation"]:
        depth = 0
        for i, token in enumerate(tokens):
            depth += (token == "(") - (token == ")")
            if depth == 0 and i:
                break
        tokens = tokens[i + 1 :]
    return tokens
