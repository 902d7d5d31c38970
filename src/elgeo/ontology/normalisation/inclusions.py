"""Fifth step of normalisation: inclusions become rows."""

from __future__ import annotations

import numpy as np

from elgeo.arrays import Flags, Ints, Places
from elgeo.keys import distinct
from elgeo.ontology.normalisation.axioms import Sides, joined, sides
from elgeo.ontology.normalisation.fresh_names import ClassNames
from elgeo.ontology.normalisation.order import class_keys
from elgeo.ontology.normalisation.polarity import NamedExpressions
from elgeo.ontology.normalisation.ranges import Ranges
from elgeo.ontology.normalisation.rows import BY_DEFINITION, Rows
from elgeo.ontology.normalisation.shapes import ATOM, BOTTOM_ATOM, TOP_ATOM, Expressions, NodeShape, among
from elgeo.ontology.vocabulary import BOTTOM, TOP

_IS_ATOM = 255


def split(expressions: Expressions, inclusions: Sides) -> Sides:
    """C ⊑ D ⊓ E becomes C ⊑ D and C ⊑ E; C ⊔ D ⊑ E becomes C ⊑ E and D ⊑ E; what EL++ cannot say falls out."""
    done: list[Sides] = []
    rounds = 0
    while len(inclusions):
        left, right = shapes(expressions, inclusions.left), shapes(expressions, inclusions.right)
        kept = ~among(left, (NodeShape.OTHER, NodeShape.NOT, NodeShape.MANY)) & (inclusions.left != BOTTOM_ATOM)
        kept &= ~among(right, (NodeShape.OTHER, NodeShape.OR)) & (inclusions.right != TOP_ATOM)
        at_right, at_left = kept & (right == NodeShape.AND), kept & (left == NodeShape.OR) & (right != NodeShape.AND)
        done.append(inclusions.take(kept & ~at_right & ~at_left))
        by_right, by_left = inclusions.take(at_right), inclusions.take(at_left)
        owner, members = expressions.members(by_right.right)
        parts = [Sides(by_right.left[owner], members, by_right.axiom[owner])]
        owner, members = expressions.members(by_left.left)
        parts.append(Sides(members, by_left.right[owner], by_left.axiom[owner]))
        inclusions = joined(parts)
        rounds += 1
        if rounds > 3:
            # expressions shared at many depths would otherwise multiply
            inclusions = _distinct(inclusions)
    return joined(done)


def shapes(expressions: Expressions, side: Ints) -> Ints:
    """The shape of each side, or `_IS_ATOM`."""
    return np.where(side < ATOM, expressions.shape[np.where(side < ATOM, side, 0)], _IS_ATOM)


class ClassRows:
    """Writes inclusions between named expressions as rows."""

    def __init__(self, expressions: Expressions, named: NamedExpressions, rows: Rows, names: ClassNames) -> None:
        self._expressions, self._named, self._rows = expressions, named, rows
        self._names = names

    def add(self, inclusions: Sides, disjoint: Sides, ranges: Ranges) -> None:
        """Add the rows of split inclusions, of disjoint pairs, and of the names that stand for expressions."""
        expressions, named, rows = self._expressions, self._named, self._rows
        left, right = shapes(expressions, inclusions.left), shapes(expressions, inclusions.right)
        plain = right == _IS_ATOM

        which = inclusions.take(plain & (left == _IS_ATOM))
        rows.add("subclass", which.left - ATOM, which.right - ATOM, which.axiom)
        which = inclusions.take(plain & (left == NodeShape.SOME))
        fillers = named.on_left(expressions.child[which.left])
        rows.add("left_existential", expressions.role[which.left], fillers, which.right - ATOM, which.axiom)
        which = inclusions.take(plain & (left == NodeShape.SELF))
        rows.add("left_self", expressions.role[which.left], which.right - ATOM, which.axiom)

        which = inclusions.take((right == NodeShape.SOME) | (right == NodeShape.MANY))
        fillers = named.on_right(expressions.child[which.right])
        rows.add("existential", named.on_left(which.left), expressions.role[which.right], fillers, which.axiom)
        which = inclusions.take(right == NodeShape.SELF)
        heads, roles = named.on_left(which.left), expressions.role[which.right]
        rows.add("self", heads, roles, which.axiom)
        # an element with an edge to itself is in the role's range
        rows.add("subclass", heads, ranges.table[roles], which.axiom)

        conjunctions = inclusions.take(plain & (left == NodeShape.AND))
        negations = inclusions.take(right == NodeShape.NOT)
        pairs = joined([Sides(negations.left, expressions.child[negations.right], negations.axiom), disjoint])
        self._add_conjunctions(conjunctions, pairs)

    def _add_conjunctions(self, conjunctions: Sides, pairs: Sides) -> None:
        owner, members = self._expressions.members(conjunctions.left)
        n = len(conjunctions)
        owner = np.concatenate([owner, n + np.tile(np.arange(len(pairs)), 2)])
        members = np.concatenate([members, pairs.left, pairs.right])
        target = np.concatenate([conjunctions.right - ATOM, np.full(len(pairs), BOTTOM, np.int32)])
        axiom = np.concatenate([conjunctions.axiom, pairs.axiom])
        # a row that defines the name of this very conjunction lends that name to longer ones
        naming = np.zeros(len(target), np.bool_)
        naming[:n] = (conjunctions.axiom == BY_DEFINITION) & (self._named.left[conjunctions.left] == target[:n])
        owner, members = self._inlined(owner, members)
        owner, ids = self._tidy(owner, self._named.on_left(members), len(target))
        self._order(owner, ids)
        self._write(owner, ids, target, axiom, naming)

    def _inlined(self, owner: Places, members: Ints) -> tuple[Places, Ints]:
        """Members that are conjunctions themselves and occur nowhere else give way to their own members."""
        inline = self._named.inline
        owners, found = [], []
        while len(members):
            inner = (members < ATOM) & inline[np.where(members < ATOM, members, 0)]
            owners.append(owner[~inner])
            found.append(members[~inner])
            place, below = self._expressions.members(members[inner])
            owner, members = owner[inner][place], below
        return np.concatenate([owner[:0], *owners]), np.concatenate([members[:0], *found])

    def _tidy(self, owner: Places, ids: Ints, n: int) -> tuple[Places, Ints]:
        """Members by id without ⊤ and without doubles; conjunctions with ⊥ in them are gone."""
        empty = np.zeros(n, np.bool_)
        empty[owner[ids == BOTTOM]] = True
        # one member always stays, so that ⊤ ⊓ ⊤ ⊑ C is not forgotten
        kept = ~empty[owner]
        keys = distinct(owner[kept] * np.int64(len(self._names)) + ids[kept])
        owner, ids = keys // len(self._names), (keys % len(self._names)).astype(np.int32)
        alone = np.bincount(owner, minlength=n)[owner] == 1
        kept = alone | (ids != TOP)
        return owner[kept], ids[kept]

    def _order(self, owner: Places, ids: Ints) -> None:
        """Order the members of conjunctions that need several steps: frequent ones first, so that beginnings meet, then
        by name, so that every syntax of an ontology gives the same rows."""
        several = np.flatnonzero(np.bincount(owner)[owner] > 2) if len(owner) else owner
        if len(several):
            found = ids[several]
            often = np.bincount(ids, minlength=len(self._names))[found]
            keys = class_keys(found, self._names, self._expressions, self._named)
            ids[several] = found[np.lexsort((keys, -often, owner[several]))]

    def _write(self, owner: Places, ids: Ints, target: Ints, axiom: Ints, naming: Flags) -> None:
        """Binary steps: rows for the last step, fresh names for the steps before, equal beginnings shared."""
        sizes = np.bincount(owner, minlength=len(target))
        starts = np.cumsum(sizes) - sizes
        single = np.flatnonzero(sizes == 1)
        self._rows.add("subclass", ids[starts[single]], target[single], axiom[single])
        at = np.flatnonzero(sizes >= 2)
        begun = ids[starts[at]]
        step = 1
        while len(at):
            following = ids[starts[at] + step]
            begun, following = np.minimum(begun, following), np.maximum(begun, following)
            last = sizes[at] == step + 1
            self._rows.add("conjunction", begun[last], following[last], target[at[last]], axiom[at[last]])
            lent = last & naming[at]
            keys = begun.astype(np.int64) << 32 | following
            begun = self._beginnings(keys[~last], keys[lent], target[at[lent]])
            at = at[~last]
            step += 1

    def _beginnings(self, keys: Places, known: Places, names: Ints) -> Ints:
        """A name for each pair of classes that a longer conjunction begins with; `known` pairs have one."""
        wanted, which = np.unique(keys, return_inverse=True)
        found = np.full(len(wanted), -1, np.int32)
        known, first = np.unique(known, return_index=True)
        places = np.searchsorted(known, wanted)
        has = places < len(known)
        has[has] = known[places[has]] == wanted[has]
        found[has] = names[first[places[has]]]
        new = wanted[~has]
        left, right = (new >> 32).astype(np.int32), (new & 0xFFFFFFFF).astype(np.int32)
        ids = self._names.add_pairs(left, right)
        self._rows.add("conjunction", left, right, ids, BY_DEFINITION)
        found[~has] = ids
        return found[which.ravel()]


def definitions(named: NamedExpressions, expressions: Expressions, opaque: Ints, opaque_ids: Ints) -> Sides:
    """What ties names to their expressions: n ⊑ X where n stands on the left, X ⊑ n where it stands on the right."""
    left, right = np.flatnonzero(named.is_left), np.flatnonzero(named.is_right)
    shape = expressions.shape[opaque]
    union, other = shape == NodeShape.OR, (shape == NodeShape.NOT) | (shape == NodeShape.MANY)
    return joined(
        [
            sides(left, named.left[left] + ATOM, BY_DEFINITION),
            sides(named.right[right] + ATOM, right, BY_DEFINITION),
            sides(opaque[union], opaque_ids[union] + ATOM, BY_DEFINITION),
            sides(opaque_ids[other] + ATOM, opaque[other], BY_DEFINITION),
        ]
    )


def _distinct(inclusions: Sides) -> Sides:
    table = np.unique(np.stack([inclusions.left, inclusions.right, inclusions.axiom], axis=1), axis=0)
    return Sides(*np.ascontiguousarray(table.T))
