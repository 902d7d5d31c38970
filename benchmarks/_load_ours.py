"""Run in a process of its own: reads and normalises a file; prints seconds and sizes. usage: _load_ours.py FILE"""

import json
import sys
import time

started = time.perf_counter()
from elgeo.ontology import normalise, read  # noqa: E402

ontology = read(sys.argv[1])
loaded = time.perf_counter()
forms = normalise(ontology)
done = time.perf_counter()
found = {"read": loaded - started, "normalise": done - loaded, "axioms": len(ontology.axioms), "rows": forms.counts()}
print(json.dumps(found))
