"""`elgeo --plugin MODULE COMMAND …`: a module of the user's own is imported first, so that its models have names."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from elgeo.errors import ElgeoError, SettingError

FLAG = "--plugin"
VARIABLE = "ELGEO_PLUGINS"
"""Where the processes that a command starts find the same modules."""


def split(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """The modules named before the command, and the command."""
    modules, rest = [], list(arguments)
    while rest and rest[0].split("=")[0] == FLAG:
        _, equals, module = rest.pop(0).partition("=")
        if not equals:
            if not rest:
                raise SettingError(f"{FLAG} needs the name of a module or a Python file")
            module = rest.pop(0)
        modules.append(module)
    return modules, rest


@contextmanager
def plugged_in(modules: Sequence[str]) -> Iterator[None]:
    """Import modules, those that a parent process had among them; children of this one will, too."""
    before = os.environ.get(VARIABLE)
    inherited = before.split(os.pathsep) if before else []
    every = list(dict.fromkeys([*inherited, *modules]))
    for module in every:
        _import(module)
    if every:
        os.environ[VARIABLE] = os.pathsep.join(every)
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(VARIABLE, None)
        else:
            os.environ[VARIABLE] = before


def _import(module: str) -> None:
    """Import a module by its name, also from the current folder, or a Python file by its path."""
    here = os.getcwd()
    if here not in sys.path:
        sys.path.append(here)
    try:
        if module.endswith(".py"):
            _import_file(Path(module))
        else:
            importlib.import_module(module)
    except ElgeoError:
        raise
    except Exception as error:
        raise SettingError(f"the plugin {module} cannot be imported: {type(error).__name__}: {error}") from None


def _import_file(path: Path) -> None:
    name = path.stem
    if getattr(sys.modules.get(name), "__file__", None) == str(path.resolve()):
        return
    spec = importlib.util.spec_from_file_location(name, path.resolve())
    assert spec, "a name that ends in .py has a loader"
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
