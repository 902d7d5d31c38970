"""All pairs of yeast proteins: scored, what is known or contradicts left out, the best 100,000 kept with their marks.

Trains `atlas` on a dataset (`--dataset`, by default yeast interactions built from the real data) unless a run is given,
then measures `elgeo predict RUN --all --top 100000 -o FILE` as a process of its own.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import pandas as pd

from common import measured, yeast_words

TOP = 100_000
ELGEO = [sys.executable, "-m", "elgeo"]


def built(folder: Path) -> Path:
    """The yeast interactions as a dataset."""
    subprocess.run(
        [*ELGEO, "dataset", "build", "-o", str(folder), *yeast_words(), "--target", "interacts_with"], check=True
    )
    return folder


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dataset", type=Path, help="a dataset's folder")
    parser.add_argument("--run", type=Path, help="a run that is trained already")
    parser.add_argument("--top", type=int, default=TOP, help="(default %(default)s)")
    parser.add_argument("--endings", default=".parquet,.tsv,.owl", help="what is written (default %(default)s)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        run = options.run
        if run is None:
            dataset = options.dataset or built(Path(scratch) / "data")
            run = Path(scratch) / "run"
            made = measured([*ELGEO, "train", str(dataset), "-o", str(run), "--quiet"])
            print(f"trained in {made.seconds:.1f} s, {made.peak_bytes / 2**30:.2f} GiB")
        for ending in options.endings.split(","):
            path = Path(scratch) / f"best{ending}"
            made = measured([*ELGEO, "predict", str(run), "--all", "--top", str(options.top), "-o", str(path)])
            size = path.stat().st_size / 2**20
            print(f"{ending:>9}  {made.seconds:6.1f} s, peak {made.peak_bytes / 2**30:.2f} GiB, {size:.1f} MiB written")
            if ending == ".parquet":
                frame = pd.read_parquet(path)
                print(f"           {len(frame):,} axioms: {frame['status'].value_counts().to_dict()}")


if __name__ == "__main__":
    main()
