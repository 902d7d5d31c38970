"""Several ontologies as one: equal strings and nodes are shared again."""

# mypy: disable-error-code=no-any-return

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Bytes, Ints, Longs
from elgeo.compilation import kernel
from elgeo.ontology.arena import (
    ARGS,
    NODES,
    STRINGS,
    Arena,
    check_room,
    entity,
    new_arena,
    node,
)
from elgeo.ontology.model import ManyNames, Ontology
from elgeo.ontology.reading.repetition import said_once


def merged(ontologies: Sequence[Ontology]) -> Ontology:
    """The union of ontologies; the first names the whole, and its words go before those of the others."""
    if len(ontologies) == 1:
        return ontologies[0]
    numbers: dict[str, int] = {}
    for i, ontology in enumerate(ontologies):
        for string in ontology.strings:
            numbers.setdefault(_apart(string, i), len(numbers))
    check_room(len(numbers), sum(len(o.op) for o in ontologies))
    arena = new_arena(len(numbers) + 8, sum(len(o.op) for o in ontologies) + 8)
    arena.sizes[STRINGS] = len(numbers)
    arena = arena._replace(args=np.zeros(sum(len(o.args) for o in ontologies) + 8, np.int32))
    maps = [_merge_into(arena, ontology, numbers, i) for i, ontology in enumerate(ontologies)]
    nodes = int(arena.sizes[NODES])
    first = ontologies[0]
    declared = np.concatenate([m[o.declared] for m, o in zip(maps, ontologies, strict=True)])
    ignored: Counter[str] = Counter()
    for ontology in ontologies:
        ignored.update(ontology.ignored)
    return Ontology(
        strings=list(numbers),
        op=arena.ops[:nodes].copy(),
        start=arena.node_starts[: nodes + 1].copy(),
        args=arena.args[: int(arena.sizes[ARGS])].copy(),
        axiom_nodes=np.concatenate([m[o.axiom_nodes] for m, o in zip(maps, ontologies, strict=True)]),
        declared=np.array(list(dict.fromkeys(declared.tolist())), np.int32),
        iri=first.iri,
        format=first.format,
        labels={k: v for o in reversed(ontologies) for k, v in o.labels.items()},
        other_labels=_of_all([o.other_labels for o in ontologies]),
        synonyms=_of_all([o.synonyms for o in ontologies]),
        scopes={k: v for o in reversed(ontologies) for k, v in o.scopes.items()},
        definitions={k: v for o in reversed(ontologies) for k, v in o.definitions.items()},
        prefixes={k: v for o in reversed(ontologies) for k, v in o.prefixes.items()},
        alternatives={k: v for o in reversed(ontologies) for k, v in o.alternatives.items()},
        deprecated=tuple(dict.fromkeys(iri for o in ontologies for iri in o.deprecated)),
        replaced={k: v for o in reversed(ontologies) for k, v in o.replaced.items()},
        ignored=dict(ignored),
        warnings=tuple(w for o in ontologies for w in o.warnings),
    )


def union(ontologies: Sequence[Ontology]) -> Ontology:
    """The same with every axiom once, and labels that gave way to another file's kept as synonyms."""
    whole = merged(ontologies)
    synonyms = {iri: list(names) for iri, names in whole.synonyms.items()}
    for ontology in ontologies:
        for iri, label in ontology.labels.items():
            if label != whole.labels[iri] and label not in synonyms.get(iri, ()):
                synonyms.setdefault(iri, []).append(label)
    return replace(
        whole,
        axiom_nodes=said_once(whole),
        synonyms={iri: tuple(names) for iri, names in synonyms.items()},
    )


def _of_all(several: Sequence[ManyNames]) -> dict[str, tuple[str, ...]]:
    """The names of each IRI in all ontologies, each once."""
    found: dict[str, dict[str, None]] = {}
    for one in several:
        for iri, names in one.items():
            found.setdefault(iri, {}).update(dict.fromkeys(names))
    return {iri: tuple(names) for iri, names in found.items()}


def _apart(string: str, index: int) -> str:
    """A string of the ontology with this index: a blank node of one file is never that of another."""
    return f"_:import{index}-{string[2:]}" if index and string.startswith("_:") else string


def _merge_into(arena: Arena, ontology: Ontology, numbers: dict[str, int], index: int) -> NDArray[np.int32]:
    strings = np.fromiter((numbers[_apart(s, index)] for s in ontology.strings), np.int64, len(ontology.strings))
    found = np.zeros(len(ontology.op), np.int32)
    longest = int(np.diff(ontology.start).max(initial=0))
    _merge_nodes(arena, ontology.op, ontology.start, ontology.args, strings, found, np.zeros(longest + 1, np.int64))
    return found


@kernel(counted=False)
def _merge_nodes(
    arena: Arena, from_ops: Bytes, from_starts: Longs, from_args: Ints, strings: Longs, found: Ints, row: Longs
) -> None:
    """Put all nodes of one ontology into the arena, which has room for them; `found` are their numbers there."""
    sizes, _, _, _, entities, ops, starts, args, table = arena
    for old in range(len(from_ops)):
        op, first, last = from_ops[old], from_starts[old], from_starts[old + 1]
        if op < 8:
            found[old] = entity(sizes, entities, ops, starts, args, op, strings[from_args[first]])
        else:
            for i in range(first, last):
                row[i - first] = found[from_args[i]]
            found[old] = node(sizes, ops, starts, args, table, op, row, 0, last - first)
