"""The figures printed in the paper, to stand beside ours."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def paper_figures() -> dict[str, Any]:
    """The paper's tables: `paper_figures()["results"]["yeast-iw"]["filter"]["filtered"]["per_axiom"]["hits@10"]`."""
    text = files("elgeo.experiments").joinpath("paper.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
