"""Kernels that draw corrupted classes: one counter-based stream a row, so that threads cannot change the result."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import prange
from numpy.typing import NDArray

from elgeo.arrays import Ints, Starts
from elgeo.compilation import kernel
from elgeo.keys import GOLDEN, lower_bound, mixed_number
from elgeo.ontology.vocabulary import BOTTOM

TRIES = 32
"""Rejected draws after which the allowed classes of a row are counted one by one."""
NONE = np.int32(-1)
"""What a row gets that has no allowed class."""
_S32, _S40, _S46, _S52, _S58 = np.uint64(32), np.uint64(40), np.uint64(46), np.uint64(52), np.uint64(58)
STREAM = 256
"""Random numbers that each row has for itself."""
_STRIDE, _ONE, _LOW6, _LOW32 = np.uint64(STREAM), np.uint64(1), np.uint64(63), np.uint64(0xFFFFFFFF)
_DOUBTFUL = np.int32(-2)
"""Noted for a row whose first draw the filter has not cleared."""
_PARTS = 16


class Pool(NamedTuple):
    """Which classes may stand in for which: those of kind k are `members[start[k]:start[k + 1]]`, ascending."""

    kind_of: NDArray[np.int16]
    start: Starts
    members: Ints


class Entailed(NamedTuple):
    """Entailed classes by head: those of head h are `members[start[h]:start[h + 1]]`, ascending.

    `words` is a filter in front of them: where one of the four bits of (head, class) is unset in its word the class is
    certainly not among them, so most questions cost one look into a small table; otherwise the sorted row decides.
    """

    start: Starts
    members: Ints
    everything: NDArray[np.bool_]
    """Heads that entail every class (unsatisfiable ones); nothing at all where there is none."""
    words: NDArray[np.uint64]


class Features(NamedTuple):
    """What classes have in common, for neighbours in the hierarchy: class → features → classes that share one."""

    start: Starts
    features: Ints
    member_start: Starts
    members: Ints


@kernel(inline="always")
def _random(seed: np.uint64, row: int, position: int) -> np.uint64:
    """Number `position` (below 256) of the stream of a row: splitmix64."""
    return mixed_number(seed + GOLDEN * (np.uint64(row) * _STRIDE + np.uint64(position) + _ONE))


@kernel(inline="always")
def _below(number: np.uint64, limit: int) -> Any:
    return np.int64(((number >> _S32) * np.uint64(limit)) >> _S32)


@kernel(inline="always")
def _hash(head: int, member: int) -> np.uint64:
    return mixed_number((np.uint64(head) << _S32) | np.uint64(member))


@kernel(inline="always")
def _word(number: np.uint64, words: int) -> Any:
    """Which of the words belongs to a hash."""
    return np.int64(((number & _LOW32) * np.uint64(words)) >> _S32)


@kernel(inline="always")
def _bits(number: np.uint64) -> np.uint64:
    """The four bits of a hash in its word."""
    low = (_ONE << ((number >> _S40) & _LOW6)) | (_ONE << ((number >> _S46) & _LOW6))
    return low | (_ONE << ((number >> _S52) & _LOW6)) | (_ONE << (number >> _S58))


@kernel
def fill_words(start: Starts, members: Ints, words: NDArray[np.uint64]) -> None:
    """Set the bits of every (head, class) of the rows."""
    for head in range(start.size - 1):
        for at in range(start[head], start[head + 1]):
            number = _hash(head, members[at])
            words[_word(number, words.size)] |= _bits(number)


@kernel(inline="always")
def _is_entailed(start: Starts, members: Ints, words: NDArray[np.uint64], head: int, member: int) -> Any:
    number = _hash(head, member)
    if ~words[_word(number, words.size)] & _bits(number) != np.uint64(0):
        return False
    end = start[head + 1]
    at = lower_bound(members, start[head], end, member)
    return at < end and members[at] == member


@kernel
def _nth_allowed(
    candidates: Ints, start: Starts, members: Ints, words: NDArray[np.uint64], head: int, number: np.uint64
) -> Any:
    """A uniform choice among all candidates that are not entailed, by counting them; `NONE` if there is none."""
    allowed = 0
    for candidate in candidates:
        allowed += not _is_entailed(start, members, words, head, candidate)
    if allowed:
        left = _below(number, allowed)
        for candidate in candidates:
            if not _is_entailed(start, members, words, head, candidate):
                if left == 0:
                    return candidate
                left -= 1
    return NONE


@kernel
def _allowed(
    candidates: Ints,
    first: int,
    size: int,
    start: Starts,
    members: Ints,
    words: NDArray[np.uint64],
    head: int,
    seed: np.uint64,
    row: int,
) -> Any:
    """A uniform choice among `candidates[first:first + size]` that is not entailed, or `NONE`.

    Not inlined: the loops that seldom need it are quicker without it.
    """
    if size:
        for attempt in range(TRIES):
            choice = candidates[first + _below(_random(seed, row, attempt), size)]
            if not _is_entailed(start, members, words, head, choice):
                return choice
        return _nth_allowed(candidates[first : first + size], start, members, words, head, _random(seed, row, TRIES))
    return NONE


@kernel(parallel=True)
def draw_random(originals: Ints, pool: Pool, seed: np.uint64, chosen: Ints) -> None:
    """For each class one of its kind, as drawn."""
    for row in prange(originals.size):
        kind = pool.kind_of[originals[row]]
        first, size = pool.start[kind], pool.start[kind + 1] - pool.start[kind]
        chosen[row] = pool.members[first + _below(_random(seed, row, 0), size)] if size else NONE


@kernel(parallel=True)
def draw_filtered(
    originals: Ints, numbers: Starts, head_of: Ints, pool: Pool, entailed: Entailed, seed: np.uint64, chosen: Ints
) -> None:
    """For each class one of its kind that its head, `head_of` its number, does not entail."""
    # numba keeps arrays in registers that it would load from a tuple again and again
    kind_of, kind_start, candidates = pool
    start, members, everything, words = entailed
    # without a branch in it, and without a call, the processor does many rows of this at a time
    for row in prange(originals.size):
        kind = kind_of[originals[row]]
        first, size = kind_start[kind], kind_start[kind + 1] - kind_start[kind]
        choice = candidates[first + _below(_random(seed, row, 0), size)] if size else NONE
        number = _hash(head_of[numbers[row]], choice)  # type: ignore[arg-type]
        is_clear = ~words[_word(number, words.size)] & _bits(number) != np.uint64(0)
        chosen[row] = choice if is_clear else _DOUBTFUL
    for part in prange(_PARTS):
        for row in range(part * originals.size // _PARTS, (part + 1) * originals.size // _PARTS):
            if everything.size and everything[head_of[numbers[row]]]:
                chosen[row] = NONE
            elif chosen[row] == _DOUBTFUL:
                kind = kind_of[originals[row]]
                first, size = kind_start[kind], kind_start[kind + 1] - kind_start[kind]
                head = head_of[numbers[row]]
                chosen[row] = _allowed(candidates, first, size, start, members, words, head, seed, row)


@kernel
def _nth_of_kind(values: Ints, kind_of: NDArray[np.int16], kind: int, number: np.uint64) -> Any:
    """A uniform choice among the values of a kind, by counting them; `NONE` if there is none."""
    fitting = 0
    for value in values:
        fitting += kind_of[value] == kind and value > BOTTOM
    if fitting:
        left = _below(number, fitting)
        for value in values:
            if kind_of[value] == kind and value > BOTTOM:
                if left == 0:
                    return value
                left -= 1
    return NONE


@kernel(parallel=True)
def draw_entailed(
    originals: Ints, numbers: Starts, head_of: Ints, pool: Pool, entailed: Entailed, seed: np.uint64, chosen: Ints
) -> None:
    """For each class one of its kind that its head, `head_of` its number, does entail."""
    kind_of, kind_start, candidates = pool
    start, members, everything, _ = entailed
    for row in prange(originals.size):
        kind, head = kind_of[originals[row]], head_of[numbers[row]]
        values, low, count = members, start[head], start[head + 1] - start[head]
        if everything.size and everything[head]:
            values, low, count = candidates, kind_start[kind], kind_start[kind + 1] - kind_start[kind]
        choice = NONE
        for attempt in range(TRIES):
            if count == 0:
                break
            value = values[low + _below(_random(seed, row, attempt), count)]
            if kind_of[value] == kind and value > BOTTOM:
                choice = value
                break
        if choice == NONE and count:
            choice = _nth_of_kind(values[low : low + count], kind_of, kind, _random(seed, row, TRIES))
        chosen[row] = choice


@kernel(parallel=True)
def draw_hard(
    originals: Ints, heads: Ints, pool: Pool, entailed: Entailed, near: Features, seed: np.uint64, chosen: Ints
) -> None:
    """For each class a neighbour in the hierarchy, of its kind and not entailed; far ones where there is none near.

    Of two features drawn the rarer is used: what few classes share is shared by near ones.
    """
    kind_of, kind_start, candidates = pool
    start, members, everything, words = entailed
    feature_start, features, member_start, sharing = near
    for row in prange(originals.size):
        original, head = originals[row], heads[row]
        kind = kind_of[original]
        first, count = feature_start[original], feature_start[original + 1] - feature_start[original]
        size = kind_start[kind + 1] - kind_start[kind]
        if everything.size and everything[head]:
            count = size = 0
        choice = NONE
        for attempt in range(TRIES):
            if count == 0:
                break
            feature = features[first + _below(_random(seed, row, 64 + 3 * attempt), count)]
            other = features[first + _below(_random(seed, row, 65 + 3 * attempt), count)]
            if member_start[other + 1] - member_start[other] < member_start[feature + 1] - member_start[feature]:
                feature = other
            among = member_start[feature + 1] - member_start[feature]
            found = sharing[member_start[feature] + _below(_random(seed, row, 66 + 3 * attempt), among)]
            if kind_of[found] == kind and not _is_entailed(start, members, words, head, found):
                choice = found
                break
        if choice == NONE:
            choice = _allowed(candidates, kind_start[kind], size, start, members, words, head, seed, row)
        chosen[row] = choice
