"""The site of the documentation opens from disk: nothing that a page needs is fetched."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]


def scripts_and_styles(config: Any) -> list[str]:
    return [str(each) for each in (*config["extra_javascript"], *config["extra_css"], *config["extra"]["polyfills"])]


def test_no_script_or_style_is_named_by_an_address() -> None:
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    assert not re.search(r"https?:|//", text)
    assert "\n  font: false\n" in text
    (scripts,) = re.findall(r"polyfills: \[(.*)\]", text)
    for script in scripts.split(", "):
        content = (ROOT / "docs" / script).read_text(encoding="utf-8")
        assert not re.search(r"https?:", content)


def test_no_plugin_adds_one() -> None:
    mkdocs = pytest.importorskip("mkdocs.config", reason="the site's tools are not installed (make docs)")
    pytest.importorskip("material")
    pytest.importorskip("mkdocstrings")
    config = mkdocs.load_config(str(ROOT / "mkdocs.yml"))
    config = config["plugins"].on_config(config)
    found = scripts_and_styles(config)
    assert "assets/iframe-worker.js" in found
    assert not [each for each in found if re.match(r"\w*:?//", each)]
