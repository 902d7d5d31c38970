"""The tables of a page, read as a browser would."""

from __future__ import annotations

from html.parser import HTMLParser


class Tables(HTMLParser):
    """The tables of a page as lists of rows of cells, by caption."""

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, list[list[str]]] = {}
        self._rows: list[list[str]] = []
        self._place = ""
        self._caption = ""

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag == "caption":
            self._caption = ""
        elif tag == "tr":
            self._rows.append([])
        elif tag in ("td", "th"):
            self._rows[-1].append("")
        self._place = "caption" if self._place == "caption" else tag

    def handle_endtag(self, tag: str) -> None:
        if tag == "table":
            self.found[self._caption] = self._rows
            self._rows = []
        self._place = ""

    def handle_data(self, data: str) -> None:
        if self._place == "caption":
            self._caption += data
        elif self._place in ("td", "th") and self._rows:
            self._rows[-1][-1] += data.strip()
