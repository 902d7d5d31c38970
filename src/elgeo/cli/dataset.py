"""`elgeo dataset build | fetch | info | releases | split`: what is trained on and what is held out."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from elgeo.cli import releases
from elgeo.cli.ontology_options import LANGUAGE_HELP
from elgeo.datasets.drops import Drops
from elgeo.datasets.model import Dataset
from elgeo.datasets.splits.patterns import HELP
from elgeo.errors import SettingError
from elgeo.messages import say
from elgeo.ontology.reading.labels import ENGLISH

Action = Callable[[argparse.Namespace], int]
EXAMPLES = """examples:
  elgeo dataset build --ontology go.obo --interactions 4932.protein.links.v11.5.txt.gz --annotations sgd.gaf.gz \\
      --aliases 4932.protein.aliases.v11.5.txt.gz --target interacts_with -o yeast-iw
  elgeo dataset build --ontology hp.obo --pairs phenotype.hpoa --role has_phenotype --kinds disease= phenotype=HP: -o hp
  elgeo dataset split my-ontology.owl --axioms "?C SubClassOf part_of some ?D" -o mine
  elgeo dataset releases go-2019.obo go-2026.obo -o back-test
  elgeo dataset info yeast-iw
  elgeo dataset fetch yeast-hf -o yeast-hf"""


def configure(parser: argparse.ArgumentParser) -> None:
    """The five commands and their options."""
    parser.epilog = EXAMPLES
    commands = parser.add_subparsers(metavar="COMMAND", dest="dataset_command", required=True)

    def command(name: str, summary: str, example: str, act: Action) -> argparse.ArgumentParser:
        sub = commands.add_parser(
            name,
            help=summary,
            description=summary,
            epilog=f"example:\n  {example}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        sub.set_defaults(act=act)
        sub.add_argument("--json", action="store_true", help="print the result as one JSON document")
        return sub

    build = command(
        "build",
        "a dataset from an ontology, interactions and annotations, or from another project's files",
        "elgeo dataset build --ontology go.obo --interactions links.txt.gz --annotations sgd.gaf.gz -o yeast-iw",
        _build,
    )
    _output(build)
    build.add_argument("--ontology", type=Path, help="OWL or OBO file, plain or gzip")
    _imports(build)
    for option, text in (
        ("--interactions", "STRING protein.links or protein.physical.links, or tables of two columns"),
        ("--annotations", "GAF 2.x, or tables: protein, term[, evidence[, aspect]]"),
    ):
        build.add_argument(option, type=Path, nargs="+", default=(), metavar="FILE", help=text)
    build.add_argument(
        "--pairs",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="a table of pairs (two columns, triples, KGX edges, HPO annotations); may be given again, with its --role",
    )
    build.add_argument("--role", action="append", default=[], metavar="NAME", help="the role that the pairs are about")
    build.add_argument(
        "--kinds",
        action="append",
        nargs=2,
        default=[],
        metavar="NAME=START",
        help="kinds of the pairs' heads and tails, and how their names begin: gene=NCBIGene: phenotype=HP:",
    )
    build.add_argument("--aliases", type=Path, help="STRING protein.aliases, to map the annotated ids to proteins")
    build.add_argument(
        "--target",
        help="interacts_with (default) or has_function; the role to split with --pairs (default: the first); "
        "a role or `subclass` with --from",
    )
    build.add_argument("--train", type=Path, help="the target relation's training pairs, when it is split already")
    build.add_argument("--valid", type=Path, help="its validation pairs")
    build.add_argument("--test", type=Path, help="its test pairs")
    _splitting(build)
    build.add_argument("--min-score", type=float, help="least score of an interaction (STRING files: 700)")
    direction = build.add_mutually_exclusive_group()
    direction.add_argument(
        "--symmetric", action="store_true", default=True, help="say each interaction in both directions (default)"
    )
    direction.add_argument("--as-is", dest="symmetric", action="store_false", help="only as their file says it")
    build.add_argument(
        "--twins-apart", action="store_true", help="with --as-is: let (a, b) and (b, a) fall into different parts"
    )
    build.add_argument("--evidence", help="keep annotations with these codes only: IDA,IMP or experimental")
    _choosing(build)
    build.add_argument(
        "--from",
        dest="from_project",
        type=Path,
        metavar="DIR",
        help="a dataset of mOWL, Box2EL or EmEL++",
    )

    fetch = command(
        "fetch",
        "one of the paper's datasets from its public sources",
        "elgeo dataset fetch yeast-iw -o yeast-iw",
        _fetch,
    )
    fetch.add_argument("name", help="yeast-iw, yeast-hf, human-iw or human-hf")
    _output(fetch)
    fetch.add_argument("--downloads", type=Path, help="folder for the downloaded files (default: DIR-downloads)")
    fetch.add_argument("--sources", type=Path, help="a table of addresses in place of the package's own")
    fetch.add_argument("--base-url", help="a mirror: https://host/path is fetched from BASE_URL/host/path")
    fetch.add_argument("--timeout", type=float, default=60.0, help="seconds of silence that end a connection (60)")
    fetch.add_argument("--tries", type=int, default=5, help="attempts at one address (5)")
    fetch.add_argument("--max-megabytes", type=float, help="the largest file that is accepted")
    fetch.add_argument("--seed", type=int, default=0, help="of the split (0)")

    info = command(
        "info", "counts by split, kind and normal form, beside the paper's", "elgeo dataset info family", _info
    )
    info.add_argument("dataset", metavar="DIR", help="a dataset's folder, or the name of an embedded one")

    split = command(
        "split",
        "a completion dataset from any ontology of one's own",
        'elgeo dataset split my.owl --axioms "?C SubClassOf part_of some ?D" -o mine',
        _split,
    )
    split.add_argument("ontology", type=Path, metavar="FILE")
    _imports(split)
    split.add_argument(
        "--axioms",
        required=True,
        metavar="PATTERN",
        help=f"which axioms: {HELP}",
    )
    _output(split)
    _splitting(split)
    _choosing(split)
    split.add_argument(
        "--kind", action="append", default=[], metavar="NAME=START", help="classes whose IRI starts so are of this kind"
    )

    back_test = command("releases", releases.SUMMARY, releases.EXAMPLE, releases.run)
    releases.configure(back_test)
    _imports(back_test)
    _output(back_test)


def run(options: argparse.Namespace) -> int:
    """Run the chosen one."""
    return int(options.act(options))


def _output(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="DIR", help="the dataset's folder")
    parser.add_argument("--force", action="store_true", help="replace a dataset that is there already")


def _imports(parser: argparse.ArgumentParser) -> None:
    text = "a file, or a folder of files, with imported ontologies; may be given again"
    parser.add_argument("--import", dest="imports", type=Path, action="append", default=[], metavar="FILE", help=text)
    parser.add_argument("--language", metavar="TAG", default=ENGLISH, help=LANGUAGE_HELP)


def _splitting(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--split", default="90:5:5", help="shares of train:valid:test (90:5:5)")
    parser.add_argument("--seed", type=int, default=0, help="of the split (0)")
    parser.add_argument("--name", help="the dataset's name (default: the folder's)")


def _choosing(parser: argparse.ArgumentParser) -> None:
    """Which axioms are held out."""
    entailed = parser.add_mutually_exclusive_group()
    entailed.add_argument(
        "--drop-entailed",
        action="store_const",
        dest="entailed",
        const="drop",
        help="leave out what training entails",
    )
    entailed.add_argument(
        "--remove-entailing",
        action="store_const",
        dest="entailed",
        const="remove-entailing",
        help="take axioms out of training until it entails no held-out axiom",
    )
    classes = parser.add_mutually_exclusive_group()
    classes.add_argument(
        "--cold",
        action="store_const",
        dest="classes",
        const="cold",
        help="hold out heads of which training says nothing (default: every class of a held-out axiom stays known)",
    )
    classes.add_argument(
        "--as-drawn",
        action="store_const",
        dest="classes",
        const="as-drawn",
        help="hold out whatever chance gives, also all that is known of a class",
    )
    parser.add_argument(
        "--split-definitions",
        action="store_true",
        help="hold out also what a definition says too, and take it out of the definition (default: it stays)",
    )


def _build(options: argparse.Namespace) -> int:
    from elgeo.datasets.sources.annotations import parse_evidence
    from elgeo.datasets.sources.build import PARTS, Recipe, build
    from elgeo.datasets.splits.splitting import parse_shares

    _check_output(options)
    if options.from_project:
        from elgeo.datasets.sources.other_projects import convert_project

        return _save(
            options,
            *convert_project(options.from_project, options.target, options.name or options.output.resolve().name),
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
        name=options.name or options.output.resolve().name,
        language=options.language,
    )
    return _save(options, *build(recipe, say))


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
        division=Division(**_division(options)),
        imports=tuple(options.imports),
        name=options.name or options.output.resolve().name,
        language=options.language,
    )
    return _save(options, *build_from_pairs(recipe, say))


def _fetch(options: argparse.Namespace) -> int:
    from elgeo.datasets.sources.download import Limits
    from elgeo.datasets.sources.fetch import fetch, read_sources

    _check_output(options)
    if options.timeout <= 0 or options.tries < 1 or (options.max_megabytes is not None and options.max_megabytes <= 0):
        raise SettingError("--timeout and --max-megabytes must be above 0, and --tries at least 1")
    folder = options.output.resolve()
    dataset, drops = fetch(
        options.name,
        options.downloads or folder.with_name(folder.name + "-downloads"),
        read_sources(options.sources),
        options.base_url,
        replace(Limits(), timeout=options.timeout, tries=options.tries),
        int(options.max_megabytes * 1e6) if options.max_megabytes else None,
        say,
        options.seed,
    )
    return _save(options, dataset, drops)


def _info(options: argparse.Namespace) -> int:
    from elgeo.datasets import load

    _print(load(options.dataset), options.json)
    return 0


def _split(options: argparse.Namespace) -> int:
    from elgeo.datasets.splits.holdout import HoldOut, hold_out

    _check_output(options)
    kinds = {}
    for text in options.kind:
        name, equals, start = text.partition("=")
        if not name or not equals or not start:
            raise SettingError(f"--kind {text!r}: give NAME=START, for example protein=http://4932.")
        kinds[name] = start
    recipe = HoldOut(
        ontology=options.ontology,
        axioms=options.axioms,
        **_division(options),
        kinds=kinds,
        imports=tuple(options.imports),
        name=options.name or options.output.resolve().name,
        language=options.language,
    )
    return _save(options, *hold_out(recipe, say))


def _division(options: argparse.Namespace) -> dict[str, Any]:
    """How much is held out, and which axioms."""
    from elgeo.datasets.splits.splitting import parse_shares

    return {
        "shares": parse_shares(options.split, say),
        "seed": options.seed,
        "classes": options.classes or "warm",
        "split_definitions": options.split_definitions,
        "entailed": options.entailed or "keep",
    }


def _check_output(options: argparse.Namespace) -> None:
    """Before the work, not after it."""
    from elgeo.datasets.folder import may_be_replaced
    from elgeo.files import settled

    if settled(options.output).exists() and not (options.force and may_be_replaced(options.output)):
        raise SettingError(
            f"{options.output} exists already: give another folder, or --force to replace a dataset there"
        )


def _save(options: argparse.Namespace, dataset: Dataset, drops: Drops) -> int:
    from elgeo.datasets.finishing import finished
    from elgeo.datasets.folder import save

    say("looking for leakage")
    dataset = finished(dataset, drops)
    save(dataset, options.output, drops.listed, replace_existing=options.force)
    say(f"wrote {options.output}")
    _print(dataset, options.json)
    return 0


def _print(dataset: Dataset, as_json: bool) -> None:
    from elgeo.datasets.statistics import statistics, table

    counts = statistics(dataset)
    print(json.dumps(counts, indent=2) if as_json else table(counts))
