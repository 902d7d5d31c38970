"""A back-test as a folder: a dataset for each target, the new terms with their texts, and what came and went."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from elgeo.datasets.releases.backtest import BackTest
from elgeo.datasets.targets import check_place, save_targets
from elgeo.files import folder_written_atomically

TERMS, TERM_AXIOMS, CHANGES, GONE = "new_terms.tsv", "new_term_axioms.tsv", "changes.tsv", "gone.tsv"
BETWEEN = "|"
"""Between the synonyms of a term."""


def save_back_test(found: BackTest, folder: Path, replace_existing: bool = False) -> None:
    """Write it whole or not at all; the same releases give the same bytes."""
    check_place(folder, replace_existing)
    with folder_written_atomically(folder) as place:
        _table(place / TERMS, ("id", "label", "synonyms", "definition"), _terms(found))
        _table(place / TERM_AXIOMS, ("head", "role", "tail"), _term_axioms(found))
        _table(place / CHANGES, ("what", "head", "role", "tail"), _changes(found))
        _table(place / GONE, ("id", "instead"), sorted(_gone(found)))
        (place / "README.md").write_text(readme(found), encoding="utf-8", newline="\n")
        record = {"made_by": "releases", "sources": list(found.sources), "counts": found.counts()}
        save_targets(place, found.name, found.targets, record, (TERMS, TERM_AXIOMS, CHANGES, GONE))


def summary(counts: dict[str, Any]) -> str:
    """What came and went, as text for people."""
    classes = counts["classes"]
    lines = [
        f"{classes['old']:,} classes in the old release, {classes['new']:,} in the new, {classes['kept']:,} in both; "
        f"{classes['gone']:,} are gone ({classes['gone_and_followed']:,} have a successor), "
        f"{classes['new_terms']:,} are new ({classes['renamed']:,} took the place of an old one)",
        "",
    ]
    columns = {
        "trained": "trained",
        "came": "came",
        "entailed": "followed before",
        "held_out": "held out",
        "moved": "of these moved",
        "removed": "went",
        "of_new_terms": "of new terms",
        "new_terms": "new terms",
    }
    rows = [
        [text, *(f"{each[key]:,}" for key in columns)] for text, each in counts["axioms"].items() if any(each.values())
    ]
    table = [["axioms", *columns.values()], *rows]
    widths = [max(len(row[i]) for row in table) for i in range(len(table[0]))]
    for row in table:
        lines.append(
            "  ".join([row[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True))])
        )
    return "\n".join(lines)


def readme(found: BackTest) -> str:
    """Markdown; the same back-test gives the same text."""
    old, new = (source["file"] for source in found.sources)
    return "\n".join(
        [
            f"# {found.name}",
            "",
            f"A back-test: training is `{old}`, held out is what `{new}` says beside it.",
            "",
            "```",
            summary(found.counts()),
            "```",
            "",
            "## Files",
            "",
            *(f"- `{target.folder}/`: the dataset of `{target.axioms}`" for target in found.targets),
            f"- `{TERMS}`: classes that only the new release has, with their words and nothing else",
            f"- `{TERM_AXIOMS}`: what the new release says of these about classes of both",
            f"- `{CHANGES}`: axioms between classes of both releases that came and followed already (`entailed`), that",
            "  are held out though the old release said them of a class whose place one of theirs took (`moved`), that",
            "  are new of a class under its old id (`followed`), that went (`removed`)",
            f"- `{GONE}`: classes that only the old release has, and what is used instead",
            "",
        ]
    )


def _table(path: Path, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    lines = ["\t".join(columns), *("\t".join(" ".join(cell.split()) for cell in row) for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")


def _terms(found: BackTest) -> list[tuple[str, ...]]:
    return [(term.iri, term.label, BETWEEN.join(term.synonyms), term.definition) for term in found.terms]


def _everything(found: BackTest) -> list[tuple[str, Any]]:
    changes = [target.changes for target in found.targets] + [each for _, each in found.others]
    return [(each.pattern.role or "", each) for each in changes]


def _term_axioms(found: BackTest) -> list[tuple[str, str, str]]:
    return sorted((head, role, tail) for role, each in _everything(found) for head, tail in each.of_new)


def _changes(found: BackTest) -> list[tuple[str, str, str, str]]:
    return sorted(
        (what, head, role, tail)
        for role, each in _everything(found)
        for what in ("entailed", "moved", "followed", "removed")
        for head, tail in getattr(each, what)
    )


def _gone(found: BackTest) -> list[tuple[str, str]]:
    return [(name, found.names.followed.get(name, "")) for name in found.names.old - found.names.new]
