"""`RoleBox`: what role axioms say before any class is looked at: inclusions, reflexivity, composition."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from elgeo.arrays import Bytes, Flags, Ints, Table
from elgeo.ontology.normal_forms import NormalForms
from elgeo.ontology.vocabulary import TOP_ROLE


@dataclass(frozen=True, eq=False)
class RoleBox:
    """The closed role box.

    Composition is looked up by signature: roles that the same chains accept on the left (right) share one. The roles t
    with r ∘ s ⊑ t are `composed[composed_start[k]:composed_start[k + 1]]`, k = left_signature[r] · right_signatures
    + right_signature[s]. Signature 0 means: in no chain.
    """

    below: Bytes
    """`below[r, s]` is 1 where r ⊑ s follows; every role is below itself and the universal role."""
    reflexive: Flags
    """The roles with ⊤ ⊑ ∃r.Self."""
    chains: Table
    """The chains r ∘ s ⊑ t as asserted."""
    left_signature: Ints
    right_signature: Ints
    right_signatures: int
    composed_start: Ints
    composed: Ints
    linear: Ints
    """Roles whose composed links the kernel calls by numbers of their own, n and on: `_linear`."""
    composed_in_kernel: Ints
    """`composed` with these numbers."""

    @property
    def signatures_in_kernel(self) -> tuple[Ints, Ints]:
        """On the left and on the right; what was composed of links of a linear role goes on from the first of them."""
        none = np.zeros(len(self.linear), np.int32)
        return np.append(self.left_signature, none), np.append(self.right_signature, self.right_signature[self.linear])

    @property
    def in_kernel(self) -> Bytes:
        """`below` with a further row for each linear role, like its own."""
        return np.ascontiguousarray(np.concatenate([self.below, self.below[self.linear]]))

    def renumbered(self, role_map: Ints, other: RoleBox) -> Ints | None:
        """What the kernel's numbers are among those of another box with the same roles under new ids.

        None where other roles are linear there.
        """
        place = {int(role): other.n + i for i, role in enumerate(other.linear)}
        if place.keys() != set(role_map[self.linear].tolist()):
            return None
        return np.concatenate([role_map, [place[int(role)] for role in role_map[self.linear]]]).astype(np.int32)

    @property
    def n(self) -> int:
        return len(self.reflexive)

    @property
    def universal(self) -> Flags:
        """The roles that the universal role is included in."""
        return np.asarray(self.below[TOP_ROLE], np.bool_)

    @classmethod
    def of(cls, forms: NormalForms) -> RoleBox:
        """Close the role axioms of `forms`."""
        n = forms.vocabulary.n_roles
        chains = forms.chain
        below, reflexive = _closed(n, forms.subrole, chains, forms["reflexive"][:, 0])
        left, left_rows = _signatures(below[:, chains[:, 0]])
        right, right_rows = _signatures(below[:, chains[:, 1]])
        loops = len(forms["self"]) or len(forms["left_self"])
        linear = np.empty(0, np.int32) if loops else _linear(chains, below)
        start, composed, in_kernel = _compositions(left_rows, right_rows, chains, below, linear)
        return cls(below, reflexive, chains, left, right, len(right_rows), start, composed, linear, in_kernel)


def _closed(n: int, inclusions: Table, chains: Table, reflexive_roles: Ints) -> tuple[Bytes, Flags]:
    """Inclusions and reflexivity together: in r ∘ s ⊑ t a reflexive r makes s ⊑ t, and both make t reflexive."""
    edges = {(int(r), int(s)) for r, s in inclusions}
    links = [(int(r), int(s), int(t)) for r, s, t in chains]
    roots = {TOP_ROLE, *(int(r) for r in reflexive_roles)}
    while True:
        above = _reachable(n, edges)
        reflexive = 0
        for root in roots:
            reflexive |= above[root]
        more_edges, more_roots = set(edges), set(roots)
        for r, s, t in links:
            if reflexive >> r & 1:
                more_edges.add((s, t))
            if reflexive >> s & 1:
                more_edges.add((r, t))
            if reflexive >> r & 1 and reflexive >> s & 1:
                more_roots.add(t)
        if more_edges == edges and more_roots == roots:
            return _bits(above, n), _bits([reflexive], n)[0].astype(np.bool_)
        edges, roots = more_edges, more_roots


def _reachable(n: int, edges: set[tuple[int, int]]) -> list[int]:
    """The set of roles above each role, as the bits of an integer."""
    above = [1 << r | 1 << TOP_ROLE for r in range(n)]
    out: dict[int, list[int]] = {r: [TOP_ROLE] for r in range(n)}
    for r, s in edges:
        out[r].append(s)
    changed = True
    while changed:
        changed = False
        for r in range(n - 1, -1, -1):
            reach = above[r]
            for s in out[r]:
                reach |= above[s]
            if reach != above[r]:
                above[r], changed = reach, True
    return above


def _bits(sets: list[int], n: int) -> Bytes:
    width = (n + 7) // 8
    raw = np.frombuffer(b"".join(s.to_bytes(width, "little") for s in sets), np.uint8).reshape(len(sets), width)
    return np.ascontiguousarray(np.unpackbits(raw, axis=1, count=n, bitorder="little"))


def _signatures(accepted: Bytes) -> tuple[Ints, list[list[int]]]:
    """Number the distinct rows; also the chains of each number. Number 0 is the empty row."""
    numbers: dict[bytes, int] = {bytes(accepted.shape[1]): 0}
    rows: list[list[int]] = [[]]
    signature = np.zeros(len(accepted), np.int32)
    for role, row in enumerate(accepted):
        number = numbers.setdefault(row.tobytes(), len(rows))
        if number == len(rows):
            rows.append([int(k) for k in np.flatnonzero(row)])
        signature[role] = number
    return signature, rows


def _linear(chains: Table, below: Bytes) -> Ints:
    """The transitive roles r for which it is enough to compose from the left what was not composed itself.

    If ∃r.Y of X comes from ∃r.Z of X and ∃r.Y of Z, then what r ∘ s ⊑ t gives with ∃s.W of Y, Z has it too: ∃t.W. And
    X has it from Z, where r ∘ t ⊑ t. That must be so for all t that begin with r; then a path of many links is followed
    once from each of its classes, and not from each to each over all in between.
    """
    found = []
    for r in chains[(chains == chains[:, :1]).all(axis=1), 0].tolist():
        mine = chains[below[r, chains[:, 0]] == 1]
        if all((below[t, mine[:, 1]] & below[mine[:, 2], t]).any() for t in mine[:, 2].tolist()):
            found.append(r)
    return np.array(sorted(set(found)), np.int32)


def _compositions(
    left: list[list[int]], right: list[list[int]], chains: Table, below: Bytes, linear: Ints
) -> tuple[Ints, Ints, Ints]:
    """For each pair of signatures the smallest roles that a composition is in; also as the kernel calls them."""
    results = chains[:, 2]
    own = {int(role): len(below) + i for i, role in enumerate(linear)}
    transitive = {int(chains[k, 0]): k for k in np.flatnonzero((chains == chains[:, :1]).all(axis=1)).tolist()}
    accepting: dict[int, list[int]] = {}
    for number, accepted in enumerate(right):
        for chain in accepted:
            accepting.setdefault(chain, []).append(number)
    found: dict[int, set[int]] = {}
    for number, accepted in enumerate(left):
        for chain in accepted:
            for other in accepting.get(chain, ()):
                found.setdefault(number * len(right) + other, set()).add(int(results[chain]))
    counts = np.zeros(len(left) * len(right) + 1, np.int32)
    composed: list[int] = []
    in_kernel: list[int] = []
    for key in sorted(found):
        first, second = left[key // len(right)], right[key % len(right)]
        smallest = _smallest(sorted(found[key]), below)
        counts[key + 1] = len(smallest)
        # both links are of the role itself
        both = {t for t in smallest if t in own and transitive[t] in first and transitive[t] in second}
        composed += smallest
        in_kernel += [own[t] if t in both else t for t in smallest]
    return np.cumsum(counts, dtype=np.int32), np.asarray(composed, np.int32), np.asarray(in_kernel, np.int32)


def _smallest(roles: list[int], below: Bytes) -> list[int]:
    def redundant(t: int) -> bool:
        return any(below[s, t] and (not below[t, s] or s < t) for s in roles if s != t)

    return [t for t in roles if not redundant(t)]
