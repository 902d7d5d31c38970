"""Where builds of kernels are kept: in a folder of the user, that nobody else can write to.

Loading a build runs the code in it, so what others may have written is not read. Builds are never taken from the
current folder or from beside the source.
"""

from __future__ import annotations

import os
import pickle
import stat
import sys
import tempfile
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from elgeo.compilation.key import kernel_key, signature_key
from elgeo.messages import say

FOLDER_VARIABLE = "ELGEO_KERNELS"
"""The environment variable that names another folder for the builds."""
_KEPT = 64
"""Builds of one kernel, the newest: for other types of arguments, other copies of the source."""


def default_folder() -> Path:
    """The folder for the builds: as the variable says, else where this system keeps the caches of a user."""
    named = os.environ.get(FOLDER_VARIABLE)
    if named:
        return Path(named)
    if sys.platform == "win32":
        caches = os.environ.get("LOCALAPPDATA", "")
        return (Path(caches) if Path(caches).is_absolute() else Path.home() / "AppData" / "Local") / "elgeo" / "kernels"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "elgeo" / "kernels"
    caches = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(caches) if Path(caches).is_absolute() else Path.home() / ".cache") / "elgeo" / "kernels"


def why_refused(status: os.stat_result) -> str | None:
    """Why code is not loaded from a folder or file; None where it may be."""
    if not hasattr(os, "geteuid"):
        return None  # where folders of a user are kept from others by other means
    if status.st_uid != os.geteuid():
        return "it belongs to another user"
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return "others can write to it"
    return None


def safe_folder(folder: Path) -> Path | None:
    """Make the folder for this user alone and return it; if that cannot be say why on standard error, return None."""
    try:
        if not folder.is_absolute():
            reason: str | None = "its name does not begin at the root"
        else:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            reason = why_refused(folder.stat())
            if reason is None and not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
                reason = "it cannot be written to"
    except OSError as error:
        reason = error.strerror or str(error)
    if reason is None:
        return folder
    say(
        f"kernels are compiled again in each run, not kept in {folder}: {reason}"
        f" (mend that, or set {FOLDER_VARIABLE} to a folder of your own)"
    )
    return None


@cache
def _folder() -> Path | None:
    try:
        return safe_folder(default_folder())
    except RuntimeError:  # no home
        return safe_folder(Path("elgeo"))


_SAID: list[str] = []
"""What was said to be compiled: one line is enough where nobody says more about it."""


def say_compiling(what: str) -> None:
    """Say that something is compiled, and that it will not be next time."""
    _SAID.append(what)
    say(f"compiling {what} (once, some seconds)")


class KernelCache(NullCache):
    """The builds of one kernel, a file for each kind of arguments; numba asks it when a kernel is called."""

    def __init__(self, kernel: Any) -> None:
        self._kernel = kernel

    @cached_property
    def _place(self) -> tuple[Path, str] | None:
        root = _folder()
        function = self._kernel.py_func
        name = f"{function.__module__}.{function.__qualname__}".replace("<", "").replace(">", "")
        return None if root is None else (root / name, kernel_key(self._kernel))

    @property
    def cache_path(self) -> str | None:
        """The folder of this kernel."""
        return str(self._place[0]) if self._place else None

    def has_builds(self) -> bool:
        """Whether the kernel was built before, as it is now."""
        if self._place is None:
            return False
        folder, key = self._place
        return any(folder.glob(f"{key}.*"))

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """The build for arguments of these types, or None."""
        target_context.refresh()
        found = self._load(signature, target_context)
        if found is None and not _SAID:
            say_compiling("what this machine has not run yet")
        return found

    def _load(self, signature: Any, target_context: Any) -> Any:
        if self._place is None:
            return None
        try:
            with self._file(signature, target_context.codegen()).open("rb") as file:
                if why_refused(os.fstat(file.fileno())):
                    return None
                data = file.read()
            return CompileResult._rebuild(target_context, *pickle.loads(data))  # type: ignore[no-untyped-call]
        except (OSError, EOFError, pickle.UnpicklingError):
            return None  # not there, or damaged: it is built again

    def save_overload(self, signature: Any, data: Any) -> None:
        """Keep a build; where that fails it is built again another time."""
        if self._place is None or data.library.has_dynamic_globals:  # addresses mean nothing to another process
            return
        file = self._file(signature, data.codegen)
        try:
            file.parent.mkdir(mode=0o700, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=file.parent)  # for this user alone
            with os.fdopen(handle, "wb") as out:
                out.write(dumps(data._reduce()))  # type: ignore[no-untyped-call]
            os.replace(temporary, file)
            for old in sorted(file.parent.iterdir(), key=lambda f: -f.stat().st_mtime)[_KEPT:]:
                old.unlink()
        except OSError:
            return

    def flush(self) -> None:
        """Forget the builds of the kernel as it is now."""
        if self._place is not None:
            folder, key = self._place
            for file in folder.glob(f"{key}.*"):
                file.unlink(missing_ok=True)

    def _file(self, signature: Any, codegen: Any) -> Path:
        assert self._place is not None
        folder, key = self._place
        return folder / f"{key}.{signature_key(signature, codegen.magic_tuple())}"
