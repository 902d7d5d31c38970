"""New terms: where they belong, and how well that is found for terms whose place is known.

Takes a `Run` and terms; gives suggestions with reasons, or figures. Begin at `place.py` for suggestions
(`suggestions.py` is what they are, `reasons.py` why, `word.py` what the reasoner says of them), at `new_classes.py` for
figures, of the terms of `newcomers.py`. `batch.py` reads a table of terms, `placements.py` keeps what a run learnt.
"""
