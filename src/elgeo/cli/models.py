"""`elgeo models`: what can be trained, where it was published, and every setting with its default."""

from __future__ import annotations

import argparse
from typing import Any

from elgeo.documents import document_text


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", metavar="NAME", help="one model alone")
    parser.add_argument("--presets", action="store_true", help="the presets instead: settings by name")
    parser.add_argument("--markdown", action="store_true", help="the settings as tables, as they stand in the docs")
    parser.add_argument("--json", action="store_true", help="one JSON document")
    parser.epilog = "example: elgeo models elem"


def run(options: argparse.Namespace) -> int:
    if options.presets:
        return _presets(options)
    from elgeo.shipped import check_model

    check_model(options.name)
    from elgeo.models import find, names
    from elgeo.training.settings import settings_of

    wanted = [options.name] if options.name else names()
    found: dict[str, Any] = {name: {"paper": find(name).paper, "settings": settings_of(name)} for name in wanted}
    if options.json:
        print(document_text({name: {**one, "settings": _plain(one["settings"])} for name, one in found.items()}))
        return 0
    shown: set[tuple[str, ...]] = set()
    for name, one in found.items():
        print(f"{name}: {one['paper']}\n")
        for group, settings in one["settings"].items():
            names_of = (group, *(each.name for each in settings))
            if names_of not in shown and settings:
                print(table(settings) if options.markdown else _listed(group, settings), end="\n\n")
            shown.add(names_of)
    return 0


def table(settings: list[Any]) -> str:
    """Settings as a markdown table."""
    lines = [f"| `{each.name}` | `{written(each.default)}` | {each.doc} | {each.values} |" for each in settings]
    return "\n".join(["| setting | default | meaning | values |", "|---|---|---|---|", *lines])


def _listed(group: str, settings: list[Any]) -> str:
    title = "what can be set of its training:" if group == "training" else f"{group}'s own settings:"
    return "\n".join(
        [f"  {title}", *(f"    {each.name} = {written(each.default)}\n        {each.doc}" for each in settings)]
    )


def _presets(options: argparse.Namespace) -> int:
    from elgeo.experiments.presets import PRESETS

    if options.json:
        print(document_text(PRESETS))
    else:
        for name, changes in PRESETS.items():
            print(f"{name}\n    " + " ".join(f"{key}={written(value)}" for key, value in changes.items()))
    return 0


def _plain(groups: dict[str, Any]) -> dict[str, Any]:
    return {
        group: {each.name: {"default": each.default, "doc": each.doc, "values": each.values} for each in settings}
        for group, settings in groups.items()
    }


def written(value: Any) -> str:
    """A value as `--set` takes it."""
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(value) if isinstance(value, (tuple, list)) else "none" if value is None else str(value)
