"""Tables, plots, pages for people.

Takes an `Evaluation`, a run's history and a model; gives text and self-contained HTML. Begin at `page.py` (the page
of runs), made of `ranking_sections.py` (metrics, ROC and rank plots) and `model_sections.py` (truth, pictures,
predictions, training); `figures.py` draws any plot as SVG, `drawing.py` chooses which classes a picture shows,
`markup.py` writes HTML, `text_table.py` a table for a terminal, `report.py` is what `elgeo.evaluate` gives.
"""
