"""Axioms as people write them, in functional or in Manchester syntax, become nodes; a slip of the pen is advised on."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from itertools import pairwise

from elgeo.documents import shown
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
_QUOTES = "names with spaces need quotes"
_MOST_WORDS = 12
"""Words of a name that somebody may have forgotten to quote."""
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
            raise words.error(f"did not expect {shown(words.peek())} after its end")
    except AxiomError as error:
        raise _advised(words, error) from None
    except RecursionError:
        raise words.error("it is nested too deeply: give names to its parts") from None
    return node


def _advised(words: AxiomWords, error: AxiomError) -> AxiomError:
    """The error, with what may have been meant where some word is no keyword but nearly one, or stands for one."""
    if name := _unquoted(words):
        return words.error(f"{_QUOTES}: '{name}'")
    if "is called" in error.problem and any(all(pair) for pair in pairwise(_plain(words))):
        hinted = words.error(f"{error.problem.rstrip('?')}; {_QUOTES}")
    else:
        hinted = error
    if "did you mean" in str(error):
        return hinted
    lowered = [token.rstrip(":").lower() for token in words.tokens]
    is_axiom, has_frame = words.what == "axiom", any(word in FRAMES for word in lowered)
    if not is_axiom and has_frame:
        return words.error("this is an axiom: `elgeo entails` says whether it follows; give what stands on one side")
    if is_axiom and not has_frame:
        spoken = [token for token in words.tokens if token.lower() in _SPOKEN and not words.is_name(token)]
        if spoken:
            return words.error(f"{shown(spoken[0])} is no keyword: did you mean SubClassOf?")
        if lowered[2:3] in (["some"], ["only"]):
            subject, *rest = words.tokens
            return words.error(f"did you mean {shown(' '.join([subject, 'SubClassOf', *rest]))}?")
    known = {word.lower(): word for word in (*KEYWORDS, *_WRITTEN, *Op.__members__)}
    for token, after in pairwise([*words.tokens, ""]):
        candidates = Op.__members__ if after == "(" else (*KEYWORDS, *_WRITTEN)
        meant = difflib.get_close_matches(token.lower(), [each.lower() for each in candidates], 1, _NEAR)
        if meant and meant[0] != token.lower().rstrip(":") and not words.is_name(token):
            return words.error(f"{shown(token)} is no keyword: did you mean {known[meant[0]]}?")
    return hinted


def _plain(words: AxiomWords) -> list[bool]:
    """Which words are names without quotes, or parts of them."""
    return [token[0] not in "<\"'(){}," and token.rstrip(":").lower() not in KEYWORDS for token in words.tokens]


def _unquoted(words: AxiomWords) -> str:
    """The longest run of words that are together a name; nothing where there is none."""
    plain = _plain(words)
    for length in range(min(_MOST_WORDS, len(plain)), 1, -1):
        for start in range(len(plain) - length + 1):
            joined = " ".join(words.tokens[start : start + length])
            if all(plain[start : start + length]) and words.is_name(joined):
                return joined
    return ""
