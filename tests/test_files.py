"""Files and folders after failures and kills at every step, and folders that two would hold."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from elgeo.errors import ElgeoError
from elgeo.files import (
    InUseError,
    NoRoomError,
    folder_written_atomically,
    held,
    settled,
    write_json,
    write_text,
    written_atomically,
)

REPLACE = """
import os, shutil, sys
from pathlib import Path
from elgeo.files import folder_written_atomically

kill_before = int(sys.argv[2])
step = 0

def killable(call):
    def wrapped(*arguments, **options):
        global step
        step += 1
        if step == kill_before:
            os._exit(9)
        return call(*arguments, **options)
    return wrapped

Path.rename, Path.replace, Path.chmod = map(killable, (Path.rename, Path.replace, Path.chmod))
shutil.rmtree = killable(shutil.rmtree)
with folder_written_atomically(sys.argv[1]) as folder:
    (folder / "content").write_text("new")
"""


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def replaced_until(folder: Path, step: int) -> bool:
    """Replace a folder in a process that is killed before that step; whether it came so far."""
    return subprocess.run([sys.executable, "-c", REPLACE, str(folder), str(step)], check=False).returncode == 9


@pytest.mark.slow
@pytest.mark.parametrize("name", ["data", "data.d [1]*"])
def test_a_folder_replaced_by_a_killed_process_is_the_old_or_the_new_one(tmp_path: Path, name: str) -> None:
    found = []
    for step in range(1, 9):
        target = tmp_path / str(step) / name
        target.mkdir(parents=True)
        (target / "content").write_text("old")
        if not replaced_until(target, step):
            break
        assert settled(target) == target
        found.append((target / "content").read_text())
        assert not [other for other in names(target.parent) if other.endswith(".old")]
    assert found == ["old", "old", "new", "new", "new"]
    assert names(target.parent) == [name]


def test_other_folders_are_not_taken_for_the_missing_one(tmp_path: Path) -> None:
    for name in (".data.more.abc.old", ".data.more.abc.part", ".data.abc.part", ".datb.abc.old", "data.abc.old"):
        (tmp_path / name).mkdir()
    before = names(tmp_path)
    assert not settled(tmp_path / "data").exists()
    assert names(tmp_path) == before
    assert settled(tmp_path / "data.more").exists()


def test_what_is_left_of_an_old_folder_never_comes_back(tmp_path: Path) -> None:
    (tmp_path / ".data.abc.old").mkdir()
    (tmp_path / ".data.abc.old" / "content").write_text("half removed")
    assert not settled(tmp_path / "data").exists()
    assert names(tmp_path) == []


def test_a_folder_made_meanwhile_by_someone_else_stays(tmp_path: Path) -> None:
    for name in ("data", ".data.abc.old", ".data.abc.part"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "content").write_text(name)
    assert (settled(tmp_path / "data") / "content").read_text() == "data"


def test_settling_changes_nothing_where_there_is_nothing_to_settle(tmp_path: Path) -> None:
    assert settled(str(tmp_path / "nowhere" / "data")) == tmp_path / "nowhere" / "data"
    assert names(tmp_path) == []


def test_one_that_looks_while_a_folder_is_replaced_sees_the_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "data"
    target.mkdir()
    rename = Path.rename

    def looked_at(self: Path, other: Path) -> Path:
        moved = rename(self, other)
        if str(other).endswith(".old"):
            assert not target.exists()
            assert (settled(target) / "content").read_text() == "new"
        return moved

    monkeypatch.setattr(Path, "rename", looked_at)
    with folder_written_atomically(target) as folder:
        (folder / "content").write_text("new")
    assert names(tmp_path) == ["data"]
    assert (target / "content").read_text() == "new"


def test_an_error_leaves_the_old_file_and_folder_and_nothing_else(tmp_path: Path) -> None:
    write_text(tmp_path / "file", "old")
    (tmp_path / "folder").mkdir()
    with suppress(ZeroDivisionError), written_atomically(tmp_path / "file") as temporary:
        temporary.write_text("new")
        raise ZeroDivisionError
    with suppress(ZeroDivisionError), folder_written_atomically(tmp_path / "folder") as temporary:
        (temporary / "content").write_text("new")
        raise ZeroDivisionError
    assert names(tmp_path) == ["file", "folder"]
    assert (tmp_path / "file").read_text() == "old"
    assert names(tmp_path / "folder") == []


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EFBIG, errno.EDQUOT])
def test_a_full_disk_is_said_with_the_file_that_was_asked_for(tmp_path: Path, number: int) -> None:
    for write in (written_atomically, folder_written_atomically):
        with pytest.raises(NoRoomError) as caught, write(tmp_path / "out"):
            raise OSError(number, "what a library says of it")  # as Arrow does, without a file
        assert (caught.value.filename, caught.value.errno) == (str(tmp_path / "out"), number)
        assert caught.value.strerror == f"{os.strerror(number)}; free some space or choose another place"
        assert names(tmp_path) == []
    with pytest.raises(PermissionError) as other, written_atomically(tmp_path / "out"):
        raise PermissionError(errno.EACCES, "no", "another file")
    assert other.value.filename == "another file"


@pytest.mark.parametrize(("mask", "file", "folder"), [(0, 0o666, 0o777), (0o027, 0o640, 0o750)])
def test_files_and_folders_have_the_modes_that_others_would_give_them(
    tmp_path: Path, mask: int, file: int, folder: int
) -> None:
    before = os.umask(mask)
    try:
        write_text(tmp_path / "deep" / "file", "é\n")
        with folder_written_atomically(tmp_path / "deeper" / "still" / "folder"):
            pass
    finally:
        assert os.umask(before) == mask
    assert (tmp_path / "deep" / "file").read_bytes() == "é\n".encode()
    assert (tmp_path / "deep" / "file").stat().st_mode & 0o7777 == file
    assert (tmp_path / "deeper" / "still" / "folder").stat().st_mode & 0o7777 == folder


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError, match="name a file"), written_atomically(tmp_path):
        pass


def test_a_held_folder_is_refused_until_it_is_free(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "run"
    with held(folder, "the first"):
        with pytest.raises(InUseError, match=f"the second is at work in {folder}: wait"), held(folder, "the second"):
            pass
        with held(tmp_path / "b", "another"):
            pass
    with held(folder, "the third"):
        pass


def test_a_process_that_inherits_the_handle_holds_the_folder_on(tmp_path: Path) -> None:
    with held(tmp_path, "it") as handle:
        assert handle is not None
        child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, pass_fds=(handle,))
    with pytest.raises(InUseError), held(tmp_path, "it"):
        pass
    child.communicate(b"\n", timeout=60)
    with held(tmp_path, "it"):
        pass


def test_a_folder_that_cannot_be_made_is_one_message(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ElgeoError, match=f"{tmp_path / 'file'} is a file: "), held(tmp_path / "file", "it"):
        pass
    inside = tmp_path / "file" / "inside"
    with pytest.raises(ElgeoError, match=f"cannot write to {inside}: "), held(inside, "it"):
        pass


def test_errors_of_the_work_in_a_held_folder_are_its_own(tmp_path: Path) -> None:
    with pytest.raises(BlockingIOError, match="of the work"), held(tmp_path, "it"):
        raise BlockingIOError("of the work")


WITHOUT_UNIX = """
import importlib, pkgutil, sys
for name in ("fcntl", "grp", "pwd", "resource", "termios"):
    sys.modules[name] = None
import elgeo
for module in pkgutil.walk_packages(elgeo.__path__, "elgeo."):
    if module.name != "elgeo.__main__":
        importlib.import_module(module.name)
from pathlib import Path
from elgeo.files import InUseError, held
folder = Path(sys.argv[1])
with held(folder, "it") as handle:
    assert handle is None
    try:
        with held(folder, "it"):
            raise AssertionError
    except InUseError:
        pass
with held(folder, "it"):
    pass
"""


@pytest.mark.slow
def test_everything_can_be_imported_and_folders_held_without_the_modules_of_unix(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-W", "ignore", "-c", WITHOUT_UNIX, str(tmp_path / "run")], check=True)


def test_errors_name_the_file_that_was_asked_for(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file where a folder would have to be")
    target = tmp_path / "taken" / "page.html"
    with pytest.raises(OSError, match=r"page\.html") as found:
        write_text(target, "text")
    assert found.value.filename == str(target)
    with pytest.raises(OSError, match=r"page\.html") as found, folder_written_atomically(target):
        pass
    assert found.value.filename == str(target)


def test_a_document_is_written_with_a_line_for_each_part(tmp_path: Path) -> None:
    write_json(tmp_path / "d.json", {"a": [1, {"b": "é"}], "c": None})
    lines = ["{", ' "a": [', "  1,", "  {", '   "b": "\\u00e9"', "  }", " ],", ' "c": null', "}", ""]
    assert (tmp_path / "d.json").read_text().split("\n") == lines
