"""A small irregular dataset for the tests: a hierarchy of things, and people who use them and know each other."""

from __future__ import annotations

from collections.abc import Sequence, Set

import numpy as np

from elgeo.arrays import Table
from elgeo.datasets.model import Dataset, Kinds
from elgeo.ontology.normal_forms import NormalForms, empty_tables
from elgeo.ontology.vocabulary import Kind, Vocabulary

ROLES = ("owl:top", "knows", "uses", "owns")


def small_dataset(seed: int = 0, n_things: int = 40, n_people: int = 30, n_links: int = 260) -> Dataset:
    """`C ⊑ ∃knows.D` between people as target; things in a hierarchy with conjunctions, existentials, disjointness."""
    random = np.random.default_rng(seed)
    things = np.arange(2, 2 + n_things)
    people = np.arange(2 + n_things, 2 + n_things + n_people)
    fresh = np.arange(people[-1] + 1, people[-1] + 6)
    names = ["owl:Thing", "owl:Nothing", *(f"http://x/T_{i:03d}" for i in range(n_things))]
    names += [*(f"http://x/person{i}" for i in range(n_people)), *(f"some <f{i}>" for i in range(len(fresh)))]
    kinds = [Kind.BUILT_IN] * 2 + [Kind.NAMED] * (n_things + n_people) + [Kind.FRESH] * len(fresh)
    vocabulary = Vocabulary(names, np.array(kinds, np.uint8), ROLES, np.array([0, 1, 1, 1], np.uint8))

    subclass = {(int(t), int(random.choice(things[: max(1, t - 2)]))) for t in things[1:]}
    conjunction: set[tuple[int, ...]] = set()
    pairs = [tuple(random.choice(things[:15], 2, replace=False).tolist()) for _ in range(30)]
    disjoint = set([pair for pair in pairs if not _empty(subclass, set(), {pair})][:3])
    for _ in range(40):
        # more parents and conjunctions, as long as nothing becomes empty: an empty class would empty all who use it
        parent = {(int(t), int(random.choice(things[: t - 2]))) for t in random.choice(things[9:], 1)}
        both = {(*random.choice(things, 2, replace=False).tolist(), int(random.choice(things[:15])))}
        if not _empty(subclass | parent, conjunction | both, disjoint):
            subclass, conjunction = subclass | parent, conjunction | both
    subclass |= {(int(things[-1]), d) for d in next(iter(disjoint))}
    left = [(2, int(random.choice(things[:-1])), f) for f in fresh] + [
        (1, random.choice(people), random.choice(things[:9]))
    ]
    uses = [(int(p), 2, t) for p in people for t in random.choice(things[:-1], random.integers(1, 4), replace=False)]
    owns = [(int(random.choice(people)), 3, t) for t in things[5:30]]
    knows = np.array([(*random.choice(people, 2, replace=False),) for _ in range(n_links)])
    knows = np.unique(knows, axis=0)
    target = np.column_stack([knows[:, 0], np.ones(len(knows), int), knows[:, 1]])[random.permutation(len(knows))]
    target = target.astype(np.int32)
    held = len(target) // 10
    train = target[2 * held :]

    tables = empty_tables()
    tables["subclass"] = _table(list(subclass))
    tables["conjunction"] = _table(list(conjunction))
    tables["existential"] = _table([*uses, *owns, *train.tolist()])
    tables["left_existential"] = _table(left)
    tables["disjoint"] = _table(list(disjoint))
    tables["empty_existential"] = _table([(3, things[-2])])
    tables["subrole"] = _table([(3, 2)])
    of_class = np.zeros(len(names), np.int16)
    of_class[things], of_class[people], of_class[fresh] = 2, 3, 1
    return Dataset(
        name="small",
        forms=NormalForms(vocabulary, tables),
        target_form="existential",
        target_role=1,
        train=train,
        valid=target[:held],
        test=target[held : 2 * held],
        kinds=Kinds(("other", "fresh", "thing", "person"), of_class),
        head_kind="person",
        tail_kind="person",
    )


def _table(rows: Sequence[Sequence[int]]) -> Table:
    return np.unique(np.array(rows, np.int32), axis=0)


def _empty(subclass: Set[tuple[int, ...]], conjunction: Set[tuple[int, ...]], disjoint: Set[tuple[int, ...]]) -> bool:
    """Whether some class is below two disjoint ones."""
    parents: dict[int, set[int]] = {c: set() for row in subclass for c in row}
    for c, d in subclass:
        parents[c].add(d)
    above = {c: 1 << c for c in sorted(parents)}  # sets as the bits of numbers
    changed = True
    while changed:
        changed = False
        for x, mine in above.items():
            more = mine
            for d in parents[x]:
                more |= above[d]
            for c, d, e in conjunction:
                if more >> c & more >> d & 1:
                    more |= above.get(e, 1 << e)
            above[x] = more
            changed |= more != mine
    return any(mine >> a & mine >> b & 1 for mine in above.values() for a, b in disjoint)
