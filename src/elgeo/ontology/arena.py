"""Growing arrays in which equal strings have one number and equal nodes are one node, filled by numba kernels."""

# mypy: disable-error-code="no-any-return,return-value"

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Bytes, Ints, Longs
from elgeo.compilation import kernel
from elgeo.errors import ElgeoError

STRINGS, BLOB, NODES, ARGS, SEED = range(5)
"""What `Arena.sizes` counts; the seed of the hashes is kept there too."""
MOST = 2**31 - 16
"""Strings, and nodes, of an arena: their numbers have 32 bits, and one more is a slot's number + 1."""
_ENTITY_OPS = 8
# hashes are unsigned: signed overflow is undefined, and compiled differently from one caller to the next
_PRIME, _FACTOR = np.uint64(1099511628211), np.uint64(0x2545F4914F6CDD1D)
_29, _32 = np.uint64(29), np.uint64(32)


class Arena(NamedTuple):
    """Strings end to end in `blob`, nodes over them, and hash tables that find both again.

    A slot of a table has a number + 1, or 0 if it is free. The seed of the hashes differs from run to run, so that no
    file can be made to collide; the numbers given do not depend on it.
    """

    sizes: Longs
    blob: Bytes
    starts: Longs
    string_table: Ints
    entities: Ints
    """The node of entity `op` over string s, + 1, is at s * 8 + op."""
    ops: Bytes
    node_starts: Longs
    args: Ints
    node_table: Ints

    def strings(self) -> list[str]:
        """All strings, in the order of their numbers."""
        count, size = int(self.sizes[STRINGS]), int(self.sizes[BLOB])
        whole = self.blob[:size].tobytes()
        cuts = self.starts[: count + 1].tolist()
        if whole.isascii():
            text = whole.decode("ascii")
            return [text[a:b] for a, b in pairwise(cuts)]
        return [whole[a:b].decode("utf-8", "replace") for a, b in pairwise(cuts)]


def new_arena(expected_strings: int, expected_nodes: int, first: Sequence[str] = ()) -> Arena:
    """An arena that knows a few different strings already."""
    strings, nodes = _power(max(expected_strings, 2 * len(first))), _power(expected_nodes)
    arena = Arena(
        sizes=np.zeros(8, np.int64),
        blob=np.zeros(64 * strings, np.uint8),
        starts=np.zeros(strings + 1, np.int64),
        string_table=np.zeros(2 * strings, np.int32),
        entities=np.zeros(_ENTITY_OPS * strings, np.int32),
        ops=np.zeros(nodes, np.uint8),
        node_starts=np.zeros(nodes + 1, np.int64),
        args=np.zeros(4 * nodes, np.int32),
        node_table=np.zeros(2 * nodes, np.int32),
    )
    parts = [text.encode() for text in first]
    whole = np.frombuffer(b"".join(parts), np.uint8)
    arena.blob[: len(whole)] = whole
    arena.starts[1 : len(parts) + 1] = np.cumsum([len(p) for p in parts])
    seed = int.from_bytes(os.urandom(7), "little")
    arena.sizes[[STRINGS, BLOB, SEED]] = len(parts), len(whole), seed
    for i, part in enumerate(parts):
        slot = plain_hash(part, seed) & (2 * strings - 1)
        while arena.string_table[slot]:
            slot = (slot + 1) & (2 * strings - 1)
        arena.string_table[slot] = i + 1
    return arena


def grown(arena: Arena, strings: int = 2, args: int = 2, blob: int = 0) -> Arena:
    """The same arena with room for so many more strings, arguments and bytes of strings, and for two more nodes."""
    sizes = arena.sizes
    check_room(int(sizes[STRINGS]) + strings, int(sizes[NODES]) + 2)
    if sizes[STRINGS] + strings > len(arena.starts) - 1:
        count = 2 * (len(arena.starts) - 1)
        arena = arena._replace(
            starts=resized(arena.starts, count + 1),
            string_table=np.zeros(2 * count, np.int32),
            entities=resized(arena.entities, _ENTITY_OPS * count),
        )
        _rehash_strings(sizes, arena.blob, arena.starts, arena.string_table)
    if sizes[NODES] + 2 > len(arena.ops):
        count = 2 * len(arena.ops)
        arena = arena._replace(
            ops=resized(arena.ops, count),
            node_starts=resized(arena.node_starts, count + 1),
            node_table=np.zeros(2 * count, np.int32),
        )
        _rehash_nodes(sizes, arena.ops, arena.node_starts, arena.args, arena.node_table)
    if sizes[ARGS] + args > len(arena.args):
        arena = arena._replace(args=resized(arena.args, 2 * (int(sizes[ARGS]) + args)))
    if sizes[BLOB] + blob > len(arena.blob):
        arena = arena._replace(blob=resized(arena.blob, 2 * (int(sizes[BLOB]) + blob)))
    return arena


def check_room(strings: int, nodes: int) -> None:
    """Refuse more than the numbers of strings and nodes can count."""
    if max(strings, nodes) > MOST:
        raise ElgeoError(
            f"{max(strings, nodes):,} names or expressions are more than an ontology can have here ({MOST:,}): read it"
            " in parts"
        )


def resized(array: NDArray[Any], length: int) -> NDArray[Any]:
    """A longer copy of an array, zeros at its end."""
    longer = np.zeros((length, *array.shape[1:]), array.dtype)
    longer[: len(array)] = array
    return longer


def doubled(array: NDArray[Any]) -> NDArray[Any]:
    """A copy of an array with as much room again."""
    return resized(array, 2 * len(array))


def _power(count: int) -> int:
    return 1 << max(4, int(count - 1).bit_length())


@kernel(inner=True, counted=False)
def _spread(hashed: np.uint64) -> np.uint64:
    hashed = (hashed ^ (hashed >> _29)) * _FACTOR
    return hashed ^ (hashed >> _32)


@kernel(inner=True, counted=False)
def hash_bytes(text: Bytes, begin: int, end: int, seed: int) -> int:
    """A hash of `text[begin:end]`, not negative."""
    hashed = np.uint64(seed)
    for i in range(begin, end):
        hashed = (hashed ^ np.uint64(text[i])) * _PRIME
    return np.int64(_spread(hashed) >> _32)


@kernel(inner=True, counted=False)
def scan_iri(text: Bytes, begin: int, seed: int) -> tuple[int, int]:
    """Where an IRI in <> ends, -1 if it has no end or what no IRI can have, and the hash of its bytes, in one pass."""
    hashed, at = np.uint64(seed), begin
    while at < len(text) and text[at] != 62:
        c = text[at]
        if c <= 32 or c == 34 or c == 60:
            return -1, 0
        hashed = (hashed ^ np.uint64(c)) * _PRIME
        at += 1
    return (at, np.int64(_spread(hashed) >> _32)) if begin < at < len(text) else (-1, 0)


def plain_hash(text: bytes, seed: int = 0) -> int:
    """`hash_bytes` without a kernel: for a few words."""
    hashed, whole = seed, (1 << 64) - 1
    for byte in text:
        hashed = (hashed ^ byte) * int(_PRIME) & whole
    hashed = (hashed ^ hashed >> 29) * int(_FACTOR) & whole
    return (hashed ^ hashed >> 32) >> 32


@kernel(inner=True, counted=False)
def intern(
    sizes: Longs, blob: Bytes, starts: Longs, table: Ints, text: Bytes, begin: int, end: int, hashed: int
) -> int:
    """The number of the string `text[begin:end]` with this hash; -1 if it is new and the blob is full.

    The text may be what was just written behind the last string; if it is known, it is not kept.
    """
    mask, length = len(table) - 1, end - begin
    slot = hashed & mask
    while table[slot]:
        first = starts[table[slot] - 1]
        if starts[table[slot]] - first == length:
            i = 0
            while i < length and blob[first + i] == text[begin + i]:
                i += 1
            if i == length:
                return table[slot] - 1
        slot = (slot + 1) & mask
    tail = sizes[BLOB]
    if tail + length > len(blob):
        return -1
    for i in range(length):
        blob[tail + i] = text[begin + i]
    sizes[STRINGS] += 1
    sizes[BLOB] = tail + length
    starts[sizes[STRINGS]] = tail + length
    table[slot] = sizes[STRINGS]
    return table[slot] - 1


@kernel(inner=True, counted=False)
def entity(sizes: Longs, entities: Ints, ops: Bytes, starts: Longs, args: Ints, op: int, string: int) -> int:
    """The node of an entity or literal over a string."""
    place = string * 8 + op
    if entities[place] == 0:
        ops[sizes[NODES]] = op
        args[sizes[ARGS]] = string
        sizes[ARGS] += 1
        sizes[NODES] += 1
        starts[sizes[NODES]] = sizes[ARGS]
        entities[place] = sizes[NODES]
    return entities[place] - 1


@kernel(inner=True, counted=False)
def _hash_node(op: int, arguments: Ints | Longs, begin: int, end: int, seed: int) -> int:
    hashed = np.uint64(seed) ^ np.uint64(op)
    for i in range(begin, end):
        hashed = _spread(hashed * _PRIME + np.uint64(arguments[i]))
    return np.int64(hashed >> _32)


@kernel(inner=True, counted=False)
def node(
    sizes: Longs, ops: Bytes, starts: Longs, args: Ints, table: Ints, op: int, arguments: Longs, begin: int, end: int
) -> int:
    """The node `op(arguments[begin:end])`."""
    mask = len(table) - 1
    slot = _hash_node(op, arguments, begin, end, sizes[SEED]) & mask
    while table[slot]:
        first = starts[table[slot] - 1]
        if ops[table[slot] - 1] == op and starts[table[slot]] - first == end - begin:
            i = 0
            while i < end - begin and args[first + i] == arguments[begin + i]:
                i += 1
            if i == end - begin:
                return table[slot] - 1
        slot = (slot + 1) & mask
    ops[sizes[NODES]] = op
    for i in range(begin, end):
        args[sizes[ARGS]] = arguments[i]
        sizes[ARGS] += 1
    sizes[NODES] += 1
    starts[sizes[NODES]] = sizes[ARGS]
    table[slot] = sizes[NODES]
    return table[slot] - 1


@kernel(counted=False)
def _rehash_strings(sizes: Longs, blob: Bytes, starts: Longs, table: Ints) -> None:
    mask = len(table) - 1
    for known in range(sizes[STRINGS]):
        slot = hash_bytes(blob, starts[known], starts[known + 1], sizes[SEED]) & mask
        while table[slot]:
            slot = (slot + 1) & mask
        table[slot] = known + 1


@kernel(counted=False)
def _rehash_nodes(sizes: Longs, ops: Bytes, starts: Longs, args: Ints, table: Ints) -> None:
    # entities are found without the table
    mask = len(table) - 1
    for known in range(sizes[NODES]):
        if ops[known] >= _ENTITY_OPS:
            slot = _hash_node(ops[known], args, starts[known], starts[known + 1], sizes[SEED]) & mask
            while table[slot]:
                slot = (slot + 1) & mask
            table[slot] = known + 1
