"""Numba kernels for the tokens of functional syntax: blanks, IRIs, literals, and what can be skipped."""

# mypy: disable-error-code=no-any-return

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from elgeo.arrays import Bytes, Ints, Longs
from elgeo.compilation import kernel
from elgeo.ontology.arena import hash_bytes, plain_hash

BLOB_FULL, BAD_IRI, BAD_STRING, NO_PREFIX, NO_NAME, TRUNCATED = -1, -2, -3, -4, -5, -6
"""What a token's reader answers instead of a position; the place of the error is the token's start."""

_OPEN, _CLOSE, _QUOTE, _LESS, _GREATER, _COLON, _EQUALS = (ord(c) for c in '()"<>:=')
_HASH, _NEWLINE, _SPACE, _BACKSLASH, _AT, _CARET, _UNDERSCORE = (ord(c) for c in "#\n \\@^_")


class WordTable(NamedTuple):
    """Words with a value or a code each, to be found by their bytes: the keywords, and the prefixes of a file."""

    table: Ints
    rows: Longs
    """Start and end of the word, start and end of its value, its code."""
    blob: Bytes


def words(entries: Mapping[str, str | int]) -> WordTable:
    """A table of words, with their values (text) or codes (numbers)."""
    table = np.zeros(1 << (2 * len(entries) + 2).bit_length(), np.int32)
    rows = np.zeros((len(entries), 5), np.int64)
    blob = b""
    for i, (word, value) in enumerate(entries.items()):
        name, text = word.encode(), value.encode() if isinstance(value, str) else b""
        begin, middle = len(blob), len(blob) + len(name)
        rows[i] = begin, middle, middle, middle + len(text), value if isinstance(value, int) else 0
        blob += name + text
        slot = plain_hash(name) & (len(table) - 1)
        while table[slot]:
            slot = (slot + 1) & (len(table) - 1)
        table[slot] = i + 1
    return WordTable(table, rows, np.frombuffer(blob, np.uint8))


@kernel(inner=True, counted=False)
def find_word(table: Ints, rows: Longs, words_blob: Bytes, source: Bytes, begin: int, end: int) -> int:
    """The row of the word `source[begin:end]` in `WordTable`, -1 if there is none."""
    mask = len(table) - 1
    slot = hash_bytes(source, begin, end, 0) & mask
    while table[slot]:
        row = table[slot] - 1
        first = rows[row, 0]
        if rows[row, 1] - first == end - begin:
            i = 0
            while i < end - begin and words_blob[first + i] == source[begin + i]:
                i += 1
            if i == end - begin:
                return row
        slot = (slot + 1) & mask
    return -1


@kernel(inner=True, counted=False)
def skip_blank(source: Bytes, at: int) -> int:
    """The next byte that is neither white space nor in a comment, or the end."""
    size = len(source)
    while at < size:
        if source[at] == _HASH:
            while at < size and source[at] != _NEWLINE:
                at += 1
        elif source[at] <= _SPACE:
            at += 1
        else:
            return at
    return at


@kernel(inner=True, counted=False)
def word_end(source: Bytes, at: int) -> int:
    """The end of a keyword, a number or an abbreviated IRI."""
    size = len(source)
    while at < size:
        c = source[at]
        if c <= _SPACE or c in (_OPEN, _CLOSE, _QUOTE, _LESS, _GREATER, _EQUALS):
            break
        at += 1
    return at


@kernel(inner=True, counted=False)
def string_end(source: Bytes, at: int) -> int:
    """The position behind the closing quote of the string that starts at `at`, or TRUNCATED."""
    size = len(source)
    at += 1
    while at < size:
        if source[at] == _BACKSLASH:
            at += 1
        elif source[at] == _QUOTE:
            return at + 1
        at += 1
    return TRUNCATED


@kernel(inner=True, counted=False)
def skip_balanced(source: Bytes, at: int) -> int:
    """The position behind the parenthesis that closes what was opened before `at`, or TRUNCATED."""
    size = len(source)
    depth = 1
    while True:
        at = skip_blank(source, at)
        if at >= size:
            return TRUNCATED
        c = source[at]
        if c == _QUOTE:
            at = string_end(source, at)
            if at < 0:
                return TRUNCATED
        elif c == _LESS:
            while at < size and source[at] != _GREATER:
                at += 1
            at += 1
        elif c == _OPEN:
            depth += 1
            at += 1
        elif c == _CLOSE:
            depth -= 1
            at += 1
            if depth == 0:
                return at
        else:
            at = max(at + 1, word_end(source, at))


@kernel(inner=True, counted=False)
def write_iri(
    blob: Bytes, table: Ints, rows: Longs, words_blob: Bytes, source: Bytes, at: int, tail: int
) -> tuple[int, int]:
    """Write the whole IRI of the token at `at` to `blob[tail:]`; the ends of the token and of what was written."""
    size, room = len(source), len(blob)
    if at < size and source[at] == _LESS:
        at += 1
        begin = at
        while at < size and source[at] != _GREATER:
            c = source[at]
            if c <= _SPACE or c in (_QUOTE, _LESS):
                return BAD_IRI, 0
            if tail >= room:
                return BLOB_FULL, 0
            blob[tail] = c
            tail += 1
            at += 1
        if at >= size:
            return TRUNCATED, 0
        return (at + 1, tail) if at > begin else (BAD_IRI, 0)
    end = word_end(source, at)
    colon = at
    while colon < end and source[colon] != _COLON:
        colon += 1
    if colon >= end:
        return NO_NAME, 0
    if colon == at + 1 and source[at] == _UNDERSCORE:
        return NO_NAME, 0
    prefix = find_word(table, rows, words_blob, source, at, colon + 1)
    if prefix < 0:
        return NO_PREFIX, 0
    first, last = rows[prefix, 2], rows[prefix, 3]
    if tail + (last - first) + (end - colon) > room:
        return BLOB_FULL, 0
    for i in range(first, last):
        blob[tail] = words_blob[i]
        tail += 1
    for i in range(colon + 1, end):
        blob[tail] = source[i]
        tail += 1
    return end, tail


@kernel(inner=True, counted=False)
def write_literal(
    blob: Bytes, table: Ints, rows: Longs, words_blob: Bytes, source: Bytes, at: int, tail: int
) -> tuple[int, int]:
    """Write the literal at `at` to `blob[tail:]`, in the one way in which it is kept; both ends."""
    size, room, start = len(source), len(blob), tail
    end = string_end(source, at)
    if end < 0:
        return TRUNCATED, 0
    if tail + 2 * (end - at) + 8 > room:
        return BLOB_FULL, 0
    while at < end:
        blob[tail] = source[at]
        tail += 1
        if source[at] == _BACKSLASH:
            # only \" and \\ are escapes: any other backslash is a character of the text
            following = source[at + 1]
            if following in (_QUOTE, _BACKSLASH):
                at += 1
                blob[tail] = following
            else:
                blob[tail] = _BACKSLASH
            tail += 1
        at += 1
    if at < size and source[at] == _AT:
        end = word_end(source, at)
        if end == at + 1:
            return BAD_STRING, 0
        if tail + (end - at) > room:
            return BLOB_FULL, 0
        for i in range(at, end):
            c = source[i]
            blob[tail] = c + 32 if 65 <= c <= 90 else c
            tail += 1
        return end, tail
    if at + 1 < size and source[at] == _CARET and source[at + 1] == _CARET:
        blob[tail] = _CARET
        blob[tail + 1] = _CARET
        blob[tail + 2] = _LESS
        end, last = write_iri(blob, table, rows, words_blob, source, at + 2, tail + 3)
        if end < 0:
            return end, 0
        if last >= room:
            return BLOB_FULL, 0
        blob[last] = _GREATER
        return end, _plain_end(blob, start, tail, last + 1)
    return at, tail


_XSD_STRING = np.frombuffer(b"<http://www.w3.org/2001/XMLSchema#string>", np.uint8)
_PLAIN = np.frombuffer(b"<http://www.w3.org/1999/02/22-rdf-syntax-ns#PlainLiteral>", np.uint8)


@kernel(inner=True, counted=False)
def _same(blob: Bytes, begin: int, end: int, wanted: Bytes) -> bool:
    i = 0
    while i < len(wanted) and begin + i < end and blob[begin + i] == wanted[i]:
        i += 1
    return i == len(wanted) and begin + i == end


@kernel(inner=True, counted=False)
def _plain_end(blob: Bytes, begin: int, quoted: int, end: int) -> int:
    """Where a literal with a datatype ends once the datatypes that say nothing are taken off it."""
    if _same(blob, quoted + 2, end, _XSD_STRING):
        return quoted
    if not _same(blob, quoted + 2, end, _PLAIN):
        return end
    at = quoted - 2
    while at > begin and blob[at] != _AT:
        at -= 1
    if at == begin:
        return quoted
    # "text@en" becomes "text"@en
    empty = at == quoted - 2
    for i in range(quoted - 1, at + 1, -1):
        c = blob[i - 1]
        blob[i] = c + 32 if 65 <= c <= 90 else c
    blob[at] = _QUOTE
    blob[at + 1] = _AT
    return at + 1 if empty else quoted
