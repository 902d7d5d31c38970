"""Pairs of named classes as sorted lines of text, made in large blocks: millions of lines are a normal answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

import numpy as np

from elgeo.arrays import Array, Bytes
from elgeo.compilation import kernel
from elgeo.errors import ElgeoError
from elgeo.ontology.expressions import NOTHING, Op
from elgeo.ontology.short_names import fragment
from elgeo.ontology.vocabulary import Kind
from elgeo.reasoning.saturation.readout import sort_slice
from elgeo.reasoning.saturation.saturate import Saturation
from elgeo.reasoning.taxonomy.taxonomy import Taxonomy

_BLOCK = 1 << 20
"""Bytes at a time: few enough to stay where the processor has them at hand."""


def subsumption_lines(saturation: Saturation) -> Iterator[Bytes]:
    """`sub<TAB>super` of every strict subsumption between named classes, sorted, as blocks of bytes.

    Equivalent classes come in both directions; an unsatisfiable class is below owl:Nothing and nothing else.
    """
    return _lines(saturation, saturation.subsumer_start, saturation.subsumers)


def direct_lines(taxonomy: Taxonomy) -> Iterator[Bytes]:
    """The same for equivalent classes and direct superclasses only."""
    groups = taxonomy.representative, taxonomy.parent_start, taxonomy.parents, *taxonomy.group_rows
    start = np.zeros(len(taxonomy.representative) + 1, np.int64)
    _count_members(*groups[:4], start)
    items = np.empty(start[-1], np.int32)
    _fill_members(*groups, items)
    return _lines(taxonomy.saturation, start, items)


def new_lines(blocks: Iterable[Bytes], saturation: Saturation) -> Iterator[bytes]:
    """The lines that no axiom between two names says already."""
    asserted = asserted_lines(saturation)
    for block in blocks:
        yield b"".join(line for line in bytes(block).splitlines(keepends=True) if line not in asserted)


def labelled_lines(blocks: Iterable[Bytes], labels: Mapping[str, str]) -> Iterator[bytes]:
    """The lines with the labels of both classes behind them, `sub<TAB>super<TAB>label<TAB>label`."""
    for block in blocks:
        pairs = (line.split("\t") for line in bytes(block).decode().splitlines())
        yield "".join(f"{a}\t{b}\t{plain_label(a, labels)}\t{plain_label(b, labels)}\n" for a, b in pairs).encode()


def plain_label(iri: str, labels: Mapping[str, str]) -> str:
    """The label of a class on one line of a table, or the end of its IRI."""
    return " ".join(labels.get(iri, fragment(iri)).split())


def asserted_lines(saturation: Saturation) -> set[bytes]:
    """The lines of axioms between names: SubClassOf and EquivalentClasses."""
    source, found = saturation.forms.source, set[bytes]()
    if source is None:
        raise ElgeoError("these normal forms came without their axioms: normalise the ontology to tell what is new")
    ops = source.op[source.axiom_nodes]
    for node in source.axiom_nodes[(ops == Op.SubClassOf) | (ops == Op.EquivalentClasses)].tolist():
        names = [source.string(a) for a in source.arguments(node) if source.op[a] == Op.Class]
        if source.op[node] == Op.SubClassOf and len(names) == 2:
            found.add(f"{names[0]}\t{names[1]}\n".encode())
        elif source.op[node] == Op.EquivalentClasses:
            found |= {f"{a}\t{b}\n".encode() for a in names for b in names}
    return found


def count_subsumptions(saturation: Saturation) -> int:
    """How many lines `subsumption_lines` has."""
    named = saturation.forms.vocabulary.class_kinds == Kind.NAMED
    counted = np.concatenate([np.zeros(1, np.int64), np.cumsum(named[saturation.subsumers])])
    supers = np.diff(counted[saturation.subsumer_start]) - 1
    return int(np.where(saturation.unsatisfiable, 1, supers)[named].sum())


def _lines(saturation: Saturation, start: Array, items: Array) -> Iterator[Bytes]:
    vocabulary = saturation.forms.vocabulary
    named = np.flatnonzero(vocabulary.class_kinds == Kind.NAMED)
    every = list(islice(vocabulary.classes, int(named.max(initial=-1)) + 1))
    names = [every[i] for i in named.tolist()]
    # lines sort like (sub, super): no IRI has a character below the tab
    order = np.array(sorted(range(len(names)), key=names.__getitem__), np.int64)
    texts = [names[i].encode() for i in order.tolist()] + [NOTHING.encode()]
    rank = np.full(vocabulary.n_classes, -1, np.int32)
    rank[named[order]] = np.arange(len(order))
    text_start = np.concatenate([[0], np.cumsum([len(t) for t in texts])])
    text = np.frombuffer(b"".join(texts), np.uint8).copy()
    classes, impossible = named[order], saturation.unsatisfiable
    row_start = np.zeros(len(order) + 1, np.int64)
    _count_ranks(start, items, classes, rank, impossible, row_start)
    ranks = np.empty(row_start[-1], np.int32)
    _fill_ranks(start, items, classes, rank, impossible, row_start, ranks)
    position = np.zeros(2, np.int64)
    longest = 2 * max(len(t) for t in texts) + 2
    while position[0] < len(order):
        block = np.empty(max(_BLOCK, longest), np.uint8)
        yield block[: _fill(block, position, row_start, ranks, text_start, text)]


@kernel(counted=False)
def _count_members(
    representative: Array, parent_start: Array, parents: Array, group_start: Array, start: Array
) -> None:
    """Where the row of each class begins: the members of its own group and of the groups directly above."""
    for x in range(len(representative)):
        group = representative[x]
        size = 0
        if group >= 0:
            size = group_start[group + 1] - group_start[group]
            for k in range(parent_start[group], parent_start[group + 1]):
                size += group_start[parents[k] + 1] - group_start[parents[k]]
        start[x + 1] = start[x] + size


@kernel(counted=False)
def _fill_members(
    representative: Array, parent_start: Array, parents: Array, group_start: Array, members: Array, items: Array
) -> None:
    """Those members."""
    at = 0
    for x in range(len(representative)):
        group = representative[x]
        if group >= 0:
            for i in range(group_start[group], group_start[group + 1]):
                items[at] = members[i]
                at += 1
            for k in range(parent_start[group], parent_start[group + 1]):
                for i in range(group_start[parents[k]], group_start[parents[k] + 1]):
                    items[at] = members[i]
                    at += 1


@kernel(counted=False)
def _count_ranks(start: Array, items: Array, order: Array, rank: Array, unsatisfiable: Array, row_start: Array) -> None:
    """Where the supers of each named class begin, by rank."""
    for i in range(len(order)):
        x = order[i]
        count = 0
        for k in range(start[x], start[x + 1]):
            count += rank[items[k]] >= 0 and items[k] != x
        row_start[i + 1] = row_start[i] + (1 if unsatisfiable[x] else count)


@kernel(counted=False)
def _fill_ranks(
    start: Array, items: Array, order: Array, rank: Array, unsatisfiable: Array, row_start: Array, ranks: Array
) -> None:
    """The ranks of the named supers of each named class, ascending; owl:Nothing comes after all ranks."""
    for i in range(len(order)):
        x, at = order[i], row_start[i]
        if unsatisfiable[x]:
            ranks[at] = len(order)
            continue
        for k in range(start[x], start[x + 1]):
            if rank[items[k]] >= 0 and items[k] != x:
                ranks[at] = rank[items[k]]
                at += 1
        sort_slice(ranks, row_start[i], at)


@kernel(counted=False)
def _fill(block: Array, position: Array, row_start: Array, ranks: Array, text_start: Array, text: Array) -> int:
    """Write lines from `position` (row, line) on while they fit; the number of bytes."""
    row, line = position[0], position[1]
    at = 0
    while row < len(row_start) - 1:
        low, high = text_start[row], text_start[row + 1]
        while line < row_start[row + 1]:
            other_low, other_high = text_start[ranks[line]], text_start[ranks[line] + 1]
            if at + high - low + other_high - other_low + 2 > len(block):
                position[0], position[1] = row, line
                return at
            for k in range(high - low):
                block[at + k] = text[low + k]
            at += high - low
            block[at] = 9
            at += 1
            for k in range(other_high - other_low):
                block[at + k] = text[other_low + k]
            at += other_high - other_low
            block[at] = 10
            at += 1
            line += 1
        row += 1
    position[0], position[1] = row, line
    return at
