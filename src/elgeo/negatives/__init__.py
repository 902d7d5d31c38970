"""Corrupted axioms: random, filtered, biased, refuted, hard."""
