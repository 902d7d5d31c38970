"""A small ontology with interactions and annotations as files, in the formats users have them."""

from __future__ import annotations

import gzip
from pathlib import Path

OBO = """format-version: 1.2
ontology: go

[Term]
id: GO:0000001
name: root

[Term]
id: GO:0000002
name: middle
alt_id: GO:0000020
is_a: GO:0000001

[Term]
id: GO:0000003
name: leaf
is_a: GO:0000002
relationship: part_of GO:0000004

[Term]
id: GO:0000004
name: whole
is_a: GO:0000001
disjoint_from: GO:0000002

[Term]
id: CL:0000001
name: cell

[Typedef]
id: part_of
name: part of
is_transitive: true
"""
PROTEINS = [f"9.P{i:02d}" for i in range(14)]
LINKS = [(a, b) for i, a in enumerate(PROTEINS) for j, b in enumerate(PROTEINS) if i < j and (i * 7 + j * 3) % 4 == 0]


def write_sources(folder: Path) -> dict[str, Path]:
    """The files by what they are."""
    folder.mkdir(parents=True, exist_ok=True)
    strings = "protein1 protein2 combined_score\n" + "".join(
        f"{a} {b} {900 if (i % 5) else 300}\n{b} {a} {900 if (i % 5) else 300}\n" for i, (a, b) in enumerate(LINKS)
    )
    gaf = "!gaf-version: 2.2\n" + "".join(
        gaf_line(f"S{i:02d}", f"GO:000000{1 + (i + k) % 4}") for i in range(14) for k in range(2)
    )
    gaf += gaf_line("S01", "GO:0000003", qualifier="NOT|enables") + gaf_line("S02", "GO:0000003", evidence="ND")
    gaf += gaf_line("S03", "GO:0000020") + gaf_line("S04", "GO:9999999") + gaf_line("S99", "GO:0000001")
    aliases = "#string_protein_id\talias\tsource\n" + "".join(f"{p}\tS{i:02d}\tX\n" for i, p in enumerate(PROTEINS))
    table = "".join(f"{p}\tGO:000000{1 + (i + k) % 4}\n" for i, p in enumerate(PROTEINS) for k in range(2))
    texts = {
        "go.obo": OBO,
        "links.txt": strings,
        "annotations.gaf": gaf,
        "aliases.txt": aliases,
        "annotations.tsv": table,
    }
    paths = {}
    for name, text in texts.items():
        paths[name] = folder / name
        paths[name].write_text(text)
    paths["links.txt.gz"] = folder / "links.txt.gz"
    paths["links.txt.gz"].write_bytes(gzip.compress(strings.encode(), mtime=0))
    return paths


def gaf_line(identifier: str, term: str, qualifier: str = "enables", evidence: str = "IDA") -> str:
    columns = ["SGD", identifier, "name" + identifier, qualifier, term, "PMID:1", evidence, "", "F", "", "", "protein"]
    return "\t".join([*columns, "taxon:9", "20200101", "SGD", "", ""]) + "\n"
