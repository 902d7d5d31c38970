"""`elgeo dataset build | fetch | info | split | releases`: what is trained on and what is held out.

Takes a command line; gives a dataset's folder, or what is in one. Begin at the module of a command, each with its
`SUMMARY`, an `EXAMPLE`, `configure` and `run`; `options.py` and `saving.py` have what they share.
"""

from __future__ import annotations

import argparse

from elgeo.cli.dataset import build, fetch, info, releases, split

COMMANDS = {"build": build, "fetch": fetch, "info": info, "split": split, "releases": releases}
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
    for name, command in COMMANDS.items():
        sub = commands.add_parser(
            name,
            help=command.SUMMARY,
            description=command.SUMMARY,
            epilog=f"example:\n  {command.EXAMPLE}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        sub.set_defaults(act=command.run)
        sub.add_argument("--json", action="store_true", help="print the result as one JSON document")
        command.configure(sub)


def run(options: argparse.Namespace) -> int:
    """Run the chosen one."""
    return int(options.act(options))
