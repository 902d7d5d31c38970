"""`elgeo dataset build`: from an ontology, interactions and annotations, pairs, or another project's files."""

from __future__ import annotations

import argparse
from pathlib import Path

from elgeo.cli.dataset.options import add_choosing, add_imports, add_output, add_splitting, division, name_of
from elgeo.cli.dataset.saving import check_output, save_dataset
from elgeo.datasets.sources.given import given
from elgeo.errors import SettingError
from elgeo.messages import say

SUMMARY = "a dataset from an ontology, interactions and annotations, or from another project's files"
EXAMPLE = "elgeo dataset build --ontology go.obo --interactions links.txt.gz --annotations sgd.gaf.gz -o yeast-iw"


def configure(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    add_output(parser)
    parser.add_argument(
        "--ontology", type=given, help="OWL or OBO file, plain or compressed; every file may be a web address too"
    )
    add_imports(parser)
    for option, text in (
        ("--interactions", "STRING protein.links or protein.physical.links, or tables of two columns"),
        ("--annotations", "GAF 2.x, or tables: protein, term[, evidence[, aspect]]"),
    ):
        parser.add_argument(option, type=given, nargs="+", default=(), metavar="FILE", help=text)
    parser.add_argument(
        "--pairs",
        type=given,
        action="append",
        default=[],
        metavar="FILE",
        help="a table of pairs (two columns, triples, KGX edges, SSSOM mappings, HPO annotations); may be given again, "
        "with its --role",
    )
    parser.add_argument("--role", action="append", default=[], metavar="NAME", help="the role that the pairs are about")
    parser.add_argument(
        "--kinds",
        action="append",
        nargs=2,
        default=[],
        metavar="NAME=START",
        help="kinds of the pairs' heads and tails, and how their names begin: gene=NCBIGene: phenotype=HP:",
    )
    parser.add_argument("--aliases", type=given, help="STRING protein.aliases, to map the annotated ids to proteins")
    parser.add_argument(
        "--target",
        help="interacts_with (default) or has_function; the role to split with --pairs (default: the first); "
        "a role or `subclass` with --from",
    )
    parser.add_argument("--train", type=given, help="the target relation's training pairs, when it is split already")
    parser.add_argument("--valid", type=given, help="its validation pairs")
    parser.add_argument("--test", type=given, help="its test pairs")
    add_splitting(parser)
    parser.add_argument("--min-score", type=float, help="least score of an interaction (STRING files: 700)")
    direction = parser.add_mutually_exclusive_group()
    direction.add_argument(
        "--symmetric", action="store_true", default=True, help="say each interaction in both directions (default)"
    )
    direction.add_argument("--as-is", dest="symmetric", action="store_false", help="only as their file says it")
    parser.add_argument(
        "--twins-apart", action="store_true", help="with --as-is: let (a, b) and (b, a) fall into different parts"
    )
    parser.add_argument("--evidence", help="keep annotations with these codes only: IDA,IMP or experimental")
    add_choosing(parser)
    parser.add_argument(
        "--from",
        dest="from_project",
        type=Path,
        metavar="DIR",
        help="a dataset of mOWL, Box2EL or EmEL++",
    )


def run(options: argparse.Namespace) -> int:
    """Build and save."""
    from elgeo.datasets.sources.annotations import parse_evidence
    from elgeo.datasets.sources.build import PARTS, Recipe, build
    from elgeo.datasets.splits.splitting import parse_shares

    check_output(options)
    if options.from_project:
        from elgeo.datasets.sources.other_projects import convert_project

        return save_dataset(
            options,
            *convert_project(options.from_project, options.target, name_of(options)),
        )
    if not options.ontology:
        raise SettingError("give --ontology FILE (or --from DIR)")
    if options.pairs:
        return _build_from_pairs(options)
    if options.role or options.kinds or options.classes or options.entailed or options.split_definitions:
        raise SettingError("--role, --kinds, --cold, --as-drawn and the like belong to --pairs")
    recipe = Recipe(
        ontology=options.ontology,
        target=options.target or "interacts_with",
        interactions=tuple(options.interactions),
        annotations=tuple(options.annotations),
        ready={part: path for part in PARTS if (path := getattr(options, part))},
        aliases=options.aliases,
        shares=parse_shares(options.split, say),
        seed=options.seed,
        min_score=options.min_score,
        symmetric=options.symmetric,
        twins_together=not options.twins_apart,
        evidence=parse_evidence(options.evidence) if options.evidence is not None else None,
        imports=tuple(options.imports),
        name=name_of(options),
        language=options.language,
    )
    return save_dataset(options, *build(recipe, say))


def _build_from_pairs(options: argparse.Namespace) -> int:
    from elgeo.datasets.sources.grafting import PairsRecipe, Relation, build_from_pairs, parse_kinds
    from elgeo.datasets.splits.holdout import Division

    if options.interactions or options.annotations or options.train or options.valid or options.test:
        raise SettingError("--pairs goes without --interactions, --annotations, --train, --valid and --test")
    if len(options.role) != len(options.pairs):
        raise SettingError(f"every --pairs needs its --role: {len(options.pairs)} and {len(options.role)} are given")
    if len(options.kinds) not in (0, 1, len(options.pairs)):
        raise SettingError("--kinds is given once for all --pairs, or once for each")
    kinds = [parse_kinds(each) for each in options.kinds] * (len(options.pairs) if len(options.kinds) == 1 else 1)
    named = list(zip(options.pairs, options.role, strict=True))
    relations = (
        [Relation(file, role, *ends) for (file, role), ends in zip(named, kinds, strict=True)]
        if kinds
        else [Relation(file, role) for file, role in named]
    )
    recipe = PairsRecipe(
        ontology=options.ontology,
        relations=tuple(relations),
        target=options.target,
        division=Division(**division(options)),
        imports=tuple(options.imports),
        name=name_of(options),
        language=options.language,
    )
    return save_dataset(options, *build_from_pairs(recipe, say))
