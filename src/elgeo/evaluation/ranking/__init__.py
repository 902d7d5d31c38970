"""Where the true answers come among their candidates.

Takes something that scores, axioms, candidates and what is known; gives `Ranks`. Begin at `rank_axioms.py`;
`counting.py` decides what is above and what is a tie, `ranks.py` holds the optimistic, pessimistic and average rank
that come of it, `scoring.py` makes scores exact where that matters, `known.py` is what a filter leaves out; `best.py`
finds the best candidates themselves, and which of equal ones comes first.
"""
