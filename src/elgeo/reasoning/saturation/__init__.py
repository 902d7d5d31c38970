"""The completion rules of EL++, run to their end: what every class is below, and what it is linked to.

Takes `NormalForms`; gives a `Saturation` (subsumers and links as sorted rows), which goes on from where it was when
axioms (`incremental.py`) or classes of a question (`queries.py`) are added. Begin at `saturate.py`; `completion.py`
holds the state from first to last, each rule is a function of `rules.py`, `driver.py` calls them, `memory.py` is
where they write, `index.py` is where they look an axiom up.
"""
