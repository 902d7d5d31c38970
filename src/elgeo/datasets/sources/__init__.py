"""Where the axioms of a dataset come from: files of other projects, tables of pairs, downloads.

Takes files; gives a `Dataset`. Begin at `build.py` (an ontology with interactions and annotations) or `grafting.py` (an
ontology with any tables of pairs); `other_projects.py` takes the benchmarks of other projects, `fetch.py` downloads the
paper's four. Below them `links.py`, `annotations.py` and `pairs.py` read the lines of tables, `given.py` fetches
files that are given as addresses, and `iris.py` finds the classes their names stand for.
"""
