"""Fifty readers and five writers at once on the page of `cell-small`; then writers against kill -9.

Readers search, open a class, look at its missing axioms, now and then ask why, and read for two seconds; writers decide
five times a second, and undo some. Every answer's time counts, from the first byte sent to the last received; beside it
stands what the server took of the processor, and how many processes wanted one meanwhile, for others wait too. Then the
server is killed with -9 in the midst of decisions, again and again: what was acknowledged has to be in the file.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import quote

import numpy as np

from common import ROOT
from elgeo.serve.decisions import Decisions
from elgeo.training.run import Run

ELGEO = [sys.executable, "-m", "elgeo"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT / "src")}


class Server:
    """`elgeo serve` as a process of its own."""

    def __init__(self, run: Path, decisions: Path) -> None:
        call = [*ELGEO, "serve", str(run), "--port", "0", "--decisions", str(decisions)]
        self.process = subprocess.Popen(call, stdout=subprocess.PIPE, text=True, env=ENVIRONMENT)
        assert self.process.stdout is not None
        self.port = int(self.process.stdout.readline().strip().rstrip("/").rpartition(":")[2])

    def processor(self) -> float:
        """Seconds of processor so far, of user and system."""
        # the name, which stands in brackets, may have blanks
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self, number: int = signal.SIGINT) -> None:
        self.process.send_signal(number)
        self.process.wait()


class Visitor:
    """One connection that stays open."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.seconds: dict[str, list[float]] = {}

    async def ask(self, path: str, document: dict[str, object] | None = None) -> bytes:
        if not hasattr(self, "reader"):
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        body = b"" if document is None else json.dumps(document).encode()
        how = "GET" if document is None else "POST"
        head = f"{how} {path} HTTP/1.1\r\nhost: 127.0.0.1:{self.port}\r\n"
        head += f"content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n" if body else "\r\n"
        started = time.perf_counter()
        self.writer.write(head.encode() + body)
        answer = await self.reader.readuntil(b"\r\n\r\n")
        length = next(
            int(line[15:]) for line in answer.decode().lower().splitlines() if line.startswith("content-length:")
        )
        content = await self.reader.readexactly(length)
        self.seconds.setdefault(path.partition("?")[0], []).append(time.perf_counter() - started)
        if not answer.startswith(b"HTTP/1.1 200"):
            raise RuntimeError(f"{path}: {answer[:40]!r} {content[:200]!r}")
        return content


async def read(visitor: Visitor, classes: list[str], end: float, pause: float, chance: random.Random) -> None:
    while time.perf_counter() < end:
        await asyncio.sleep(chance.uniform(0, 2 * pause))
        iri = chance.choice(classes)
        await visitor.ask(f"/api/search?q={quote(iri[-chance.randint(1, 4) :])}")
        await visitor.ask(f"/api/class?name={quote(iri, '')}")
        found = json.loads(await visitor.ask(f"/api/missing?head={quote(iri, '')}"))["missing"]
        if found and chance.random() < 0.2:
            row = chance.choice(found)
            ends = f"head={quote(row['head']['iri'], '')}&tail={quote(row['tail']['iri'], '')}"
            await visitor.ask(f"/api/reasons?{ends}")


async def write(visitor: Visitor, classes: list[str], role: str, end: float, who: str, chance: random.Random) -> int:
    made = 0
    while time.perf_counter() < end:
        head, tail = chance.sample(classes, 2)
        axiom: dict[str, object] = {"head": head, "role": role, "tail": tail, "who": who}
        await visitor.ask(
            "/api/decisions", {**axiom, "verdict": chance.choice(["accept", "reject", "postpone"]), "score": 0.5}
        )
        made += 1
        if chance.random() < 0.2:
            await visitor.ask("/api/undo", axiom)
        await asyncio.sleep(0.2)  # nobody decides faster
    return made


async def load(server: Server, run: Run, seconds: float, readers: int, writers: int, pause: float) -> None:
    names, dataset = run.dataset.vocabulary, run.dataset
    classes = [names.classes[c] for c in dataset.kinds.members(dataset.head_kind).tolist()]
    role = "" if dataset.target_role is None else names.roles[dataset.target_role]
    end, before = time.perf_counter() + seconds, server.processor()
    visitors = [Visitor(server.port) for _ in range(readers + writers)]
    work = [read(visitors[i], classes, end, pause, random.Random(i)) for i in range(readers)]
    decided = [write(visitors[readers + i], classes, role, end, f"w{i}", random.Random(-i - 1)) for i in range(writers)]
    counts = await asyncio.gather(*work, *decided)
    every = np.concatenate([np.array(each) for visitor in visitors for each in visitor.seconds.values()])
    decisions = sum(each or 0 for each in counts)
    print(f"{readers} readers, {writers} writers, {seconds:.0f} s: {len(every):,} answers, {decisions:,} decisions")
    for name in sorted({path for visitor in visitors for path in visitor.seconds}):
        mine = np.concatenate([np.array(v.seconds.get(name, [])) for v in visitors]) * 1000
        print(f"  {name:<16}{len(mine):>8,}  p50 {np.percentile(mine, 50):6.1f}  p99 {np.percentile(mine, 99):6.1f} ms")
    p50, p99, most = (float(x) for x in (*np.percentile(every * 1000, [50, 99]), every.max() * 1000))
    print(f"  all             {len(every):>8,}  p50 {p50:6.1f}  p99 {p99:6.1f} ms  longest {most:.0f} ms")
    used = server.processor() - before
    print(
        f"  the server took {used:.1f} s of processor, {used / len(every) * 1000:.2f} ms an answer;"
        f" in the last minute {os.getloadavg()[0]:.1f} wanted one of {os.cpu_count()}"
    )


async def until_killed(server: Server, number: int) -> list[tuple[str, str]]:
    """Decisions of five writers that were acknowledged before the server was killed."""
    acknowledged: list[tuple[str, str]] = []

    async def writer(who: str) -> None:
        visitor = Visitor(server.port)
        for i in range(10**6):
            head = f"http://x/{number}/{who}/{i}"
            await visitor.ask(
                "/api/decisions", {"head": head, "role": "", "tail": "http://x/t", "who": who, "verdict": "accept"}
            )
            acknowledged.append((head, who))

    work = [asyncio.create_task(writer(f"w{i}")) for i in range(5)]
    while len(acknowledged) < 20:  # a kill before anything was acknowledged would show nothing
        for task in work:
            if task.done():
                task.result()  # whoever was refused says why
        await asyncio.sleep(0.01)
    await asyncio.sleep(random.Random(number).random())
    if refused := [task.exception() for task in work if task.done()]:
        raise RuntimeError(f"before the server was killed: {refused}")
    server.end(signal.SIGKILL)
    await asyncio.gather(*work, return_exceptions=True)  # all of them meet the end of the server
    return acknowledged


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--readers", type=int, default=50)
    parser.add_argument("--writers", type=int, default=5)
    parser.add_argument(
        "--pause", type=float, default=2.0, help="seconds a reader looks at a class (default %(default)s)"
    )
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--dataset", default="cell-small")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        run = Path(scratch) / "run"
        subprocess.run([*ELGEO, "train", options.dataset, "-o", str(run), "--quiet"], check=True, env=ENVIRONMENT)
        server = Server(run, Path(scratch) / "load.sqlite")
        try:
            asyncio.run(load(server, Run.load(run), options.seconds, options.readers, options.writers, options.pause))
        finally:
            server.end()
        path, acknowledged = Path(scratch) / "killed.sqlite", set[tuple[str, str]]()
        for number in range(options.kills):
            server = Server(run, path)
            try:
                some = asyncio.run(until_killed(server, number))
            finally:
                server.end(signal.SIGKILL)
            print(f"  kill {number + 1}: {len(some)} acknowledged", flush=True)
            acknowledged |= set(some)
        kept = {(decision.axiom.head, decision.who) for decision in Decisions(path).all()}
        lost = len(acknowledged - kept)
        print(f"killed {options.kills} times with -9: {len(acknowledged):,} decisions acknowledged, {lost} lost")
        if lost:
            raise SystemExit(1)


if __name__ == "__main__":
    main()
