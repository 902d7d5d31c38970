"""Pages for people: one file of HTML each, with its plots inside.

Takes runs, a sweep or a reproduced table; gives a page that opens from disk. Begin at `page.py` (the page of runs),
made of `ranking_sections.py` (metrics, ROC and rank plots), `model_sections.py` (truth, pictures, predictions,
training) and `reliability_section.py` from what `shown_run.py` gathers; `figures.py` draws any plot as SVG,
`drawing.py` chooses which classes a picture shows, `markup.py` writes HTML.
"""
