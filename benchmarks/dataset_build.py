"""Seconds and peak memory of building yeast-iw and yeast-hf from GO as OBO and as functional syntax, and of loading."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import tempfile
from pathlib import Path

from common import ROOT, data_folder, measured

LIMITS = {"seconds": 60.0, "bytes": 2 << 30}
LOAD = "import sys, time, elgeo.datasets as d; t = time.perf_counter(); d.load(sys.argv[1])"
LOAD += "; print(time.perf_counter() - t)"


def command(data: Path, ontology: str, target: str, output: Path) -> list[str]:
    """The command line a user would type."""
    yeast = data / "yeast"
    interactions = {part: str(yeast / f"interactions_{part}.tsv.gz") for part in ("train", "valid", "test")}
    call = [sys.executable, "-m", "elgeo", "dataset", "build", "--json", "--name", f"yeast-{target}", "-o", str(output)]
    call += ["--ontology", str(data / "go" / ontology)]
    if target == "iw":
        ready = [text for part, path in interactions.items() for text in (f"--{part}", path)]
        return [*call, "--annotations", str(yeast / "annotations.tsv.gz"), *ready]
    whole = ["--interactions", *interactions.values(), "--target", "has_function"]
    return [*call, "--annotations", str(yeast / "annotations.tsv.gz"), *whole]


def digest(folder: Path) -> str:
    """One checksum for all bytes of a folder."""
    total = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            total.update(path.relative_to(folder).as_posix().encode() + path.read_bytes())
    return total.hexdigest()


def main() -> None:
    data = data_folder()
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    print(f"{'dataset':<10}{'ontology':<8}{'seconds':>9}{'peak MB':>9}{'load s':>8}  training axioms")
    failed = False
    with tempfile.TemporaryDirectory() as name:
        for target in ("iw", "hf"):
            for ontology in ("go_2019-01-27.obo.gz", "go_2019-01-27_el.ofn.gz"):
                folders = [Path(name) / f"{target}-{ontology}-{k}" for k in range(2)]
                runs = [measured(command(data, ontology, target, f), env=environment, stderr=-3) for f in folders]
                best = min(runs)
                load = measured([sys.executable, "-c", LOAD, str(folders[0])], env=environment)
                counts = json.loads(best.output)["normal_forms"]
                shown = " ".join(f"{code} {n:,}" for code, n in counts.items() if n)
                kind = ontology.split(".")[-2]
                print(
                    f"yeast-{target:<4}{kind:<8}{best.seconds:>9.1f}{best.peak_bytes / 1e6:>9.0f}"
                    f"{float(load.output):>8.2f}  {shown}",
                    flush=True,
                )
                if digest(folders[0]) != digest(folders[1]):
                    print("  building twice gave different bytes")
                    failed = True
                failed |= best.seconds > LIMITS["seconds"] or best.peak_bytes > LIMITS["bytes"]
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
