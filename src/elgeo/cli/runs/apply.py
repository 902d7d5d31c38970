"""`elgeo apply`: accepted axioms added to an ontology, which is classified again."""

from __future__ import annotations

import argparse
from pathlib import Path

from elgeo.cli.ontologies.options import add_ontology, read_ontology
from elgeo.cli.ontologies.output import add_output, check_output, save
from elgeo.errors import ElgeoError, clipped
from elgeo.messages import counted, say
from elgeo.ontology.writing.words import words
from elgeo.serve.applying import apply, described
from elgeo.serve.decisions import Decisions

SHOWN = 5
"""Axioms that are named of those that were left out."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("decisions", metavar="DECISIONS", help="the file that `elgeo serve` keeps decisions in")
    add_ontology(parser)
    add_output(parser)
    parser.epilog = """\
Added are axioms that someone accepted and nobody rejected, annotated with who, when and what predicted them.
Standard error says what more follows, and which classes became unsatisfiable.
The copy has the axioms, declarations, labels, synonyms, definitions and what is obsolete; no other annotations:
where you need those, write the axioms alone (`Export` on the page of `elgeo serve`) and merge them in your editor.

example: elgeo apply decisions.sqlite go.obo -o go-curated.owl"""


def run(options: argparse.Namespace) -> None:
    check_output(options)
    if not Path(options.decisions).is_file():
        raise ElgeoError(f"{options.decisions}: no such file; `elgeo serve RUN --decisions FILE` makes one")
    accepted = Decisions(options.decisions, to_read=True).accepted()
    applied = apply(read_ontology(options), accepted)
    if applied.strangers and len(applied.strangers) == len(accepted):
        of, missing = counted(len(accepted), "accepted axiom"), clipped(applied.strangers[0][1], 200)
        raise ElgeoError(f"of {of} none is about {options.file}, which does not have {missing}: another ontology?")
    for decision, name in applied.strangers[:SHOWN]:
        say(f"left out: {clipped(decision.axiom.functional(), 400)}: the ontology does not have {clipped(name, 200)}")
    if len(applied.strangers) > SHOWN:
        say(f"left out: {counted(len(applied.strangers) - SHOWN, 'more axiom')} with names it does not have")
    if applied.known:
        say(f"{counted(len(applied.known), 'axiom')} already there")
    say(described(applied))
    if applied.ontology.ignored.get("annotations", 0) > len(list(words(applied.ontology))):
        say("annotations other than labels, synonyms, definitions and what is obsolete are not in the copy")
    for axiom in applied.contradicted[:10]:
        limit = applied.limits_broken.get(axiom)
        say(f"now follows: {clipped(axiom, 400)}" + (f", by {clipped(limit, 400)}" if limit else ""))
    save(
        applied.ontology,
        options,
        applied.notes,
        added=[decision.axiom.functional() for decision in applied.added],
        follows=applied.follows,
        links=applied.links,
        contradicted=applied.contradicted,
        beyond=applied.beyond,
    )
