"""Files and folders are written whole or not at all, and a folder is held by one process at a time."""

from __future__ import annotations

import errno
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from elgeo.documents import document_text
from elgeo.errors import ElgeoError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
"""What systems say where there is no more room."""
ADVICE = "free some space or choose another place"
_NEW, _OLD = ".part", ".old"
"""Endings of a folder that is about to take its place and of the one that was there; else their names are equal."""


class InUseError(ElgeoError):
    """Another process is at work in a folder."""


class NoRoomError(OSError):
    """A disk is full, or a file may not become larger."""


@contextmanager
def written_atomically(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield a temporary path beside `path`; it replaces `path` when the block ends without an error."""
    target = Path(path)
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, "this is a folder: name a file", str(target))
    with _named(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent)
    os.close(handle)
    temporary = Path(name)
    try:
        with room_for(target):
            yield temporary
            with temporary.open("rb+") as file:
                os.fsync(file.fileno())
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def folder_written_atomically(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield a temporary folder beside `path`; it takes the place of `path` when the block ends without an error.

    An old folder there is moved away first. Whoever looks through `settled` never sees the moment in between.
    """
    target = settled(path)
    with _named(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(prefix=f".{target.name}.", suffix=_NEW, dir=target.parent))
    try:
        with room_for(target):
            yield temporary
        temporary.chmod(0o777 & ~_umask())
        if target.exists():
            old = target.rename(temporary.with_suffix(_OLD))
            with suppress(FileNotFoundError):  # another process looked just now, and has put it in its place
                temporary.rename(target)
            shutil.rmtree(old, ignore_errors=True)
        else:
            temporary.replace(target)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def settled(path: str | os.PathLike[str]) -> Path:
    """The path; if a process was killed while it replaced the folder there, the new folder is put in its place first.

    An old folder is moved away only when the new one is whole.
    """
    target = Path(path)
    name = re.compile(rf"\.{re.escape(target.name)}\.\w+{re.escape(_OLD)}")
    with suppress(OSError):  # another process is quicker, or this one may not
        for old in [found for found in target.parent.iterdir() if name.fullmatch(found.name)]:
            new = old.with_suffix(_NEW)
            if new.exists() and not target.exists():
                new.rename(target)
            if not new.exists():
                shutil.rmtree(old)
    return target


@contextmanager
def held(folder: Path, by: str) -> Iterator[int | None]:
    """Make a folder and hold it: whoever else would is refused, until this ends or its process does.

    Yields the handle by which processes that inherit it hold the folder too; on Windows there is none.
    """
    with ExitStack() as stack:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            handle = _locked(folder, stack)
        except BlockingIOError:
            raise InUseError(f"{by} is at work in {folder}: wait for it, or choose another folder") from None
        except FileExistsError:
            raise ElgeoError(f"{folder} is a file: choose another name for the folder") from None
        except OSError as error:
            raise ElgeoError(f"cannot write to {folder}: {error.strerror or error}") from None
        yield handle


def _locked(folder: Path, stack: ExitStack) -> int | None:
    """Lock a folder until the stack is closed; BlockingIOError if it is locked."""
    if fcntl is None:
        import filelock

        try:
            stack.enter_context(filelock.FileLock(folder / ".lock", timeout=0))
        except filelock.Timeout:
            raise BlockingIOError from None
        return None
    handle = os.open(folder, os.O_RDONLY)
    stack.callback(os.close, handle)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise
    except OSError:
        pass  # a file system that has no locks
    return handle


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a text file atomically, in UTF-8."""
    with written_atomically(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


def write_json(path: str | os.PathLike[str], document: object) -> None:
    """Write a JSON document atomically, a line for each of its parts."""
    write_text(path, document_text(document) + "\n")


@contextmanager
def _named(target: Path) -> Iterator[None]:
    """Errors speak of the file that was asked for, not of the temporary one beside it."""
    try:
        with room_for(target):
            yield
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(target)) from None


@contextmanager
def room_for(target: Path) -> Iterator[None]:
    """Where there is no room, the error says for what: libraries say it in words of their own, and name no file."""
    try:
        yield
    except OSError as error:
        if error.errno not in _FULL:
            raise
        raise NoRoomError(error.errno, f"{os.strerror(error.errno)}; {ADVICE}", str(target)) from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
