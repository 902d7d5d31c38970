"""Places the first new terms of a table, in a process of its own: seconds until the first answer, then of each term.

    python benchmarks/_place_terms.py RUN TERMS.tsv

Processor seconds, which a busy machine does not change; a run that has never been asked learns first.
"""

from __future__ import annotations

import json
import resource
import sys
import time

from elgeo.api import proposals
from elgeo.training.run import Run

TERMS = 41


def main() -> int:
    run_folder, table = sys.argv[1:]
    terms = proposals(table)[:TERMS]
    run = Run.load(run_folder)
    started = time.process_time()
    run.place(terms[:1])
    ready = time.process_time() - started
    started = time.process_time()
    for term in terms[1:]:
        run.place([term])
    alone = (time.process_time() - started) / (len(terms) - 1)
    started = time.process_time()
    run.place(terms[1:])
    together = (time.process_time() - started) / (len(terms) - 1)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"ready": ready, "alone": alone, "together": together, "peak": peak}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
