"""The numbers the kernel of functional syntax works with: keywords, sorts, the grammar as a table."""

from __future__ import annotations

import numpy as np

from elgeo.arrays import Ints
from elgeo.ontology.expressions import AXIOMS, Op
from elgeo.ontology.grammar import ENTITY, SIGNATURES, TEXTS, Sort

POSITION, DEPTH, TOP, EVENTS, ANNOTATIONS, ERROR_OP, ERROR_PLACE = range(7)
"""What `Parse.state` holds."""
DONE, GROW, GROW_BLOB = 0, 1, 2
TOO_DEEP, TOO_MANY, TOO_FEW, MISPLACED, UNKNOWN, UNEXPECTED = -10, -11, -12, -13, -14, -15
"""How `parse_axioms` ends, besides the errors of tokens."""
AXIOM, DECLARED, IMPORTED, NOTE, RULED = range(5)
"""The kinds of events: (kind, node) twice, (kind, string), (kind, property, subject, start), (kind, begin, end)."""
N_TEXTS = len(TEXTS)
"""The properties whose annotations are kept are the first strings of the arena."""

# frames that are no nodes: their codes follow those of `Op`
DECLARATION, IMPORT, ASSERTION, KEY_ROLES, KEY_DATA, SKIPPED, ANNOTATION, RULE = range(100, 108)
STATEMENTS = {
    "Declaration": DECLARATION,
    "Import": IMPORT,
    "AnnotationAssertion": ASSERTION,
    "SubAnnotationPropertyOf": SKIPPED,
    "AnnotationPropertyDomain": SKIPPED,
    "AnnotationPropertyRange": SKIPPED,
    "Annotation": ANNOTATION,
    "DLSafeRule": RULE,
}
KEYWORDS = {**STATEMENTS, **{op.name: int(op) for op in (*SIGNATURES, *Op) if op in SIGNATURES or op < Op.Literal}}

FIRST_AXIOM, LAST_AXIOM = int(AXIOMS[0]), int(AXIOMS[-1])
HAS_KEY, LITERAL, FIRST_NODE = int(Op.HasKey), int(Op.Literal), 8
OPEN, CLOSE, QUOTE, LESS, UNDERSCORE, COLON, ZERO, NINE = (ord(c) for c in '()"<_:09')
ROLES, CHAINS, DATA, RANGES, INDIVIDUALS, LITERALS, NUMBERS = (int(s) for s in Sort if Sort.CLASS < s < Sort.FACET)
LAST_RANGE = int(Sort.DATA_RANGE_LAST)
DECLARABLE, TEXT, VALUE, NO_SORT = 11, 12, 13, 14
MAKES, FEWEST, FIXED, REPEATING, SORTS = range(5)


def grammar_table() -> Ints:
    """For each operator: what it makes, fewest, number of fixed and of repeating sorts, and those.

    The last row has the operator of an IRI in a place of each sort. The table is an argument of the kernel, because a
    cached kernel would not notice a change of a global.
    """
    table = np.full((128, 16), NO_SORT, np.int32)
    rows: dict[int, tuple[int, int, tuple[int, ...], tuple[int, ...]]]
    rows = {int(op): (s.makes, s.fewest, s.first, s.rest) for op, s in SIGNATURES.items()}
    rows |= {
        DECLARATION: (NO_SORT, 1, (DECLARABLE,), ()),
        IMPORT: (NO_SORT, 1, (TEXT,), ()),
        ASSERTION: (NO_SORT, 3, (TEXT, TEXT, VALUE), ()),
        KEY_ROLES: (NO_SORT, 0, (), (ROLES,)),
        KEY_DATA: (NO_SORT, 0, (), (DATA,)),
    }
    table[127, :] = 0
    for sort, op in ENTITY.items():
        table[127, sort] = op
        if sort != Sort.CHAIN:
            rows[int(op)] = (DECLARABLE, 1, (int(sort),), ())
    for code, (makes, fewest, first, rest) in rows.items():
        table[code, :SORTS] = makes, fewest, len(first), len(rest)
        table[code, SORTS : SORTS + len(first) + len(rest)] = [*first, *rest]
    return table
