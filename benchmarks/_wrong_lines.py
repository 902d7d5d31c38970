"""What `wrong_lines.py` has pytest do, as a plug-in of it: find out which tests run which lines, and try changes.

A change is tried in a process forked from one that has collected all tests and loaded everything: functions get their
changed code there, and the file is changed as well, for processes that tests start.
"""

from __future__ import annotations

import ast
import contextlib
import gc
import importlib
import json
import os
import pkgutil
import resource
import select
import signal
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest

import elgeo
from elgeo.compilation import key
from elgeo.compilation.direct import DirectKernel
from elgeo.compilation.kernels import Kernel

SOURCE = Path(elgeo.__file__).parent
LINES, CHANGES = os.environ.get("WRONG_LINES"), os.environ.get("WRONG_CHANGES")
SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    one: other
    for pair in ((ast.Lt, ast.LtE), (ast.Gt, ast.GtE), (ast.Eq, ast.NotEq), (ast.Is, ast.IsNot), (ast.In, ast.NotIn))
    for one, other in (pair, pair[::-1])
} | {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.And: ast.Or, ast.Or: ast.And}


def places(tree: ast.Module) -> list[Any]:
    """What can be changed: operators and whole numbers in functions, but for messages."""
    found: dict[int, Any] = {}
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef) and function.name not in ("__repr__", "__str__"):
            words = [node for node in ast.walk(function) if isinstance(node, ast.JoinedStr | ast.Raise)]
            said = {id(part) for node in words for part in ast.walk(node)}
            found |= {id(node): node for node in ast.walk(function) if id(node) not in said and _changes(node)}
    return sorted(found.values(), key=lambda node: (node.lineno, node.col_offset, type(node).__name__))


def _changes(node: ast.AST) -> bool:
    match node:
        case ast.Compare(ops=[first, *_]):
            return type(first) in SWAPS
        case ast.BinOp(op=op) | ast.BoolOp(op=op):
            return type(op) in SWAPS
        case ast.Constant(value=value):
            return type(value) is int
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)


def change(node: Any) -> None:
    if isinstance(node, ast.Compare):
        node.ops[0] = SWAPS[type(node.ops[0])]()
    elif isinstance(node, ast.Constant):
        node.value += 1
    else:
        node.op = ast.UAdd() if isinstance(node, ast.UnaryOp) else SWAPS[type(node.op)]()


class Tracing:
    """The lines that each test runs, and each fixture that several tests share; of kernels all lines."""

    def __init__(self) -> None:
        from coverage import Coverage

        self._coverage = Coverage(source=[str(SOURCE)], data_file=None, config_file=False, messages=False)
        self._coverage.start()
        self._now = ""
        self._kernels: defaultdict[str, set[tuple[str, int]]] = defaultdict(set)
        self._shared: dict[str, list[str]] = {}
        self._seconds: dict[str, float] = {}
        for kind in (Kernel, DirectKernel):
            self._watch(kind)

    def _watch(self, kind: type[Kernel]) -> None:
        called, lines = kind.__call__, {}

        def call(kernel: Kernel, *args: Any, **keywords: Any) -> Any:
            if kernel not in lines:
                lines[kernel] = lines_of(kernel)
            self._kernels[self._now] |= lines[kernel]
            return called(kernel, *args, **keywords)

        kind.__call__ = call  # type: ignore[method-assign]

    def _enter(self, name: str) -> str:
        before, self._now = self._now, name
        self._coverage.switch_context(name)
        return before

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: Any) -> Iterator[None]:
        self._enter(item.nodeid)
        fixtures = item._fixtureinfo.name2fixturedefs.values()
        self._shared[item.nodeid] = [_name(each[-1]) for each in fixtures if each]
        before = os.times()
        yield
        after = os.times()
        # half the time that went by is for processes whose processor nobody counts
        used = sum(after[:4]) - sum(before[:4])
        self._seconds[item.nodeid] = max(used, (after.elapsed - before.elapsed) / 2)
        self._enter("")

    @pytest.hookimpl(hookwrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Iterator[None]:
        before = self._now if fixturedef.scope == "function" else self._enter(_name(fixturedef))
        yield
        self._enter(before)

    def pytest_sessionfinish(self) -> None:
        if not self._shared:
            return
        self._coverage.stop()
        data, found = self._coverage.get_data(), self._kernels
        for file in data.measured_files():
            for line, contexts in data.contexts_by_lineno(file).items():
                for context in contexts:
                    found[context].add((str(Path(file).relative_to(SOURCE)), line))
        lines = {context: sorted(some) for context, some in found.items()}
        document = {"lines": lines, "shared": self._shared, "seconds": self._seconds}
        worker = os.environ.get("PYTEST_XDIST_WORKER", "alone")
        Path(str(LINES), f"{worker}.json").write_text(json.dumps(document))


def _name(fixture: Any) -> str:
    return f"fixture {fixture.baseid} {fixture.argname}"


def lines_of(kernel: Kernel) -> set[tuple[str, int]]:
    """The lines of a kernel and of all kernels that it calls."""
    waiting, seen, found = [kernel], set(), set()
    while waiting:
        each: Any = waiting.pop()
        if id(each) not in seen:
            seen.add(id(each))
            waiting += key._own(each)[1]
            for code in _codes(each.py_func.__code__):
                if Path(code.co_filename).is_relative_to(SOURCE):
                    file = str(Path(code.co_filename).relative_to(SOURCE))
                    found |= {(file, line) for *_, line in code.co_lines() if line}
    return found


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


class Trying:
    """Each change in a process of its own, with its tests until one fails, good catchers first."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: Any) -> bool:
        for module in pkgutil.walk_packages([str(SOURCE)], "elgeo."):
            if not module.name.endswith("__main__"):
                importlib.import_module(module.name)
        for name in ("torch", "numba", "elgeo.compilation.linking", "matplotlib.pyplot"):
            importlib.import_module(name)
        gc.unfreeze()
        functions = defaultdict(list)
        for each in gc.get_objects():
            if type(each) is FunctionType:
                functions[each.__code__.co_filename].append(each)
        gc.freeze()
        gc.disable()
        items = {item.nodeid: item for item in session.items}
        caught_before: Counter[tuple[str, str]] = Counter()
        with open(f"{CHANGES}.found", "a", encoding="utf-8") as found:
            for line in Path(str(CHANGES)).read_text().splitlines():
                asked = json.loads(line)
                names = sorted(asked["tests"], key=lambda name: -caught_before[asked["file"], name])
                tests = [items[name] for name in names if name in items]
                file = SOURCE / asked["file"]
                said = {"caught": "no test runs it", "tests": 0, "took": 0.0}
                if tests:
                    said = _tried(session, tests, file, asked, functions[str(file)])
                caught_before[asked["file"], str(said["caught"])] += 1
                found.write(json.dumps({**asked, **said}) + "\n")
                found.flush()
        os._exit(0)


def _tried(session: Any, tests: list[Any], file: Path, asked: Any, functions: list[FunctionType]) -> dict[str, Any]:
    """The test that caught a change, or nothing; how many ran, and the seconds of processor."""
    text = file.read_text()
    tree = ast.parse(text)
    change(places(tree)[asked["place"]])
    ast.fix_missing_locations(tree)
    reading, writing = os.pipe()
    process = os.fork()
    if process == 0:
        os.setsid()
        resource.setrlimit(resource.RLIMIT_CPU, (asked["limit"], asked["limit"]))
        gc.enable()
        caught, ran = "an error", len(tests)
        with contextlib.suppress(BaseException):
            codes = {(code.co_qualname, code.co_firstlineno): code for code in _codes(compile(tree, str(file), "exec"))}
            for function in functions:
                place = function.__code__.co_qualname, function.__code__.co_firstlineno
                if place in codes and codes[place].co_freevars == function.__code__.co_freevars:
                    function.__code__ = codes[place]
            file.write_text(ast.unparse(tree))
            caught, ran = _first_failed(session, tests, asked["seconds"])
        os.write(writing, f"{ran} {caught}".encode())
        os._exit(0)
    os.close(writing)
    ready, *_ = select.select([reading], [], [], 4 * asked["limit"])
    said = os.read(reading, 4096).decode() if ready else "0 too long"
    os.close(reading)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process, signal.SIGKILL)
    _, status, used = os.wait4(process, 0)
    file.write_text(text)
    ended = "too long" if os.WIFSIGNALED(status) and used.ru_utime > asked["limit"] - 1 else "the process died"
    ran, _, caught = said.partition(" ") if said else ("0", "", ended)
    return {"caught": caught, "tests": int(ran), "took": round(used.ru_utime + used.ru_stime, 2)}


def _first_failed(session: Any, tests: list[Any], seconds: float) -> tuple[str, int]:
    """The first, and how many ran; none begins when what was loaded and made for the others took twice their time."""
    for number, (item, following) in enumerate(zip(tests, [*tests[1:], None], strict=True), 1):
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.testsfailed:
            return str(item.nodeid), number
        if sum(os.times()[:4]) > 1 + 2 * seconds:
            return "", number
    return "", len(tests)


def pytest_configure(config: Any) -> None:
    config.pluginmanager.register(Tracing() if LINES else Trying())
