"""Where the axioms of a dataset come from: files of other projects, tables of pairs, downloads.

Takes files; gives a `Dataset`. Begin at `build.py` (an ontology with interactions and annotations); `borrowed.py`
takes the benchmarks of other projects, `fetch.py` downloads the paper's four.
"""
