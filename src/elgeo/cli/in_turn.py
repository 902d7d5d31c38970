"""`python -m elgeo.cli.in_turn train … && evaluate …`: commands one after the other in one process.

What they need is loaded once, which takes longer than much of what experiments ask. The first that fails is the last.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from elgeo.cli import look_for_garbage_seldom, main

AND = "&&"


def in_turn(words: Sequence[str]) -> int:
    """The exit code of the first command that fails, or 0."""
    words = list(words)
    while words:
        end = words.index(AND) if AND in words else len(words)
        if code := main(words[:end]):
            return code
        words = words[end + 1 :]
    return 0


if __name__ == "__main__":
    look_for_garbage_seldom()
    sys.exit(in_turn(sys.argv[1:]))
