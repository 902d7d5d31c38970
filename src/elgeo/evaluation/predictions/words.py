"""What predictions may leave out, by name; apart, so that the command line can say so without loading anything."""

from __future__ import annotations

EXCLUDABLE = ("entailed", "train", "contradicted", "domain", "obsolete", "general", "lineage")
"""What predictions may leave out: what follows, what is asserted, what makes its head unsatisfiable, classes outside
the domain or range of the role, obsolete classes, classes too general to be worth saying, and pairs of a class and one
above or below it, unless the training axioms join such pairs."""
GENERAL = 0.2
"""A class with more than this share of the candidates below it is too general."""
