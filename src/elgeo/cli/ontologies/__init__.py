"""The commands about ontology files: what is in them, what follows from them, and writing them anew.

Takes a command line; gives answers or a file. Begin at the module of a command, each with `configure` and `run`.
`options.py` has how an ontology is read, `answering.py` how questions are asked and answers printed (`entails`,
`explain`), `output.py` how an ontology is written (`convert`, `merge`, …).
"""
