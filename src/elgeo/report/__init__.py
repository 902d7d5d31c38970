"""Tables, plots, pages for people.

Takes an `Evaluation`, a run's history and a model; gives text and self-contained HTML. Begin at `report.py`, what
`elgeo.evaluate` gives, or at `text_table.py`, a table for a terminal; predictions, placements and targets have a module
each. Pages, with every plot on them, are in `pages/`.
"""
