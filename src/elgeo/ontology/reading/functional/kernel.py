"""The numba kernel that parses the axioms of functional syntax straight into an arena; one token each time round."""

# mypy: disable-error-code=no-any-return

from __future__ import annotations

from elgeo.arrays import Bytes, Ints
from elgeo.compilation import kernel
from elgeo.ontology.arena import (
    ARGS,
    BLOB,
    NODES,
    SEED,
    STRINGS,
    Arena,
    entity,
    hash_bytes,
    intern,
    node,
    scan_iri,
)
from elgeo.ontology.grammar import MAX_DEPTH
from elgeo.ontology.reading.functional.codes import (
    ANNOTATION,
    ANNOTATIONS,
    ASSERTION,
    AXIOM,
    CHAINS,
    CLOSE,
    COLON,
    DATA,
    DECLARATION,
    DECLARED,
    DEPTH,
    DONE,
    ERROR_OP,
    ERROR_PLACE,
    EVENTS,
    FEWEST,
    FIRST_AXIOM,
    FIRST_NODE,
    GROW,
    GROW_BLOB,
    HAS_KEY,
    IMPORT,
    IMPORTED,
    INDIVIDUALS,
    KEY_DATA,
    KEY_ROLES,
    LAST_AXIOM,
    LAST_RANGE,
    LESS,
    LITERAL,
    LITERALS,
    MAKES,
    MISPLACED,
    N_TEXTS,
    NINE,
    NO_SORT,
    NOTE,
    NUMBERS,
    OPEN,
    POSITION,
    QUOTE,
    RANGES,
    ROLES,
    RULE,
    RULED,
    SKIPPED,
    TEXT,
    TOO_DEEP,
    TOO_FEW,
    TOO_MANY,
    TOP,
    UNDERSCORE,
    UNEXPECTED,
    UNKNOWN,
    VALUE,
    ZERO,
)
from elgeo.ontology.reading.functional.parser_state import Parse, has_colon, log, place_sort
from elgeo.ontology.reading.functional.tokens import (
    BAD_IRI,
    BLOB_FULL,
    NO_NAME,
    TRUNCATED,
    WordTable,
    find_word,
    skip_balanced,
    skip_blank,
    word_end,
    write_iri,
    write_literal,
)


@kernel(inner=True, counted=False)
def _close(arena: Arena, parse: Parse, grammar: Ints) -> int:
    """Close the innermost expression: its arguments become a node, an event, or arguments of what is around it."""
    state, frames, stack, events = parse
    depth, top = state[DEPTH], state[TOP]
    op, base = frames[depth, 0], frames[depth, 1]
    state[ERROR_OP] = op
    if top - base < grammar[op, FEWEST] or (op == HAS_KEY and frames[depth, 2] != 2):
        return TOO_FEW
    state[DEPTH] = depth - 1
    if op < FIRST_NODE or op in (KEY_ROLES, KEY_DATA):
        return DONE
    state[TOP] = base
    kind = DECLARED if op == DECLARATION else IMPORTED if op == IMPORT else NOTE if op == ASSERTION else AXIOM
    if kind == AXIOM:
        sizes, ops, starts, args, table = arena.sizes, arena.ops, arena.node_starts, arena.args, arena.node_table
        stack[base] = node(sizes, ops, starts, args, table, op, stack, base, top)
        if depth > 1:
            state[TOP] = base + 1
            return DONE
    elif kind == NOTE:
        state[ANNOTATIONS] += 1
        if stack[base + 2] == 0:
            return DONE
    log(state, events, kind, stack[base], stack[base + 1], stack[base + 2])
    return DONE


@kernel(inner=True, counted=False)
def _open(parse: Parse, grammar: Ints, known: WordTable, source: Bytes, at: int, end: int, opening: int) -> int:
    """Open the expression whose keyword is `source[at:end]`; what is of no use here is skipped."""
    state, frames, _, events = parse
    depth, top = state[DEPTH], state[TOP]
    op, index = frames[depth, 0], top - frames[depth, 1]
    word = find_word(known.table, known.rows, known.blob, source, at, end)
    code = known.rows[word, 4] if word >= 0 else 0
    if code == 0:
        return UNKNOWN
    if code >= SKIPPED:
        if depth > 1 or (depth == 1 and (code != ANNOTATION or index > 0)):
            return UNKNOWN
        after = skip_balanced(source, opening + 1)
        if after < 0:
            return after
        state[POSITION] = after
        if code == RULE:
            log(state, events, RULED, opening + 1, after - 1, after)
        else:
            state[ANNOTATIONS] += 1
        return DONE
    if depth == 0:
        if code < FIRST_AXIOM or (LAST_AXIOM < code < DECLARATION):
            return UNKNOWN
    else:
        state[ERROR_OP], state[ERROR_PLACE] = op, index
        sort, makes = place_sort(grammar, op, index), grammar[code, MAKES]
        if sort == NO_SORT:
            return TOO_MANY
        if not (makes == sort or (sort == CHAINS and makes == ROLES) or (sort == LAST_RANGE and makes == RANGES)):
            return MISPLACED
    if depth >= MAX_DEPTH:
        return TOO_DEEP
    frames[depth + 1, 0], frames[depth + 1, 1], frames[depth + 1, 2] = code, top, 0
    state[DEPTH] = depth + 1
    state[POSITION] = opening + 1
    return DONE


@kernel(inner=True, counted=False)
def _argument(arena: Arena, parse: Parse, grammar: Ints, known: WordTable, source: Bytes, at: int, end: int) -> int:
    """Put the IRI, literal or number at `at` on the stack."""
    sizes, blob, starts, string_table, entities, ops, node_starts, args, _ = arena
    state, frames, stack, _ = parse
    table, rows, words_blob = known
    depth, top = state[DEPTH], state[TOP]
    op, index = frames[depth, 0], top - frames[depth, 1]
    state[ERROR_OP], state[ERROR_PLACE] = op, index
    sort, tail, quoted = place_sort(grammar, op, index), sizes[BLOB], source[at] == QUOTE
    if sort == NO_SORT:
        return TOO_MANY
    if sort == VALUE or (op == ASSERTION and index == 1 and stack[top - 1] >= N_TEXTS):
        # of annotations only those with words for people are looked into
        stack[top] = at if sort == VALUE else 0
        stack[top + 1] = 0
        state[TOP] = frames[depth, 1] + 3
        after = skip_balanced(source, at)
        if after < 0:
            return after
        state[POSITION] = after - 1
        return DONE
    if quoted != (sort == LITERALS):
        return MISPLACED
    if sort == NUMBERS:
        for i in range(at, end):
            if source[i] < ZERO or source[i] > NINE:
                return MISPLACED
        while at < end - 1 and source[at] == ZERO:
            at += 1
    anonymous = source[at] == UNDERSCORE and end > at + 2 and source[at + 1] == COLON
    if anonymous and sort != INDIVIDUALS and sort != TEXT:
        return MISPLACED
    seed = sizes[SEED]
    if source[at] == LESS and sort != NUMBERS:
        end, hashed = scan_iri(source, at + 1, seed)
        if end < 0:
            return BAD_IRI
        string = intern(sizes, blob, starts, string_table, source, at + 1, end, hashed)
        at = end + 1
    elif sort == NUMBERS or anonymous:
        if at == end:
            return MISPLACED
        string = intern(sizes, blob, starts, string_table, source, at, end, hash_bytes(source, at, end, seed))
        at = end
    else:
        if quoted:
            at, tail = write_literal(blob, table, rows, words_blob, source, at, tail)
        else:
            at, tail = write_iri(blob, table, rows, words_blob, source, at, tail)
        if at < 0:
            return UNEXPECTED if at == NO_NAME else at
        string = intern(
            sizes, blob, starts, string_table, blob, sizes[BLOB], tail, hash_bytes(blob, sizes[BLOB], tail, seed)
        )
    if string < 0:
        return BLOB_FULL
    if sort == LAST_RANGE:
        after = skip_blank(source, at)
        sort = RANGES if after < len(source) and source[after] == CLOSE else DATA
    made = LITERAL if quoted or sort == NUMBERS else grammar[127, sort]
    if made == 0 and sort != TEXT:
        return MISPLACED
    stack[top] = string if sort == TEXT else entity(sizes, entities, ops, node_starts, args, made, string)
    state[TOP] = top + 1
    state[POSITION] = at
    return DONE


@kernel(counted=False)
def parse_axioms(arena: Arena, parse: Parse, grammar: Ints, known: WordTable, source: Bytes) -> int:
    """Parse until the ontology closes, something has to grow, or an error; `state[POSITION]` is where."""
    sizes, starts, ops, args = arena.sizes, arena.starts, arena.ops, arena.args
    state, frames, stack, events = parse
    while True:
        at = skip_blank(source, state[POSITION])
        state[POSITION] = at
        depth, top = state[DEPTH], state[TOP]
        if (
            top + 3 > len(stack)
            or state[EVENTS] + 1 > len(events)
            or sizes[STRINGS] + 2 > len(starts) - 1
            or sizes[NODES] + 2 > len(ops)
            or sizes[ARGS] + top + 2 > len(args)
        ):
            return GROW
        if at >= len(source):
            return TRUNCATED
        if source[at] == CLOSE:
            state[POSITION] = at + 1
            if depth == 0:
                return DONE
            ended = _close(arena, parse, grammar)
        elif source[at] == OPEN:
            # the two lists of HasKey have no keyword
            if frames[depth, 0] != HAS_KEY or top == frames[depth, 1] or frames[depth, 2] == 2:
                return UNEXPECTED
            frames[depth + 1, 0], frames[depth + 1, 1] = KEY_ROLES + frames[depth, 2], top
            frames[depth, 2] += 1
            state[DEPTH] = depth + 1
            state[POSITION] = at + 1
            ended = DONE
        else:
            end = word_end(source, at)
            opening = skip_blank(source, end)
            keyword = end > at and opening < len(source) and source[opening] == OPEN
            if keyword and not (frames[depth, 0] == HAS_KEY and has_colon(source, at, end)):
                ended = _open(parse, grammar, known, source, at, end, opening)
            elif depth > 0:
                ended = _argument(arena, parse, grammar, known, source, at, end)
            else:
                ended = UNEXPECTED
        if ended == BLOB_FULL:
            return GROW_BLOB
        if ended < 0:
            return ended
