"""What commands that read an ontology share: its options, and telling what could not be taken in full."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable

from elgeo.compilation import start_quickly
from elgeo.messages import as_shown, counted, say
from elgeo.ontology import read
from elgeo.ontology.model import Ontology
from elgeo.ontology.normal_forms import Form, NormalForms
from elgeo.ontology.reading.in_brief import in_brief
from elgeo.ontology.reading.labels import ENGLISH

MOST_KINDS = 2
"""Kinds of axioms that are named with every answer; `info` names all."""
LANGUAGE_HELP = "take labels in this language, else English or untagged ones (default en)"


def add_ontology(parser: argparse.ArgumentParser) -> None:
    """The file, and where its imports are."""
    parser.add_argument(
        "file",
        metavar="FILE",
        help="OWL (functional, RDF/XML, OWL/XML, Turtle) or OBO, plain or compressed: a file, an address on the web, "
        "or - for standard input",
    )
    parser.add_argument(
        "--import",
        dest="imports",
        metavar="FILE",
        action="append",
        default=[],
        help="a file (or a folder of files) with imported ontologies; may be given again",
    )
    parser.add_argument(
        "--language",
        metavar="TAG",
        default=ENGLISH,
        help=LANGUAGE_HELP,
    )


def read_ontology(options: argparse.Namespace, whole_warnings: bool = False) -> Ontology:
    """Read the file; warnings, missing imports among them, go to standard error, in a line unless all are asked for."""
    start_quickly()
    ontology = read(options.file, imports=options.imports, language=options.language)
    for warning in ontology.warnings if whole_warnings else in_brief(options.file, ontology):
        say(f"warning: {warning}")
    return ontology


def form_lines(counts: Iterable[tuple[Form, int]], digits: int = 12) -> list[str]:
    """Normal forms, what they mean and how many there are of each, in columns on any terminal."""
    rows = [(form.code, as_shown(form.meaning), count) for form, count in counts]
    width = max(12, *(len(meaning) for _, meaning, _ in rows)) + 2
    return [f"{code:<12}{meaning:<{width}}{count:>{digits},}" for code, meaning, count in rows]


def tell_left_out(forms: NormalForms) -> None:
    """Say, where it is so, that some of the ontology no answer takes into account."""
    if forms.unsupported:
        say(f"{counted(len(forms.unsupported), 'axiom')} beyond EL++ used in part (`elgeo info` says which)")


def tell_left_out_by_kind(forms: NormalForms) -> None:
    """Say, where it is so, what of the ontology no answer takes into account."""
    if kinds := unsupported_by_kind(forms):
        most = [f"{kind} {count:,}" for kind, count in kinds.items()][:MOST_KINDS]
        by_kind = ", ".join([*most, *["…"] * (len(kinds) > MOST_KINDS)])
        use = f" {forms.limits.n_axioms:,} also rule suggestions out," if forms.limits.n_axioms else ""
        say(
            f"EL++ cannot say all of {counted(len(forms.unsupported), 'axiom')} ({by_kind}); what it can is used,"
            f"{use} `elgeo info --list-unsupported` lists them"
        )


def unsupported_by_kind(forms: NormalForms) -> dict[str, int]:
    """How many axioms EL++ cannot say, by the constructor that is the reason, most frequent first."""
    return dict(Counter(kind for kind, _ in forms.unsupported).most_common())
