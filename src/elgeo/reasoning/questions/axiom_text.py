"""Axioms as people write them, in functional or in Manchester syntax, become nodes; a slip of the pen is advised on."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from itertools import pairwise

from elgeo.ontology.expressions import Op
from elgeo.ontology.grammar import Sort
from elgeo.ontology.model import Builder
from elgeo.ontology.vocabulary import Vocabulary
from elgeo.reasoning.questions.axiom_words import FRAMES, KEYWORDS, AxiomError, AxiomWords
from elgeo.reasoning.questions.functional_axioms import read_constructor
from elgeo.reasoning.questions.manchester_axioms import read_sentence, read_union

_WRITTEN = ("SubClassOf", "EquivalentTo", "DisjointWith", "Type", "SubPropertyOf", "SameAs", "DifferentFrom")
"""Keywords as people write them."""
_SPOKEN = ("is", "isa", "is_a", "is-a", "are")
"""Words that people say for SubClassOf."""
_NEAR = 0.66
"""How much of a word must be a keyword's for it to be a slip of the pen: `adn` still is one."""


def parse_axiom(text: str, vocabulary: Vocabulary, builder: Builder) -> int:
    """Read one axiom into `builder`; returns its node. Names are whole IRIs, CURIEs, fragments or quoted labels."""
    return _whole(AxiomWords(text, vocabulary, builder, "axiom"), _axiom)


def parse_class(text: str, vocabulary: Vocabulary, builder: Builder) -> int:
    """Read one class expression; returns its node."""
    return _whole(AxiomWords(text, vocabulary, builder, "expression"), read_union)


def _axiom(words: AxiomWords) -> int:
    return read_constructor(words, Sort.AXIOM) if words.at_constructor() else read_sentence(words)


def _whole(words: AxiomWords, read: Callable[[AxiomWords], int]) -> int:
    """All of the text as one node."""
    if not words.tokens:
        raise words.error("there is nothing in it")
    try:
        node = read(words)
        if words.peek():
            raise words.error(f"did not expect {words.peek()!r} after its end")
    except AxiomError as error:
        raise _advised(words, error) from None
    return node


def _advised(words: AxiomWords, error: AxiomError) -> AxiomError:
    """The error, with what may have been meant where some word is no keyword but nearly one, or stands for one."""
    if "did you mean" in str(error):
        return error
    lowered = [token.rstrip(":").lower() for token in words.tokens]
    is_axiom, has_frame = words.what == "axiom", any(word in FRAMES for word in lowered)
    if not is_axiom and has_frame:
        return words.error("this is an axiom: `elgeo entails` says whether it follows; give what stands on one side")
    if is_axiom and not has_frame:
        spoken = [token for token in words.tokens if token.lower() in _SPOKEN and not words.is_name(token)]
        if spoken:
            return words.error(f"{spoken[0]!r} is no keyword: did you mean SubClassOf?")
        if lowered[2:3] in (["some"], ["only"]):
            subject, *rest = words.tokens
            return words.error(f"did you mean {' '.join([subject, 'SubClassOf', *rest])!r}?")
    known = {word.lower(): word for word in (*KEYWORDS, *_WRITTEN, *Op.__members__)}
    for token, after in pairwise([*words.tokens, ""]):
        candidates = Op.__members__ if after == "(" else (*KEYWORDS, *_WRITTEN)
        meant = difflib.get_close_matches(token.lower(), [each.lower() for each in candidates], 1, _NEAR)
        if meant and meant[0] != token.lower().rstrip(":") and not words.is_name(token):
            return words.error(f"{token!r} is no keyword: did you mean {known[meant[0]]}?")
    return error
