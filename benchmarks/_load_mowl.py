"""Run by the Python of an environment with mOWL: OWLAPI reads, jcel normalises. usage: _load_mowl.py FILE

The seconds of reading include the start of the virtual machine, as a user waits for it. With `--tensors` also what mOWL
needs to turn the axioms into integers, which our tables are already.
"""

import json
import sys
import time

started = time.perf_counter()
import mowl  # noqa: E402

mowl.init_jvm("8g")

from java.io import File  # noqa: E402
from mowl.datasets.el import ELDataset  # noqa: E402
from mowl.ontology.normalize import ELNormalizer  # noqa: E402
from org.semanticweb.owlapi.apibinding import OWLManager  # noqa: E402

ontology = OWLManager.createOWLOntologyManager().loadOntologyFromOntologyDocument(File(sys.argv[1]))
loaded = time.perf_counter()
forms = ELNormalizer().normalize(ontology)
done = time.perf_counter()
found = {
    "read": loaded - started,
    "normalise": done - loaded,
    "axioms": int(ontology.getLogicalAxiomCount()),
    "rows": {name: len(axioms) for name, axioms in forms.items()},
}
if "--tensors" in sys.argv:
    del forms
    started = time.perf_counter()
    ELDataset(ontology).get_gci_datasets()
    found["tensors"] = time.perf_counter() - started
print(json.dumps(found))
