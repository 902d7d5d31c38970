"""`elgeo entails`: whether axioms follow from an ontology, and why."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from elgeo.cli.ontologies.answering import add_axioms, add_printing, check_limit, print_answer, print_document
from elgeo.cli.ontologies.options import read_ontology, tell_left_out
from elgeo.errors import ElgeoError, ReadError, SettingError
from elgeo.messages import say
from elgeo.ontology import normalise, read
from elgeo.ontology.reading.formats import is_ontology
from elgeo.reasoning.questions.answers import CONTRADICTS, NOT_ENTAILED, UNDECIDED, Answers
from elgeo.reasoning.questions.question import Question
from elgeo.reasoning.reasoner import Reasoner


def configure(parser: argparse.ArgumentParser) -> None:
    add_axioms(parser)
    parser.add_argument(
        "--axioms",
        dest="axiom_file",
        metavar="FILE",
        help="a file with an axiom on each line (# starts a comment), or an ontology; - is standard input",
    )
    parser.add_argument("--explain", action="store_true", help="add a proof: a tree of axioms and rules")
    parser.add_argument("--all-justifications", action="store_true", help="add every minimal set of axioms it rests on")
    add_printing(parser, limit=100)
    parser.epilog = """\
Each axiom is entailed, not entailed, or contradicts: with it, its left side would be unsatisfiable.
One that EL++ has no words for is undecided, with the reason.

example: elgeo entails go.obo "GO:0000001 SubClassOf part_of some GO:0005575" --explain"""


def run(options: argparse.Namespace) -> None:
    check_limit(options)
    forms = normalise(read_ontology(options))
    answers = Answers(Reasoner(forms).saturation)
    questions = list(_questions(options, answers))
    if not questions:
        raise SettingError("no axioms to ask for: give them as arguments or with --axioms FILE")
    if not answers.saturation.consistent:
        say("the ontology is inconsistent: it entails every axiom")
    found = []
    for text, question in questions:
        answer = _answer(options, answers, text, question)
        found.append(answer)
        if not options.json:
            print_answer(answer)
    if any(answer["answer"] == NOT_ENTAILED for answer in found):  # what is entailed is so with all axioms, too
        tell_left_out(forms)
    if options.json:
        print_document("answers", found, answers.saturation.consistent)


def _questions(options: argparse.Namespace, answers: Answers) -> Iterator[tuple[str, Question]]:
    for text in options.axioms:
        yield text, answers.question(text)
    if not options.axiom_file:
        return
    if options.axiom_file != "-" and is_ontology(options.axiom_file):
        asked = read(options.axiom_file)
        for axiom in asked.axioms:
            yield str(axiom), Question(asked, axiom.node)
        return
    for number, line in enumerate(_lines(options.axiom_file), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            try:
                yield line.strip(), answers.question(line)
            except ElgeoError as error:
                raise ReadError(str(error), options.axiom_file, number) from None


def _lines(path: str) -> list[str]:
    if path == "-":
        return sys.stdin.read().splitlines()
    try:
        return Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ReadError(f"cannot be read: {error}", path) from None


def _answer(options: argparse.Namespace, answers: Answers, text: str, question: Question) -> dict[str, Any]:
    answer: dict[str, Any] = {"axiom": text, "answer": answers.verdict(question)}
    if answer["answer"] == UNDECIDED:
        return answer | {"reason": answers.why_undecided(question)}
    if answer["answer"] == NOT_ENTAILED:
        return answer
    if answer["answer"] == CONTRADICTS and (limit := answers.only_limit_broken(question)):
        return answer | {"reason": f"it would break {limit}, which EL++ cannot say"}
    if options.explain:
        proof = answers.explain(question)
        answer |= {"text": str(proof), "proof": proof.to_dict()}
    if options.all_justifications:
        source = answers.saturation.forms.source
        assert source is not None
        answer["justifications"] = [
            [source.text(int(source.axiom_nodes[i])) for i in sorted(axioms)]
            for axioms in answers.justifications(question, options.limit)
        ]
    return answer
