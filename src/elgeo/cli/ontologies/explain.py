"""`elgeo explain`: proofs and justifications of axioms, or of everything that is unsatisfiable."""

from __future__ import annotations

import argparse
from typing import Any

from elgeo.cli.ontologies.answering import add_axioms, add_printing, check_limit, print_answer, print_document
from elgeo.cli.ontologies.options import read_ontology, tell_left_out
from elgeo.errors import SettingError
from elgeo.messages import say
from elgeo.ontology import normalise
from elgeo.ontology.expressions import NOTHING
from elgeo.reasoning.questions.answers import CONTRADICTS, ENTAILED, NOT_ENTAILED
from elgeo.reasoning.reasoner import Reasoner
from elgeo.reasoning.taxonomy.roots import unsatisfiable_roots


def configure(parser: argparse.ArgumentParser) -> None:
    add_axioms(parser)
    parser.add_argument(
        "--unsatisfiable",
        action="store_true",
        help="explain every class that can have no instance by itself; those that only follow another are listed apart",
    )
    add_printing(parser, limit=10)
    parser.epilog = """\
A proof is a tree of rules down to asserted axioms. A justification is a set of axioms that entails the axiom,
and no longer does when any one of them is removed.

example: elgeo explain go.obo "GO:0000001 SubClassOf GO:0008150"
         elgeo explain pizza.owl --unsatisfiable"""


def run(options: argparse.Namespace) -> None:
    check_limit(options)
    if not options.axioms and not options.unsatisfiable:
        raise SettingError("nothing to explain: give axioms, or --unsatisfiable")
    forms = normalise(read_ontology(options))
    reasoner = Reasoner(forms)
    names = reasoner.forms.vocabulary.classes
    asked, derived = list(options.axioms), dict[str, list[str]]()
    if not reasoner.consistent:
        say("the ontology is inconsistent: it entails every axiom")
        asked += ["owl:Thing SubClassOf owl:Nothing"] if options.unsatisfiable else []
    elif options.unsatisfiable:
        roots, others = unsatisfiable_roots(reasoner.saturation)
        asked += [f"SubClassOf(<{names[c]}> <{NOTHING}>)" for c in roots]
        derived = {names[c]: [names[root] for root in by] for c, by in others.items()}
    found = [_explained(reasoner, text, options.limit) for text in asked]
    if options.unsatisfiable or any(each["answer"] == NOT_ENTAILED for each in found):
        tell_left_out(forms)
    if options.json:
        more = {"derived": derived} if options.unsatisfiable else {}
        print_document("explained", found, reasoner.consistent, **more)
        return
    for each in found:
        print_answer(each)
    if derived:
        print(f"unsatisfiable because of others: {len(derived):,}")
        for name, by in sorted(derived.items()):
            print(f"  {name}\t{' '.join(by)}")
    if options.unsatisfiable and not found:
        say("every class can have instances")


def _explained(reasoner: Reasoner, text: str, limit: int) -> dict[str, Any]:
    answer = reasoner.verdict(text)
    found: dict[str, Any] = {"axiom": text, "answer": answer}
    answers = reasoner.answers
    if answer == CONTRADICTS and (broken := answers.only_limit_broken(answers.question(text))):
        found["reason"] = f"it would break {broken}, which EL++ cannot say: there is no proof to show"
    elif answer in (ENTAILED, CONTRADICTS):
        proof = reasoner.explain(text)
        found |= {"text": str(proof), "proof": proof.to_dict()["proof"]}
        found["justifications"] = reasoner.justifications(text, limit)
    return found
