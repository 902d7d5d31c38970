"""What an ontology says of data becomes classes and rows: values, data ranges, keys.

Takes the data axioms and the individuals of an ontology; gives rows for the tables. Begin at `classes.py` (a class for
each property and range that matter); `values.py` compares literals and ranges, `keys.py` finds individuals that keys
make one.
"""
