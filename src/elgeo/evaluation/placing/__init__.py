"""New terms: where they belong, and how well that is found for terms whose place is known.

Takes a `Run` and terms; gives suggestions with reasons, or figures. Begin at `place.py` for suggestions, at
`new_classes.py` for figures.
"""
