"""`elgeo info`: what is in an ontology file."""

from __future__ import annotations

import argparse
import json
from typing import Any

import numpy as np

from elgeo.cli.ontologies.options import add_ontology, form_lines, read_ontology, unsupported_by_kind
from elgeo.ontology import normalise
from elgeo.ontology.expressions import NOTHING, THING
from elgeo.ontology.normal_forms import FORMS, NormalForms
from elgeo.ontology.short_names import called
from elgeo.ontology.vocabulary import Kind
from elgeo.reasoning.saturation.saturate import saturate

_PROMISED = ("GCI0", "GCI1", "GCI2", "GCI3", "GCI0-BOT", "GCI1-BOT", "GCI3-BOT", "RI0", "RI1")

BUILT_IN = {THING: "owl:Thing", NOTHING: "owl:Nothing"}
"""Classes that every ontology has: they are not counted."""


def configure(parser: argparse.ArgumentParser) -> None:
    add_ontology(parser)
    parser.add_argument("--list-unsupported", action="store_true", help="list the axioms that EL++ cannot say")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.epilog = "example: elgeo info go.obo --list-unsupported"


def run(options: argparse.Namespace) -> None:
    ontology = read_ontology(options, whole_warnings=True)
    forms = normalise(ontology)
    found = summary(forms)
    listed = [
        {"kind": kind, "axiom": ontology.text(int(ontology.axiom_nodes[axiom]))} for kind, axiom in forms.unsupported
    ]
    impossible = found["unsatisfiable"]
    if options.json:
        if options.list_unsupported:
            found["unsupported_axioms"] = listed
        print(json.dumps(found, ensure_ascii=False))
        return
    declared = {ontology.string(node) for node in ontology.declared.tolist()}
    built_in = [word for iri, word in BUILT_IN.items() if iri in declared]
    for name in ("format", "classes", "roles", "individuals", "axioms", "fresh_classes"):
        value = found[name] if isinstance(found[name], str) else format(found[name], ",")
        beside = f" and {' and '.join(built_in)}, declared too" if built_in and name == "classes" else ""
        print(f"{name.replace('_', ' '):<16}{value}{beside}")
    print("normal forms")
    counts_of = [(form, len(forms.tables[form.name])) for form in FORMS.values()]
    for line in form_lines([(form, count) for form, count in counts_of if count or form.code in _PROMISED]):
        print(f"  {line}")
    for title, counts in (("unsupported", found["unsupported"]), ("ignored", found["ignored"])):
        print(title + ("" if counts else ": nothing"))
        for name, count in counts.items():
            print(f"  {name:<32}{count:>6,}")
    if found["consistent"]:
        print(f"unsatisfiable{'' if impossible else ': nothing'}")
        for iri in impossible:
            print(f"  {called(forms.vocabulary, forms.vocabulary.class_id(f'<{iri}>'))}")
    else:
        print("inconsistent: every class is unsatisfiable")
    if options.list_unsupported:
        for axiom in listed:
            print(f"{axiom['kind']}\t{axiom['axiom']}")


def summary(forms: NormalForms) -> dict[str, Any]:
    """What `--json` prints."""
    words, ontology = forms.vocabulary, forms.source
    assert ontology is not None
    counts = forms.counts()
    saturation = saturate(forms)
    impossible = np.flatnonzero(
        saturation.unsatisfiable[: words.n_classes] & (words.class_kinds == Kind.NAMED)
    ).tolist()
    return {
        "format": ontology.format,
        "classes": int((words.class_kinds == Kind.NAMED).sum()),
        "roles": int((words.role_kinds == Kind.NAMED).sum()),
        "individuals": int((words.class_kinds == Kind.INDIVIDUAL).sum()),
        "axioms": len(ontology.axiom_nodes),
        "normal_forms": {code: counts[code] for code in _PROMISED},
        "fresh_classes": int((words.class_kinds == Kind.FRESH).sum()),
        "unsupported": unsupported_by_kind(forms),
        "ignored": dict(ontology.ignored),
        "consistent": saturation.consistent,
        "unsatisfiable": sorted(words.classes[c] for c in impossible) if saturation.consistent else [],
    }
