"""`elgeo dataset split`: axioms of one's own ontology, held out."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from elgeo.cli.dataset.options import add_choosing, add_imports, add_output, add_splitting, division, name_of
from elgeo.cli.dataset.saving import check_output, save_dataset
from elgeo.datasets.sources.given import given
from elgeo.datasets.splits.patterns import HELP
from elgeo.documents import document_text, shown
from elgeo.errors import SettingError
from elgeo.messages import say

if TYPE_CHECKING:
    from elgeo.datasets.splits.holdout import HoldOut

SUMMARY = "a completion dataset from any ontology of one's own"
EXAMPLE = 'elgeo dataset split my.owl --axioms "?C SubClassOf part_of some ?D" -o mine'


def configure(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    parser.add_argument(
        "ontology", type=given, metavar="FILE", help="OWL or OBO, plain or compressed; or its web address"
    )
    add_imports(parser)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "--axioms",
        action="append",
        metavar="PATTERN",
        help=f"which axioms: {HELP}; given again, or `all` (every shape that has enough): a dataset for each shape, "
        "all with one training",
    )
    what.add_argument(
        "--deductive",
        action="store_true",
        help="train on all that is asserted; held out are the C SubClassOf D that follow and are not asserted",
    )
    what.add_argument(
        "--forms",
        choices=["all"],
        help="of every normal form some axioms are held out, each to be found by its last class (axiom prediction)",
    )
    what.add_argument(
        "--definitions-whole",
        action="store_true",
        help="hold out whole definitions; the class of each is to be found by its expression (models like transbox)",
    )
    add_output(parser)
    add_splitting(parser)
    add_choosing(parser)
    parser.add_argument(
        "--kind", action="append", default=[], metavar="NAME=START", help="classes whose IRI starts so are of this kind"
    )


def run(options: argparse.Namespace) -> int:
    """Split and save."""
    from elgeo.datasets.splits.holdout import HoldOut, hold_out
    from elgeo.datasets.splits.shapes import ALL
    from elgeo.datasets.targets import replaceable

    several = options.axioms is not None and (len(options.axioms) > 1 or options.axioms == [ALL])
    check_output(options, replaceable if several else None)
    if options.deductive:
        return _deductive(options)
    if options.forms:
        return _all_forms(options)
    if options.definitions_whole:
        return _definitions(options)
    kinds = {}
    for text in options.kind:
        name, equals, start = text.partition("=")
        if not name or not equals or not start:
            raise SettingError(f"--kind {shown(text)}: give NAME=START, for example protein=http://4932.")
        kinds[name] = start
    recipe = HoldOut(
        ontology=options.ontology,
        axioms=options.axioms[0],
        **division(options),
        kinds=kinds,
        imports=tuple(options.imports),
        name=name_of(options),
        language=options.language,
    )
    return _several(options, recipe) if several else save_dataset(options, *hold_out(recipe, say))


def _several(options: argparse.Namespace, recipe: HoldOut) -> int:
    from elgeo.datasets.splits.several import hold_out_several
    from elgeo.datasets.statistics import statistics

    found = hold_out_several(recipe, options.axioms, say)
    found.save(options.output, options.force)
    say(f"wrote {options.output}")
    counts = {target.axioms: statistics(target.dataset) for target in found.targets}
    if options.json:
        print(document_text({"name": found.name, "targets": counts}))
        return 0
    for target in found.targets:
        rows = target.dataset.train, target.dataset.valid, target.dataset.test
        print(f"{target.folder}: {target.axioms}: {' + '.join(f'{len(part):,}' for part in rows)} axioms")
    return 0


def _deductive(options: argparse.Namespace) -> int:
    from elgeo.datasets.splits.deductive import Deduction, deduce

    _check_plain(options, "--deductive holds out what follows")
    return save_dataset(options, *deduce(Deduction(**_plain(options)), say))


def _all_forms(options: argparse.Namespace) -> int:
    from elgeo.datasets.splits.all_forms import AllForms, split_forms

    _check_plain(options, "--forms all holds out rows of normal forms")
    return save_dataset(options, *split_forms(AllForms(**_plain(options)), say))


def _definitions(options: argparse.Namespace) -> int:
    from elgeo.datasets.splits.definitions import WholeDefinitions, split_definitions

    _check_plain(options, "--definitions-whole holds out definitions")
    return save_dataset(options, *split_definitions(WholeDefinitions(**_plain(options)), say))


def _check_plain(options: argparse.Namespace, why: str) -> None:
    """Refuse what chooses among axioms of one shape."""
    given = {"--kind": options.kind, "--split-definitions": options.split_definitions}
    given |= {"--drop-entailed or --remove-entailing": options.entailed, "--cold or --as-drawn": options.classes}
    if wrong := [name for name, value in given.items() if value]:
        raise SettingError(f"{why}: {wrong[0]} would change nothing, leave it out")


def _plain(options: argparse.Namespace) -> dict[str, Any]:
    """What there is to say where axioms are not chosen by shape."""
    settings = division(options)
    return {
        "ontology": options.ontology,
        "shares": settings["shares"],
        "seed": settings["seed"],
        "imports": tuple(options.imports),
        "name": name_of(options),
        "language": options.language,
    }
