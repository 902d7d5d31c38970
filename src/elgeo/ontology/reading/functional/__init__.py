"""OWL functional syntax: text straight into the arena of an ontology, by a kernel.

Takes bytes; gives the nodes of an `Ontology`. Begin at `reader.py` (the header, then the kernel, then names);
`kernel.py` takes one token at a time from `tokens.py` and follows the grammar of `codes.py`; `parser_state.py` is
what it remembers.
"""
