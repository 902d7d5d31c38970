"""Manchester syntax, as people write expressions and Protégé shows them.

Takes the bytes of a document, gives an `Ontology`. Begin at `reader.py` (frames); `expressions.py` reads what stands in
them, `tokens.py` cuts the text.
"""
