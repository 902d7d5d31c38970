"""Pages of the site that are made when it is built: the README as its first, and the API, a page for each room."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[1]
ROOMS = (
    "ontology", "reasoning", "datasets", "negatives", "models", "training", "evaluation", "experiments", "report",
)  # fmt: skip
"""In the order in which data walks through them."""


def on_config(config: Any) -> Any:
    """Put every page of the folder that the navigation does not name, and the API, at its end."""
    named = str(config.nav)
    others = [path.name for path in sorted((ROOT / "docs").glob("*.md")) if path.name not in named]
    if others:
        config.nav.append({"More": others})
    config.nav.append({"API": ["api/index.md", *(f"api/{room}.md" for room in ROOMS)]})
    return config


def on_files(files: Files, config: Any) -> Files:
    """Add the pages that are no files of `docs/`."""
    for name, source in (("index", "README"), ("changelog", "CHANGELOG"), ("contributing", "CONTRIBUTING")):
        text = (ROOT / f"{source}.md").read_text(encoding="utf-8")
        files.append(File.generated(config, f"{name}.md", content=re.sub(r"(\]\(|src=\")docs/", r"\1", text)))
    public = "".join(f"::: elgeo.{name}\n\n" for name in _homes())
    files.append(File.generated(config, "api/index.md", content=f"# What `import elgeo` offers\n\n{public}"))
    for room in ROOMS:
        files.append(File.generated(config, f"api/{room}.md", content=f"# {room}\n\n::: elgeo.{room}\n"))
    return files


def _homes() -> list[str]:
    """Where the public names live: as `elgeo.__init__` says, which is read and not imported."""
    text = (ROOT / "src" / "elgeo" / "__init__.py").read_text(encoding="utf-8")
    homes = dict(re.findall(r'^    "(\w+)": "elgeo\.([\w.]+)"', text, re.MULTILINE))
    return [f"{home}.{name}" for name, home in homes.items()]
