"""The arena that readers fill: strings and nodes get the numbers a dictionary would give them, however it grows."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from elgeo.arrays import Bytes, Ints, Longs
from elgeo.compilation import kernel
from elgeo.errors import ElgeoError
from elgeo.ontology.arena import (
    ARGS,
    BLOB,
    MOST,
    NODES,
    SEED,
    STRINGS,
    check_room,
    doubled,
    entity,
    grown,
    hash_bytes,
    intern,
    new_arena,
    node,
    plain_hash,
    resized,
    scan_iri,
)
from elgeo.ontology.reading.functional.tokens import words


@kernel(counted=False)
def _interned(sizes: Longs, blob: Bytes, starts: Longs, table: Ints, text: Bytes, begin: int, end: int) -> int:
    return intern(sizes, blob, starts, table, text, begin, end, hash_bytes(text, begin, end, sizes[SEED]))


@kernel(counted=False)
def _entity(sizes: Longs, entities: Ints, ops: Bytes, starts: Longs, args: Ints, op: int, string: int) -> int:
    return entity(sizes, entities, ops, starts, args, op, string)


@kernel(counted=False)
def _node(
    sizes: Longs, ops: Bytes, starts: Longs, args: Ints, table: Ints, op: int, arguments: Longs, begin: int, end: int
) -> int:
    return node(sizes, ops, starts, args, table, op, arguments, begin, end)


@kernel
def _scanned(text: Bytes, begin: int, seed: int) -> tuple[int, int]:
    return scan_iri(text, begin, seed)


@kernel(counted=False)
def _hashed(text: Bytes, begin: int, end: int, seed: int) -> int:
    return hash_bytes(text, begin, end, seed)


def put(arena: Any, text: bytes) -> tuple[Any, int]:
    """Intern a string, with room made where there is none."""
    source = np.frombuffer(b"x" + text + b"y", np.uint8)
    arena = grown(arena, strings=1)
    number = _interned(arena.sizes, arena.blob, arena.starts, arena.string_table, source, 1, 1 + len(text))
    if number < 0:
        arena = grown(arena, blob=len(text))
        number = _interned(arena.sizes, arena.blob, arena.starts, arena.string_table, source, 1, 1 + len(text))
    return arena, number


@pytest.mark.parametrize("first", [(), ("label", "a", "é")])
def test_strings_are_numbered_like_keys_of_a_dictionary(first: tuple[str, ...]) -> None:
    chance = random.Random(7)
    arena = new_arena(1, 1, first)
    known = {text: i for i, text in enumerate(first)}
    texts = ["", "a", "b", "ab", "ba", "é" * 40, "label", *("n" * i for i in range(60))]
    for _ in range(900):
        text = chance.choice(texts) if chance.random() < 0.5 else f"s{chance.randrange(300)}"
        arena, number = put(arena, text.encode())
        assert number == known.setdefault(text, len(known)), text
    assert arena.strings() == list(known)
    assert arena.sizes[STRINGS] == len(known)
    assert arena.sizes[BLOB] == sum(len(text.encode()) for text in known)


def test_nodes_are_numbered_like_keys_of_a_dictionary() -> None:
    chance = random.Random(8)
    arena = new_arena(1, 1)
    known: dict[tuple[int, ...], int] = {}
    for _ in range(40):
        arena, _ = put(arena, f"name{len(arena.strings())}".encode())
    for _ in range(1500):
        arena = grown(arena, args=8)
        if chance.random() < 0.3 or not known:
            key: tuple[int, ...] = (chance.randint(1, 7), chance.randrange(40))
            number = _entity(arena.sizes, arena.entities, arena.ops, arena.node_starts, arena.args, *key)
        else:
            # near misses: the same members in another order, one more, one less, under another operator
            members = [chance.randrange(min(len(known), 6)) for _ in range(chance.randint(0, 4))]
            key = (chance.randint(8, 10), *members)
            row = np.array([99, *members, chance.randrange(6)], np.int64)
            number = _node(
                arena.sizes,
                arena.ops,
                arena.node_starts,
                arena.args,
                arena.node_table,
                key[0],
                row,
                1,
                1 + len(members),
            )
        assert number == known.setdefault(key, len(known)), key
    assert arena.sizes[NODES] == len(known) > 300
    assert arena.sizes[ARGS] == sum(len(key) - 1 for key in known)
    for key, number in known.items():
        first, last = arena.node_starts[number], arena.node_starts[number + 1]
        assert (arena.ops[number], *arena.args[first:last].tolist()) == key


def test_hashes_are_the_same_in_kernels_and_out_of_them() -> None:
    for text in (b"", b"a", b"SubClassOf", bytes(range(1, 256))):
        source = np.frombuffer(b"?" + text + b"!", np.uint8)
        for seed in (0, 1, 2**55 + 3):
            expected = plain_hash(text, seed)
            assert 0 <= expected < 2**32
            assert _hashed(source, 1, 1 + len(text), seed) == expected
    # FNV's and SplitMix's steps, in plain numbers
    hashed = ((5 ^ 97) * 1099511628211 ^ 98) * 1099511628211 % 2**64
    hashed = (hashed ^ hashed >> 29) * 0x2545F4914F6CDD1D % 2**64
    assert plain_hash(b"ab", 5) == (hashed ^ hashed >> 32) >> 32


@pytest.mark.parametrize(
    ("text", "end"),
    [
        (b"http://x>", 8),
        (b"a>b>", 1),
        (b">", -1),
        (b"abc", -1),
        (b"a b>", -1),
        (b'a"b>', -1),
        (b"a<b>", -1),
        (b"!>", 1),
    ],
)
def test_iris_end_at_their_bracket(text: bytes, end: int) -> None:
    found, hashed = _scanned(np.frombuffer(b"<" + text, np.uint8), 1, 9)
    assert found == (end + 1 if end >= 0 else -1)
    if end >= 0:
        assert hashed == plain_hash(text[:end], 9)


def test_arrays_grow_with_zeros() -> None:
    rows = np.array([[1, 2], [3, 4], [5, 6]], np.int32)
    assert resized(rows, 4).tolist() == [[1, 2], [3, 4], [5, 6], [0, 0]]
    assert doubled(rows).tolist() == [[1, 2], [3, 4], [5, 6], [0, 0], [0, 0], [0, 0]]
    assert doubled(rows).dtype == np.int32


def test_tables_of_words() -> None:
    table = words({"SubClassOf": 7, "ex:": "http://ex.org/", "": "nothing"})
    assert table.rows.tolist() == [[0, 10, 10, 10, 7], [10, 13, 13, 27, 0], [27, 27, 27, 34, 0]]
    assert bytes(table.blob) == b"SubClassOfex:http://ex.org/nothing"
    assert sorted(table.table[table.table > 0].tolist()) == [1, 2, 3]
    for word, number in (("SubClassOf", 1), ("ex:", 2), ("", 3)):
        slot = plain_hash(word.encode()) % len(table.table)
        while table.table[slot] not in (0, number):
            slot = (slot + 1) % len(table.table)
        assert table.table[slot] == number, word


@pytest.mark.parametrize("which", [STRINGS, NODES])
def test_more_than_32_bits_can_count_are_refused(which: int) -> None:
    arena = new_arena(4, 4)
    arena.sizes[which] = MOST - 2
    check_room(*(int(arena.sizes[each]) + 2 for each in (STRINGS, NODES)))
    arena.sizes[which] += 1
    with pytest.raises(ElgeoError, match=r"2,147,483,633 names or expressions are more than an ontology can have"):
        grown(arena)
