"""The folder of the kernels' builds: where it is, when it is refused, how much is kept in it."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from numba.core import types
from numba.core.errors import TypingError
from numba.extending import intrinsic

from elgeo.compilation import announce, cache, kernel
from elgeo.compilation.cache import Builds, KernelCache, default_folder, safe_folder, why_refused
from elgeo.compilation.kernels import Kernel


def status(mode: int, owner: int | None = None) -> os.stat_result:
    owner = os.geteuid() if owner is None else owner
    return os.stat_result((mode, 0, 0, 1, owner, 0, 0, 0, 0, 0))


def builds_of(kernel: Any) -> Builds:
    assert isinstance(kernel, Kernel)
    return kernel.builds


def test_only_what_nobody_else_can_write_to_is_trusted() -> None:
    for mode in (0o700, 0o755, 0o600, 0o644):
        assert why_refused(status(mode)) is None
    for mode in (0o720, 0o702, 0o777, 0o620, 0o602):
        assert why_refused(status(mode)) == "others can write to it"
    assert why_refused(status(0o700, os.geteuid() + 1)) == "it belongs to another user"


@pytest.mark.parametrize("mode", [0o720, 0o702, 0o777])
def test_a_folder_that_others_can_write_to_is_refused(
    tmp_path: Path, mode: int, capsys: pytest.CaptureFixture[str]
) -> None:
    tmp_path.chmod(mode)
    assert safe_folder(tmp_path) is None
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert f"not kept in {tmp_path}: others can write to it" in said
    assert "ELGEO_KERNELS" in said
    tmp_path.chmod(0o755)
    assert safe_folder(tmp_path) == tmp_path
    assert capsys.readouterr().err == ""


def test_a_folder_is_made_for_the_user_alone(tmp_path: Path) -> None:
    assert safe_folder(tmp_path / "a" / "b") == tmp_path / "a" / "b"
    assert stat.S_IMODE((tmp_path / "a" / "b").stat().st_mode) == 0o700


def test_a_folder_that_cannot_be_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "taken").write_text("")
    assert safe_folder(tmp_path / "taken") is None
    assert safe_folder(tmp_path / "taken" / "below") is None
    said = capsys.readouterr().err.splitlines()
    assert "taken: File exists" in said[0]
    assert "below: Not a directory" in said[1]


def test_a_folder_that_cannot_be_written_to_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "access", lambda place, mode: False)  # root may write to everything
    assert safe_folder(tmp_path) is None
    assert f"not kept in {tmp_path}: it cannot be written to" in capsys.readouterr().err
    tmp_path.chmod(0o777)
    assert safe_folder(tmp_path) is None
    assert "others can write to it" in capsys.readouterr().err


def test_the_current_folder_is_never_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert safe_folder(Path("kernels")) is None
    assert "does not begin at the root" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_where_the_folder_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ELGEO_KERNELS", "")
    monkeypatch.setenv("HOME", str(tmp_path))
    for platform, variable, elsewhere in (
        ("linux", "XDG_CACHE_HOME", ".cache/elgeo/kernels"),
        ("win32", "LOCALAPPDATA", "AppData/Local/elgeo/kernels"),
    ):
        monkeypatch.setattr(sys, "platform", platform)
        for unusable in ("", "a/relative/one"):
            monkeypatch.setenv(variable, unusable)
            assert default_folder() == tmp_path / elsewhere
        monkeypatch.setenv(variable, "/caches")
        assert default_folder() == Path("/caches/elgeo/kernels")
    monkeypatch.setattr(sys, "platform", "darwin")
    assert default_folder() == tmp_path / "Library/Caches/elgeo/kernels"
    monkeypatch.setenv("ELGEO_KERNELS", "/of/my/own")
    assert default_folder() == Path("/of/my/own")


def test_only_the_newest_builds_of_a_kernel_are_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_KEPT", 3)

    @kernel
    def same(x: object) -> object:
        return x

    own = Path(builds_of(same).path or "")
    own.mkdir(parents=True)
    for age in (50, 10, 40):
        (own / str(age)).touch()
        os.utime(own / str(age), (1e9 - age, 1e9 - age))
    assert same(1) == 1
    assert sorted(len(path.name) for path in own.iterdir()) == [2, 2, 65]
    assert not (own / "50").exists()
    assert own.parent == folder


def test_builds_are_counted_announced_and_forgotten(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    @kernel
    def negative(x: int) -> int:
        return -x

    builds = builds_of(negative)
    for _ in range(2):
        announce(negative, "it")
        assert capsys.readouterr().err == "elgeo: compiling it (once, some seconds)\n"
        assert not builds.any()
        _ = negative.dispatcher  # type: ignore[attr-defined]  # which has compiled nothing yet
    assert negative(2) == -2
    assert builds.any()
    announce(negative, "it")
    builds.flush()
    assert not builds.any()
    announce(negative, "it")
    announce(abs, "what is no kernel")
    assert capsys.readouterr().err == ""
    assert [path for path in folder.rglob("*") if path.is_file()] == []


def test_one_line_says_that_something_is_compiled(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "_SAID", [])

    @kernel
    def twice(x: int) -> int:
        return 2 * x

    @kernel
    def thrice(x: int) -> int:
        return 3 * x

    assert (twice(2), thrice(2)) == (4, 6)
    assert capsys.readouterr().err == "elgeo: compiling what this machine has not run yet (once, some seconds)\n"
    monkeypatch.setattr(cache, "_SAID", [])
    again = kernel(twice.py_func)  # type: ignore[attr-defined]
    assert again(2) == 4
    assert capsys.readouterr().err == ""


def test_what_has_an_address_in_it_is_not_kept(folder: Path) -> None:
    @intrinsic
    def place(typing_context: Any) -> Any:
        def made(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            address = context.add_dynamic_addr(builder, id(types), info="where something is in this process")
            return builder.ptrtoint(address, context.get_value_type(types.intp))

        return types.intp(), made

    for counted in (True, False):

        @kernel(counted=counted)
        def far() -> int:
            return place()  # type: ignore[call-arg]

        assert far() == id(types)
        assert not builds_of(far).any()
    assert not list(folder.rglob("*.*"))


def test_only_what_is_called_from_outside_has_builds_of_its_own(folder: Path) -> None:
    @kernel(inner=True)
    def inside(x: int) -> int:
        return x + 1

    @kernel
    def outside(x: int) -> int:
        return inside(x)

    assert outside(2) == 3
    assert builds_of(outside).any()
    made: Any = inside
    assert not builds_of(made).any()
    assert not isinstance(made.dispatcher._cache, KernelCache)


@pytest.mark.parametrize("counted", [True, False])
def test_what_another_process_is_making_is_waited_for(
    counted: bool, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def next_one(x: int) -> int:
        return x + 1

    assert kernel(counted=counted)(next_one)(2) == 3
    (build,) = (path for path in folder.rglob("*") if path.is_file())
    data = build.read_bytes()
    build.unlink()
    written: list[str] = []
    monkeypatch.setattr(Builds, "write", lambda builds, name, data: written.append(name))
    late, found = kernel(counted=counted)(next_one), list[int]()
    waiting = Thread(target=lambda: found.append(late(2)))
    with builds_of(late).making(build.suffix[1:]):
        waiting.start()
        waiting.join(0.2)
        assert not found
        build.write_bytes(data)
    waiting.join()
    assert (found, written) == ([3], [])
    assert [path for path in folder.rglob("*") if path.is_file()] == [build], "no lock is left"


@pytest.mark.parametrize("counted", [True, False])
def test_a_process_that_was_stopped_while_it_made_one_is_not_waited_for_in_vain(
    counted: bool, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    @kernel(counted=counted)
    def next_one(x: int) -> int:
        return x + 1

    assert next_one(2) == 3
    (build,) = (path for path in folder.rglob("*") if path.is_file())
    build.unlink()
    monkeypatch.setattr(cache, "_PATIENCE", 0.1)
    again = kernel(counted=counted)(next_one.py_func)  # type: ignore[attr-defined]
    with builds_of(again).making(build.suffix[1:]):
        assert again(2) == 3
    assert build.is_file()


def test_a_lock_is_for_the_user_alone_and_goes_with_the_work(folder: Path) -> None:
    @kernel
    def next_one(x: int) -> int:
        return x + 1

    before = os.umask(0)
    try:
        with builds_of(next_one).making("name"):
            (lock,) = folder.iterdir()
            assert lock.name.startswith("lock-")
            assert lock.stat().st_mode & 0o777 == 0o600
    finally:
        os.umask(before)
    assert list(folder.iterdir()) == []


def test_what_cannot_be_compiled_keeps_nobody_waiting(folder: Path) -> None:
    @kernel
    def wrong(x: int) -> Any:
        return x.nothing  # type: ignore[attr-defined]

    for _ in range(2):
        with pytest.raises(TypingError):
            wrong(1)
        assert not [path for path in folder.rglob("*") if path.is_file()]
