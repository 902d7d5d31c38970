"""Datasets that `reproduce` builds from raw files say of their making what all others say."""

from __future__ import annotations

from pathlib import Path

from elgeo import datasets
from elgeo.experiments.sources import prepare

OBO = "ontology: go\n[Term]\nid: GO:0000001\n" + "".join(
    f"[Term]\nid: GO:000000{i}\nis_a: GO:000000{i // 2}\n" for i in range(2, 8)
)
OBO += '[Term]\nid: GO:0000008\nis_a: GO:0000001\nrelationship: part_of GO:0000002 {maxCardinality="2"}\n'


def test_leakage_and_drops_are_recorded(tmp_path: Path) -> None:
    data = tmp_path / "data"
    (data / "go").mkdir(parents=True)
    (data / "yeast").mkdir()
    (data / "go" / "go.obo").write_text(OBO)
    pairs = [(f"4932.P{i:02}", f"4932.P{(i * 7 + 1) % 40:02}") for i in range(40)]
    (data / "yeast" / "interactions.tsv").write_text("".join(f"{a}\t{b}\n" for a, b in pairs))
    lines = [f"4932.P{i:02}\tGO:000000{i % 7 + 1}\n" for i in range(40)] + ["4932.P00\tGO:0000099\n"]
    (data / "yeast" / "annotations.tsv").write_text("".join(lines))
    said: list[str] = []
    wanted = ("yeast-iw", "yeast-hf", "human-iw")
    assert prepare(data, tmp_path / "out", wanted, said.append) == ["yeast-iw", "yeast-hf"]
    assert any(line.startswith("human-iw: nothing in") for line in said)
    for name in ("yeast-iw", "yeast-hf"):
        record = datasets.load(tmp_path / "out" / name).record
        assert record["drops"]["annotations with terms that are not in the ontology"] == 1
        assert record["drops"]["axioms that EL++ cannot say in full (ObjectMaxCardinality)"] == 1
        for part in ("valid", "test"):
            assert record["leakage"][part]["axioms"] == len(getattr(datasets.load(tmp_path / "out" / name), part)) > 0
    assert datasets.load(tmp_path / "out" / "yeast-iw").record["leakage"]["test"]["inverse_in_train"] == 0
    # what is there is taken as it is
    before = (tmp_path / "out" / "yeast-iw" / "dataset.toml").stat().st_mtime_ns
    assert prepare(data, tmp_path / "out", ("yeast-iw",), said.append) == ["yeast-iw"]
    assert (tmp_path / "out" / "yeast-iw" / "dataset.toml").stat().st_mtime_ns == before
