"""The numbers that corners of boxes are: whole points of a short line, so that truth is exact."""

from __future__ import annotations

LAST = 16
"""The points of a dimension are −LAST … LAST; ⊤ has all of them."""
POINTS = 2 * LAST + 1
NOTHING = -100
"""Both numbers of what has no point: below all others."""
