"""One optimisation step of a box model, fused: what each term asks (`forces`, `common_forces`), then Adam (`move`).

The first walk goes row by row. Each term of a row leaves in a slot of its own the vector h with ∂term/∂Δ = h and
∂term/∂w = |h|, up to a factor that is kept beside it; roles, of which there are few, take their gradient at once. The
second walk goes class by class through the lists of `engines/lists.py`, adds up the slots a class is in, and moves it.
Rows are cut into chunks, and classes into parts, by their number alone: any number of threads gives the same bits.
"""

from __future__ import annotations

import math
from typing import Any

import numba
import numpy as np

from elgeo.arrays import Array, Bytes, Floats, Ints, Longs
from elgeo.compilation import kernel
from elgeo.models.engines.lists import FAST, TAG_BITS, moved
from elgeo.prefetch import prefetch

CLIPPED, LENGTH, DEEPEST = range(3)
KIND, DISTANCE, CENTRE, WIDTH, END, TERM_COLUMNS = range(6)
"""Columns of the terms' table; parts of the centre are those from CENTRE to WIDTH, of the width those from there to
END."""
OF_ROLE, COLUMN, OFFSET, SIGN, PART_COLUMNS = range(5)
FIRST, LAST, FACTOR, TARGET, WANTED, AT_LEAST, POWER, GROUP_COLUMNS = range(8)
CENTRE_OFFSET, CENTRE_SIGN, WIDTH_OFFSET, WIDTH_SIGN, AS_IS, PATTERN_COLUMNS = range(6)
"""Columns of the table that says, for each term and side, what a slot adds to a class: itself to the centre at an
offset, its absolute value (or itself, AS_IS) to the half width. An offset below 0: nothing."""
AHEAD = 2
"""How many rows before their use boxes are asked for."""
SLOTS_AHEAD = 4
"""How many entries before its use a slot is asked for."""
SLOTS_OF_COMMON = 5
"""Of C ⊓ D ⊑ E: what the lower and the upper corner of the common part ask of c, then of d; what e is asked."""


@kernel(parallel=True, fastmath=FAST, error_model="numpy")
def forces(
    rows: Ints,
    classes: Array,
    roles: Array,
    dimension: int,
    terms: Longs,
    margins: Array,
    parts: Longs,
    groups: Array,
    scale: Any,
    base: Longs,
    slots: Array,
    factors: Array,
    role_gradients: Array,
    sums: Floats,
) -> None:
    """Fill the slots of the terms of a piece, from `base` of each on, and sum up its loss by chunks."""
    chunks, count = role_gradients.shape[0], terms.shape[0]
    zero, one = classes.dtype.type(0), classes.dtype.type(1)
    line = 64 // classes.itemsize
    for chunk in numba.prange(chunks):
        width, values, deepest = (
            np.empty(dimension, classes.dtype),
            np.empty(count, classes.dtype),
            np.empty(count, np.int64),
        )
        total = 0.0
        for i in range(rows.shape[0] * chunk // chunks, rows.shape[0] * (chunk + 1) // chunks):
            if i + AHEAD < rows.shape[0]:
                for p in range(parts.shape[0]):
                    if not parts[p, OF_ROLE]:
                        ahead = np.int64(rows[i + AHEAD, parts[p, COLUMN]]) * classes.shape[1] + parts[p, OFFSET]
                        for k in range(ahead, ahead + dimension, line):
                            prefetch(classes, k)
            for t in range(count):
                h = slots[base[t] + i]
                for k in range(dimension):
                    h[k] = zero
                    width[k] = margins[t]
                for p in range(terms[t, CENTRE], terms[t, WIDTH]):
                    row, offset, sign = rows[i, parts[p, COLUMN]], parts[p, OFFSET], classes.dtype.type(parts[p, SIGN])
                    if parts[p, OF_ROLE]:
                        for k in range(dimension):
                            h[k] += sign * roles[row, offset + k]
                    else:
                        for k in range(dimension):
                            h[k] += sign * classes[row, offset + k]
                for p in range(terms[t, WIDTH], terms[t, END]):
                    row, offset, sign = rows[i, parts[p, COLUMN]], parts[p, OFFSET], classes.dtype.type(parts[p, SIGN])
                    if parts[p, OF_ROLE]:
                        for k in range(dimension):
                            width[k] += sign * abs(roles[row, offset + k])
                    else:
                        for k in range(dimension):
                            width[k] += sign * abs(classes[row, offset + k])
                distance = classes.dtype.type(terms[t, DISTANCE])
                square = zero
                if terms[t, KIND] == CLIPPED:
                    for k in range(dimension):
                        x = distance * abs(h[k]) + width[k]
                        x = x if x > zero else zero
                        square += x * x
                        h[k] = math.copysign(x, distance * h[k])
                    values[t] = math.sqrt(square)
                elif terms[t, KIND] == LENGTH:
                    for k in range(dimension):
                        square += h[k] * h[k]
                    values[t] = math.sqrt(square)
                else:
                    best, place = distance * abs(h[0]) + width[0], 0
                    for k in range(1, dimension):
                        x = distance * abs(h[k]) + width[k]
                        if x > best:
                            best, place = x, k
                    values[t], deepest[t] = best, place
            for g in range(groups.shape[0]):
                first, last = int(groups[g, FIRST]), int(groups[g, LAST])
                value = zero
                if groups[g, AT_LEAST] > zero:
                    chosen = first
                    for t in range(first, last):
                        factors[base[t] + i] = zero
                        if values[t] > values[chosen]:
                            chosen = t
                    short = groups[g, TARGET] - values[chosen]
                    if short > zero:
                        h = slots[base[chosen] + i]
                        place = deepest[chosen]
                        sign = math.copysign(one, h[place])
                        for k in range(dimension):
                            h[k] = zero
                        h[place] = sign
                        factors[base[chosen] + i] = -(one + one) * short * scale
                        total += short * short
                    continue
                for t in range(first, last):
                    value += abs(values[t] - one) if terms[t, KIND] == LENGTH else values[t]
                value *= groups[g, FACTOR]
                outer = groups[g, FACTOR] * scale
                if groups[g, WANTED] > zero:
                    value = groups[g, TARGET] - value
                    outer = -outer
                if groups[g, POWER] > one:
                    outer *= (one + one) * value
                    value *= value
                total += value
                for t in range(first, last):
                    factor = outer / values[t] if values[t] > zero else zero
                    if terms[t, KIND] == LENGTH and values[t] <= one:
                        factor = -factor if values[t] < one else zero
                    factors[base[t] + i] = factor
            for t in range(count):
                factor = factors[base[t] + i]
                if factor == zero:
                    continue
                h = slots[base[t] + i]
                for p in range(terms[t, CENTRE], terms[t, END]):
                    if parts[p, OF_ROLE]:
                        row, offset = rows[i, parts[p, COLUMN]], parts[p, OFFSET]
                        share = factor * classes.dtype.type(parts[p, SIGN])
                        if p < terms[t, WIDTH]:
                            for k in range(dimension):
                                role_gradients[chunk, row, offset + k] += share * h[k]
                        else:
                            for k in range(dimension):
                                role_gradients[chunk, row, offset + k] += share * abs(h[k])
        sums[chunk] = total


# without fastmath: code that was just compiled and the same from the cache rounded differently with it
@kernel(parallel=True, error_model="numpy")
def common_forces(
    rows: Ints,
    classes: Array,
    dimension: int,
    stride: int,
    shape: tuple[Any, Any, Any, bool, bool, Any],
    scale: Any,
    base: Longs,
    slots: Array,
    factors: Array,
    sums: Floats,
) -> None:
    """The same for C ⊓ D ⊑ E; `shape` is distance, width, margin, masked, depth and how deep. Centres come first in the
    row of a class, half widths `stride` numbers later."""
    distance, side, margin, masked, depth, deep = shape
    zero, one = classes.dtype.type(0), classes.dtype.type(1)
    two, half = one + one, one / (one + one)
    for chunk in numba.prange(sums.shape[0]):
        outside, empty = np.empty(dimension, classes.dtype), np.empty(dimension, classes.dtype)
        total = 0.0
        for i in range(rows.shape[0] * chunk // sums.shape[0], rows.shape[0] * (chunk + 1) // sums.shape[0]):
            c, d, e = classes[rows[i, 0]], classes[rows[i, 1]], classes[rows[i, 2]]
            crossed, hollow = zero, zero
            best, place = zero, -1
            for k in range(dimension):
                lower = max(c[k] - abs(c[stride + k]), d[k] - abs(d[stride + k]))
                upper = min(c[k] + abs(c[stride + k]), d[k] + abs(d[stride + k]))
                x = distance * abs(half * (lower + upper) - e[k]) + half * abs(upper - lower)
                x += side * abs(e[stride + k]) + margin
                if depth and (place < 0 or x > best):
                    best, place = x, k
                x = zero if x <= zero or (masked and lower > upper) else x
                nothing = lower - upper if lower > upper else zero
                outside[k], empty[k] = x, nothing
                crossed += x * x
                hollow += nothing * nothing
            crossed, hollow = math.sqrt(crossed), math.sqrt(hollow)
            out_factor, empty_factor = zero, two if hollow > zero else zero
            if depth:
                short = max(deep - best, zero)
                total += short * short + hollow * hollow
                for k in range(dimension):
                    outside[k] = zero
                outside[place] = one
                out_factor = two * short
            else:
                whole = crossed + hollow
                total += whole * whole
                out_factor = two * whole / crossed if crossed > zero else zero
                empty_factor = two * whole / hollow if hollow > zero else zero
            sign = -one if depth else one
            for s in range(SLOTS_OF_COMMON):
                factors[base[s] + i] = scale
            factors[base[4] + i] = sign * scale
            c_lower, c_upper, d_lower, d_upper = (
                slots[base[0] + i],
                slots[base[1] + i],
                slots[base[2] + i],
                slots[base[3] + i],
            )
            own = slots[base[4] + i]
            for k in range(dimension):
                low_c, low_d = c[k] - abs(c[stride + k]), d[k] - abs(d[stride + k])
                high_c, high_d = c[k] + abs(c[stride + k]), d[k] + abs(d[stride + k])
                lower, upper = max(low_c, low_d), min(high_c, high_d)
                towards = half * (lower + upper) - e[k]
                pull = out_factor * outside[k]
                # where the middle is that of e, as in C ⊓ D ⊑ C, rounding decides: both sides have to hear the same
                along = -distance if towards < zero else distance
                open_side = one if upper > lower else -one if upper < lower else zero
                at_lower = sign * pull * half * (along - open_side) + empty_factor * empty[k]
                at_upper = sign * pull * half * (along + open_side) - empty_factor * empty[k]
                c_lower[k] = at_lower if low_c >= low_d else zero
                d_lower[k] = zero if low_c >= low_d else at_lower
                c_upper[k] = at_upper if high_c <= high_d else zero
                d_upper[k] = zero if high_c <= high_d else at_upper
                own[k] = math.copysign(pull, -along)
        sums[chunk] = total


@kernel(parallel=True, fastmath=FAST, error_model="numpy")
def move(
    classes: tuple[Array, Array, Array],
    dimension: int,
    absolute: Array,
    penalties: Array,
    kinds: Bytes,
    bounds: Longs,
    lists: tuple[Ints, Ints, Ints],
    patterns: Longs,
    bases: Longs,
    slots: Array,
    factors: Array,
    adam: tuple[Any, ...],
) -> None:
    """Adam on every class, in place: `classes` are the values and Adam's mean and mean square.

    `absolute` says which blocks of a class count by their absolute value; `penalties` has for each of the `kinds` of
    classes and each block a weight and a bound: weight · relu(‖block‖ − bound) is added to the loss.
    """
    old, mean, square = classes
    start, _, tags = lists
    blocks = absolute.shape[0]
    stride = old.shape[1] // blocks
    line = 64 // old.itemsize
    zero, one = old.dtype.type(0), old.dtype.type(1)
    for part in numba.prange(bounds.shape[0] - 1):
        gradient = np.empty(old.shape[1], old.dtype)
        for c in range(bounds[part], bounds[part + 1]):
            if c + 1 < old.shape[0]:
                for k in range((c + 1) * old.shape[1], (c + 2) * old.shape[1], line):
                    prefetch(old, k)
                    prefetch(mean, k)
                    prefetch(square, k)
            for k in range(old.shape[1]):
                gradient[k] = zero
            for entry in range(start[c], start[c + 1]):
                if entry + SLOTS_AHEAD < start[-1]:
                    ahead = tags[entry + SLOTS_AHEAD]
                    first = (bases[(ahead & ((1 << TAG_BITS) - 1)) >> 1] + (ahead >> TAG_BITS)) * slots.shape[1]
                    for k in range(first, first + dimension, line):
                        prefetch(slots, k)
                term = tags[entry] & ((1 << TAG_BITS) - 1)
                slot = bases[term >> 1] + (tags[entry] >> TAG_BITS)
                factor = factors[slot]
                if factor == zero:
                    continue
                offset = patterns[term, CENTRE_OFFSET]
                if offset >= 0:
                    share = factor * old.dtype.type(patterns[term, CENTRE_SIGN])
                    for k in range(dimension):
                        gradient[offset + k] += share * slots[slot, k]
                offset = patterns[term, WIDTH_OFFSET]
                if offset >= 0:
                    share = factor * old.dtype.type(patterns[term, WIDTH_SIGN])
                    if patterns[term, AS_IS]:
                        for k in range(dimension):
                            gradient[offset + k] += share * slots[slot, k]
                    else:
                        for k in range(dimension):
                            gradient[offset + k] += share * abs(slots[slot, k])
            for block in range(blocks):
                offset = block * stride
                if absolute[block] > zero:
                    for k in range(offset, offset + dimension):
                        gradient[k] *= one if old[c, k] > zero else -one if old[c, k] < zero else zero
                if penalties[0, block, 0] > zero:
                    kind = kinds[c]
                    norm = zero
                    for k in range(offset, offset + dimension):
                        norm += old[c, k] * old[c, k]
                    norm = math.sqrt(norm)
                    if norm > penalties[kind, block, 1]:
                        for k in range(offset, offset + dimension):
                            gradient[k] += penalties[kind, block, 0] / norm * old[c, k]
            for k in range(old.shape[1]):
                old[c, k], mean[c, k], square[c, k] = moved(old[c, k], gradient[k], mean[c, k], square[c, k], adam)
