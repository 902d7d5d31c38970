"""Where builds of kernels are kept: in a folder of the user, that nobody else can write to.

Loading a build runs the code in it, so what others may have written is not read. Builds are never taken from the
current folder or from beside the source.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from elgeo.compilation.key import kernel_key, signature_key
from elgeo.messages import say

FOLDER_VARIABLE = "ELGEO_KERNELS"
"""The environment variable that names another folder for the builds."""
_DIGEST = 16
"""Bytes at the beginning of a file by which damage is seen."""
_KEPT = 64
"""Builds of one kernel, the newest: for other types of arguments, other copies of the source."""
_PATIENCE = 120.0
"""Seconds after which what another process makes is made here too: it may have been stopped."""


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


def say_if_nothing_was_said() -> None:
    """Say that something is compiled, where nobody has said more about it."""
    if not _SAID:
        say_compiling("what this machine has not run yet")


def _digest(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=_DIGEST).digest()


class Builds:
    """The builds of one kernel, a file for each kind of arguments."""

    def __init__(self, kernel: Any) -> None:
        self._kernel = kernel

    @cached_property
    def _place(self) -> tuple[Path, str] | None:
        root = _folder()
        function = self._kernel.py_func
        name = f"{function.__module__}.{function.__qualname__}".replace("<", "").replace(">", "")
        return None if root is None else (root / name, kernel_key(self._kernel))

    @property
    def path(self) -> str | None:
        """The folder of this kernel."""
        return str(self._place[0]) if self._place else None

    def any(self) -> bool:
        """Whether the kernel was built before, as it is now."""
        return any(True for _ in self._files())

    def read(self, name: str) -> bytes | None:
        """The build of this name; None where there is none that can be trusted and is whole."""
        if self._place is None:
            return None
        try:
            with self._file(name).open("rb") as file:
                data = b"" if why_refused(os.fstat(file.fileno())) else file.read()
        except OSError:
            return None
        build = data[_DIGEST:]
        return build if data[:_DIGEST] == _digest(build) else None  # machine code with a wrong bit does anything

    def write(self, name: str, data: bytes) -> None:
        """Keep a build; where that fails it is built again another time."""
        if self._place is None:
            return
        file = self._file(name)
        try:
            file.parent.mkdir(mode=0o700, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=file.parent)  # for this user alone
            with os.fdopen(handle, "wb") as out:
                out.write(_digest(data) + data)
            os.replace(temporary, file)
            for old in sorted(file.parent.iterdir(), key=lambda f: -f.stat().st_mtime)[_KEPT:]:
                old.unlink()
        except OSError:
            return

    @contextmanager
    def making(self, name: str) -> Iterator[None]:
        """While a build is made: others that need it wait, and then find it."""
        if self._place is None:
            yield
            return
        from filelock import FileLock, Timeout

        lock = self._place[0].parent / f"lock-{self._place[1]}-{name}"
        with ExitStack() as stack:
            try:
                stack.enter_context(FileLock(lock, timeout=_PATIENCE, mode=0o600))
                stack.callback(lock.unlink, missing_ok=True)  # those who wait have it open
            except (OSError, NotImplementedError, Timeout):
                pass  # two may make it: the same comes of it
            yield

    def flush(self) -> None:
        """Forget the builds of the kernel as it is now."""
        for file in self._files():
            file.unlink(missing_ok=True)

    def _files(self) -> list[Path]:
        if self._place is None:
            return []
        folder, key = self._place
        return list(folder.glob(f"{key}.*"))

    def _file(self, name: str) -> Path:
        assert self._place is not None
        folder, key = self._place
        return folder / f"{key}.{name}"


class KernelCache:
    """The builds as numba asks for them when a kernel is called."""

    def __init__(self, builds: Builds) -> None:
        self._builds = builds
        self._making = ExitStack()

    @property
    def cache_path(self) -> str | None:
        """The folder of this kernel."""
        return self._builds.path

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """The build for arguments of these types, or None: then it is to be made, and `made` to be called."""
        target_context.refresh()
        name = signature_key(signature, target_context.codegen().magic_tuple())
        data = self._builds.read(name)
        if data is None:
            say_if_nothing_was_said()
            self._making.enter_context(self._builds.making(name))
            data = self._builds.read(name)
        if data is None:
            return None
        self.made()
        from numba.core.compiler import CompileResult

        # whole, and written by this user
        return CompileResult._rebuild(target_context, *pickle.loads(data))  # type: ignore[no-untyped-call]

    def save_overload(self, signature: Any, data: Any) -> None:
        """Keep a build."""
        from numba.core.serialize import dumps

        if not data.library.has_dynamic_globals:  # addresses mean nothing to another process
            name = signature_key(signature, data.codegen.magic_tuple())
            self._builds.write(name, dumps(data._reduce()))  # type: ignore[no-untyped-call]

    def made(self) -> None:
        """Nothing is being made any more, whatever came of it."""
        self._making.close()

    def flush(self) -> None:
        """Forget the builds of the kernel as it is now."""
        self._builds.flush()

    def enable(self) -> None:
        """Builds are always kept."""

    disable = enable
