"""The commands about ontology files: what is in them, what follows from them, and writing them anew.

One module for each, with `configure` and `run`. `options.py` has how an ontology is read, `answering.py` how questions
are asked and answers printed (`entails`, `explain`), `output.py` how an ontology is written (`convert`, `merge`, …).
"""
