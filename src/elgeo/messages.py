"""What is said to the person at the terminal beside the results: a line on standard error."""

from __future__ import annotations

import sys


def say(message: object) -> None:
    """Say it now, whatever else is waiting to be printed."""
    print(f"elgeo: {message}", file=sys.stderr, flush=True)
