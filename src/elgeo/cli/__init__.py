"""One thin command for each thing a person does; a command's module is imported only when it is called.

Takes a command line; gives an exit code (2 for anything wrong, with one line that says what). Begin here: `MODULES`
says where each command is, in `ontologies/`, `dataset/` or `runs/` by what it is about; `parsing.py` is the parser
and its advice, `plugins.py` brings in models of a user's own.
"""

from __future__ import annotations

import argparse
import atexit
import gc
import importlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from elgeo.cli import plugins, torchrun
from elgeo.cli.parsing import Parser
from elgeo.errors import ElgeoError
from elgeo.messages import say, use_words

GROUPS = (
    ("elgeo.cli", {"demo": "the whole job on embedded examples"}),
    (
        "elgeo.cli.ontologies",
        {
            "info": "what is in an ontology file",
            "normalise": "an ontology as tables, one for each normal form",
            "classify": "the hierarchy of the named classes",
            "reason": "an ontology with what follows from it added",
            "query": "the classes and individuals below, above or in a class expression",
            "entails": "whether axioms follow from an ontology, and why",
            "explain": "why axioms follow, and why classes can have no instance",
            "closure": "everything an ontology entails in each normal form",
            "convert": "an ontology in another syntax",
            "merge": "several ontologies as one",
            "reduce": "an ontology without the axioms that its others entail",
            "diff": "axioms and consequences that came and went",
        },
    ),
    ("elgeo.cli", {"dataset": "what is trained on and what is held out"}),
    (
        "elgeo.cli.runs",
        {
            "run": "train, evaluate and report in one",
            "train": "train a model on a dataset",
            "evaluate": "where a run ranks the axioms held out from it",
            "predict": "the best missing axioms of a run",
            "place": "where a new term belongs",
            "score": "truth and score of whole axioms in a run",
            "export": "the embeddings of a run",
            "serve": "a page to look at predictions and decide about them",
            "apply": "accepted axioms added to an ontology",
            "report": "one self-contained page about one or several runs",
        },
    ),
    (
        "elgeo.cli",
        {
            "reproduce": "the paper's tables and figures, beside the printed ones",
            "sweep": "search hyperparameters, alone or shared between machines",
            "models": "the models, their papers, settings and defaults",
        },
    ),
)
"""Rooms, their commands and a line on each, in the order of a user's work; a command's module there has `configure` and
`run`."""
COMMANDS = {name: summary for _, commands in GROUPS for name, summary in commands.items()}
MODULES = {name: f"{room}.{name}" for room, commands in GROUPS for name in commands}

COMPLETION = "--print-completion"
_OBJECTS = 50_000
"""New ones between two looks for garbage; with Python's 700 that takes a tenth of the time in which torch is loaded."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 on success, 2 on bad input with one message, 130 when interrupted."""
    if arguments is None:
        look_for_garbage_seldom()
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    with torchrun.one_voice(arguments) as goes_on:
        return _main(arguments) if goes_on else 0


def look_for_garbage_seldom() -> None:
    """For a process of our own: what it loads is hundreds of thousands of objects, and none of them is garbage."""
    gc.set_threshold(_OBJECTS)
    # the last look, before the process ends anyway, takes a fifth of a second in what numba has made
    atexit.register(gc.freeze)


def _main(arguments: list[str]) -> int:
    try:
        for stream in (sys.stdout, sys.stderr):
            use_words(stream)
        modules, arguments = plugins.split(arguments)
        with plugins.plugged_in(modules):
            parser = _parser(arguments)
            options = parser.parse_args(arguments)
            if not hasattr(options, "run"):
                parser.print_help()
                return 2
            missing = _missing_folder(options)
            code = int(options.run(options) or 0)
            if missing is not None and missing.is_dir():
                say(f"made the folder {missing}")
            return code
    except ElgeoError as error:
        if torchrun.is_mine_to_say(error):
            say(error)
        return 2
    except BrokenPipeError:
        # the reader of our output has gone (`elgeo … | head`): that is no error
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        say(f"{place}{error.strerror or error}")
        return 2
    except MemoryError as error:
        say(f"not enough memory{f': {error}' if str(error) else ''}")
        return 2
    except KeyboardInterrupt as stopped:
        if torchrun.is_mine_to_say(stopped):
            say(str(stopped) or "interrupted")
        return 130


def _missing_folder(options: argparse.Namespace) -> Path | None:
    """The folder that what is written is to lie in, if it is not there yet: it is made, and that is said."""
    output = getattr(options, "output", None)
    folder = Path(output).parent if output is not None else None
    return None if folder is None or folder.exists() else folder


def _parser(arguments: Sequence[str]) -> argparse.ArgumentParser:
    """The parser of all commands; only the one that is called, or all for completion, have their options."""
    from elgeo import __version__

    parser = Parser(
        prog="elgeo",
        description="Turns an ontology into geometry: reasons, embeds, ranks the axioms that are missing.",
        epilog="example: elgeo info go.obo",
    )
    parser.add_argument("--version", action="version", version=f"elgeo {__version__}")
    parser.add_argument(
        plugins.FLAG,
        metavar="MODULE",
        help="before the command: import a module or file of your own first",
    )
    completes = bool(arguments) and arguments[0].startswith(COMPLETION)
    if completes:
        import shtab

        shtab.add_argument_to(parser, COMPLETION)
    else:
        parser.add_argument(
            COMPLETION, choices=("bash", "zsh", "tcsh"), help="print what lets a shell complete commands"
        )
    commands = parser.add_subparsers(metavar="COMMAND", dest="command")
    called = next((each for each in arguments if each in COMMANDS), None)
    for name, summary in COMMANDS.items():
        command = commands.add_parser(
            name, help=summary, description=summary, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        if completes or name == called:
            module = importlib.import_module(MODULES[name])
            module.configure(command)
            command.set_defaults(run=module.run)
    return parser
