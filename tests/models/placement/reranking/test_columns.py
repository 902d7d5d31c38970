"""What the net sees of a term and a class, beside plain sums; candidates and kernels beside plain loops."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from elgeo import datasets
from elgeo.models.atlas.contexts.cutting import words
from elgeo.models.placement.evidence import AT_END, FIRST, IN_NAME, NameEvidence
from elgeo.models.placement.hierarchy import ToldHierarchy
from elgeo.models.placement.knowledge import Knowledge
from elgeo.models.placement.reranking import candidates as choosing
from elgeo.models.placement.reranking.columns import PairColumns
from elgeo.models.placement.reranking.common_words import CommonWords
from elgeo.models.placement.reranking.support import best_member, shared
from elgeo.models.placement.terms import Term
from tests.models.placement import small_names

MENTIONED = (IN_NAME, AT_END, FIRST)


def test_kernels_by_plain_loops() -> None:
    generator = np.random.default_rng(2)
    told = sparse.csr_array(np.tril(generator.random((20, 20)) < 0.2, -1).astype(np.float32))
    hierarchy = ToldHierarchy(told)
    values = generator.standard_normal((3, 20)).astype(np.float32)
    among = np.stack([generator.permutation(20)[:9] for _ in range(3)])
    found = best_member(values, among, told.indptr, told.indices, -7.0)
    belief = generator.random((3, 9)).astype(np.float32)
    lower, higher = shared(belief, among, hierarchy.above.indptr, hierarchy.above.indices, 20)
    above = hierarchy.above.toarray()
    for i in range(3):
        for k, c in enumerate(among[i].tolist()):
            parents = told[[c]].indices.tolist()
            assert found[i, k] == max((values[i, p] for p in parents), default=-7)
            others = list(enumerate(among[i].tolist()))
            assert lower[i, k] == pytest.approx(sum(belief[i, j] for j, d in others if above[d, c]), abs=1e-6)
            assert higher[i, k] == pytest.approx(sum(belief[i, j] for j, d in others if above[c, d]), abs=1e-6)


def test_candidates_are_the_best_and_what_is_around_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choosing, "MOST", 12)
    monkeypatch.setattr(choosing, "AROUND", 2)
    monkeypatch.setattr(choosing, "BELOW", 1)
    told = np.zeros((40, 40), np.float32)
    told[0, 30] = told[30, 31] = told[35, 0] = told[1, 32] = told[2, 33] = 1
    scores = -np.arange(40, dtype=np.float32)[None]
    found = choosing.candidates(scores, ToldHierarchy(sparse.csr_array(told)))
    assert found[0].tolist() == [0, 1, 2, 3, 4, 5, 6, 7, 30, 31, 32, 35]  # 33 is above one that is not among the best
    few = choosing.candidates(scores[:, :5], ToldHierarchy(sparse.csr_array(told[:5, :5])))
    assert few[0].tolist() == [0, 1, 2, 3, 4]


def test_words_by_plain_sums() -> None:
    terms = [Term("heart valve", ("cardiac valve",), "A valve of a heart."), Term("lung lobe"), Term("valve")]
    asked = Term("left heart valve", (), "A heart valve on the left.")
    found = CommonWords(terms).columns([asked], np.array([[2, 0, 1]]))
    said = [{w for text in (*t.names, t.definition) for w in words(text)} for t in terms]
    weight = {w: math.log(4 / sum(w in each for each in said)) for each in said for w in each}

    def total(some: set[str]) -> float:
        return sum(weight.get(w, math.log(4)) for w in some)

    name, text = set(words(asked.label)), set(words(asked.label)) | set(words(asked.definition))
    for k, c in enumerate((2, 0, 1)):
        label = set(words(terms[c].label))
        names = {w for each in terms[c].names for w in words(each)}
        wanted = {
            "class in name": total(label & name) / total(label),
            "class in text": total(label & text) / total(label),
            "name in class": total(label & name) / total(name),
            "name in names of class": total(names & name) / total(name),
            "name in text of class": total(said[c] & name) / total(name),
            "class in beginning": total(label & set(list(words(asked.definition))[:12])) / total(label),
            "class not in name": total(label - name),
            "class not in text": total(label - text),
            "name not in text of class": total(name - said[c]),
            "words of name": 3,
            "name not in class": total(name - label),
            "same last word": float(terms[c].label.split()[-1] == "valve"),
            "same first word": 0.0,
            "more words": 3 - len(terms[c].label.split()),
        }
        for column, value in wanted.items():
            assert found[column][0, k] == pytest.approx(value, abs=1e-5), column


@pytest.mark.slow
def test_columns_beside_the_evidence(tmp_path_factory: pytest.TempPathFactory) -> None:
    knowledge = Knowledge.of(small_names.dataset(tmp_path_factory.mktemp("names")))
    evidence = NameEvidence(knowledge)
    terms = [Term("right heart chamber"), Term("regulation of spleen growth", (), "Any process.")]
    seen = evidence.look(terms)
    rows = evidence.rows(seen, None)
    scores = np.random.default_rng(0).random((2, evidence.size)).astype(np.float32)
    pairs = PairColumns(evidence)
    closely = pairs.look(seen, rows, scores)
    assert list(closely.columns) == pairs.names
    assert closely.rows.shape == (*closely.candidates.shape, len(pairs.names))
    assert np.isfinite(closely.rows).all()
    alike = sparse.csr_array(rows["alike by name"]).toarray()
    assert evidence.meaning is not None
    hierarchy, drawn = ToldHierarchy(knowledge.told[None]), evidence.meaning.drawn(seen.meant)
    whole, up = drawn + drawn @ hierarchy.above.toarray(), drawn @ hierarchy.up.toarray()
    for i in range(2):
        assert sorted(set(closely.candidates[i].tolist())) == sorted(closely.candidates[i].tolist())
        for k, c in enumerate(closely.candidates[i].tolist()):
            children = [b for b, above in knowledge.parents.items() if c in above]
            got = {
                name: np.broadcast_to(each, closely.candidates.shape)[i, k] for name, each in closely.columns.items()
            }
            assert got["alike by name"] == pytest.approx(math.sqrt(alike[i, c]), abs=1e-6)
            best = max((alike[i, b] for b in children), default=0.0)
            assert got["alike by name, a child"] == pytest.approx(best, abs=1e-6)
            assert got["alike by name, beside its children"] == pytest.approx(alike[i, c] - best, abs=1e-6)
            below = max((whole[i, b] for b in children), default=0.0)
            beside = max((whole[i, p] for p in hierarchy.up[[c]].indices), default=0.0)
            assert got["expected"] == pytest.approx(up[i, c], abs=1e-5)
            assert got["expected below"] == pytest.approx(whole[i, c], abs=1e-5)
            assert got["expected below one child"] == pytest.approx(below, abs=1e-5)
            assert got["expected below no one child"] == pytest.approx(whole[i, c] - below, abs=1e-5)
            assert got["expected beside its parents"] == pytest.approx(whole[i, c] - beside, abs=1e-5)
            assert got["children"] == pytest.approx(math.log1p(len(children)), abs=1e-6)
            assert got["score beside the best"] == pytest.approx(scores[i, c] - scores[i].max(), abs=1e-6)
            lower, upper = (
                max((scores[i, b] for b in around), default=0.0) for around in (children, hierarchy.up[[c]].indices)
            )
            assert got["best child beside the best"] == pytest.approx(lower - scores[i].max(), abs=1e-6)
            assert got["best parent beside the best"] == pytest.approx(upper - scores[i].max(), abs=1e-6)
            assert got["score beside the best child"] == pytest.approx(scores[i, c] - lower, abs=1e-6)
            assert got["score beside the best parent"] == pytest.approx(scores[i, c] - upper, abs=1e-6)
            assert got["has a definition"] == i


@pytest.mark.slow
def test_every_column_by_plain_loops(tmp_path: Path) -> None:
    knowledge = Knowledge.of(small_names.dataset(tmp_path))
    evidence = NameEvidence(knowledge)
    terms = [Term("right heart chamber"), Term("regulation of lung lobe growth", (), "Any process of a lobe.")]
    seen, size = evidence.look(terms), evidence.size
    rows = evidence.rows(seen, None)
    scores = np.random.default_rng(3).standard_normal((2, size)).astype(np.float32)
    closely = PairColumns(evidence).look(seen, rows, scores)
    parents = {c: knowledge.parents.get(c, []) for c in range(size)}
    children = {c: [b for b in range(size) if c in parents[b]] for c in range(size)}

    def steps(c: int, around: dict[int, list[int]]) -> dict[int, int]:
        """All that is reached, and by how many steps."""
        found, here, level = dict[int, int](), [c], 0
        while here:
            level += 1
            here = list(dict.fromkeys(p for b in here for p in around[b] if p not in found and p != c))
            found.update(dict.fromkeys(here, level))
        return found

    above, below = ({c: steps(c, around) for c in range(size)} for around in (parents, children))
    roots = [c for c in range(size) if not parents[c]]
    tops = ToldHierarchy(knowledge.told[None]).top.tolist()  # of several tops one
    assert len(roots) > 1
    words_alone = set(CommonWords(knowledge.terms).columns(terms, closely.candidates))
    sheet, number = closely.rows, {name: n for n, name in enumerate(closely.columns)}
    names: set[str] = set()
    for i in range(2):
        among = closely.candidates[i].tolist()
        total = sum(math.exp(scores[i, c]) for c in among)
        belief = {c: math.exp(scores[i, c]) / total for c in among}
        order = sorted(scores[i].tolist(), reverse=True)
        for k, c in enumerate(among):
            wanted: dict[str, float] = {}

            def most(values: np.ndarray, some: list[int], default: float = 0.0) -> float:
                return max((float(values[b]) for b in some), default=default)

            for name, found in rows.items():
                values = (found if isinstance(found, np.ndarray) else found.toarray())[0 if found.shape[0] == 1 else i]
                here, top = float(values[c]), max(float(values.max()), 1e-6)
                wanted[name] = math.sqrt(max(here, 0))
                if name.startswith("alike by") or name in ("where its meaning leads", *MENTIONED):
                    wanted[f"{name}, beside the most"] = here / top
                if name.startswith("alike by"):
                    child = most(values, children[c])
                    wanted[f"{name}, a child"] = child
                    wanted[f"{name}, a child beside the most"] = child / top
                    wanted[f"{name}, beside its children"] = here - child
                    wanted[f"{name}, beside its parents"] = here - most(values, parents[c])
            for name in ("all texts", "text", "name", "definition"):
                near = seen.near[name].toarray()[i].astype(np.float64)
                votes = sparse.csr_array(rows[f"votes by {name}"]).toarray()[i, c]
                wanted[f"below it by {name}"] = sum(near[b] for b in below[c])
                wanted[f"itself by {name}"] = math.sqrt(near[c])
                wanted[f"votes by {name}, by children"] = votes / math.sqrt(1 + len(children[c]))
                wanted[f"votes by {name}, beyond chance"] = math.log(1 + votes * size / (10 + len(children[c])))
            near = seen.near["all texts"].toarray()[i].astype(np.float64)
            whole = np.array([near[c] + sum(near[b] for b in below[c]) for c in range(size)])
            wanted["below one child"] = most(whole, children[c])
            wanted["below no one child"] = whole[c] - wanted["below one child"]
            wanted["below a parent"] = least = min((float(whole[p]) for p in parents[c]), default=1.0)
            wanted["of what is below a parent"] = whole[c] / max(least, 1e-3)
            assert tops[c] in roots
            assert tops[c] in (c, *above[c])
            wanted["below the same top"] = whole[tops[c]]
            mine = float(scores[i, c])
            child, parent = most(scores[i], children[c]), most(scores[i], parents[c])
            wanted |= {
                "score": mine,
                "score beside the best": mine - order[0],
                "rank": math.log(1 + k),
                "belief": math.log(belief[c] + 1e-6),
                "belief below": math.sqrt(sum(belief[b] for b in among if b in below[c])),
                "belief above": math.sqrt(sum(belief[b] for b in among if b in above[c])),
                "best child beside the best": child - order[0],
                "best parent beside the best": parent - order[0],
                "score beside the best child": mine - child,
                "score beside the best parent": mine - parent,
                "how sure": order[0] - order[10],
                "depth": min(above[c].get(d, 0) for d in roots if d == c or d in above[c]),
                "children": math.log(1 + len(children[c])),
                "descendants": math.log(1 + len(below[c])),
                "ancestors": math.log(1 + len(above[c])),
                "parents": len(parents[c]),
                "no children": float(not children[c]),
                "has a definition": i,
            }
            for name, value in wanted.items():
                got = np.broadcast_to(closely.columns[name], closely.candidates.shape)[i, k]
                assert got == pytest.approx(value, abs=2e-5), name
                rough = float(np.clip(value, -100, 100))
                assert sheet[i, k, number[name]] == pytest.approx(rough, rel=1e-3, abs=1e-4)
            names = {*wanted}
    assert {name for name in closely.columns if name not in names | words_alone} == {
        name for name in closely.columns if name.startswith("expected")
    }


def test_few_classes_above_each_other(tmp_path: Path) -> None:
    """Of five classes the last is as good as the tenth; what goes round in circles has no depth."""
    up = {"heart": "lung", "lung": "heart", "left heart": "heart", "brain": "organ"}
    numbers = {name: f"X:{i}" for i, name in enumerate([*up, "organ"])}
    stanzas = [f"[Term]\nid: {number}\nname: {name}" for name, number in numbers.items()]
    told = [f"[Term]\nid: {numbers[low]}\nis_a: {numbers[high]}" for low, high in up.items()]
    (tmp_path / "few.obo").write_text("\n\n".join(["ontology: x", *stanzas, *told]) + "\n")
    knowledge = Knowledge.of(datasets.split(tmp_path / "few.obo", "?C SubClassOf ?D", shares="100:0:0"))
    evidence = NameEvidence(knowledge)
    seen = evidence.look([Term("right heart")])
    scores = np.array([[0.3, 2.5, -1.25, 0.5, 1.0]], np.float32)
    closely = PairColumns(evidence).look(seen, evidence.rows(seen, None), scores)
    assert closely.candidates.tolist() == [[1, 4, 3, 0, 2]]
    assert closely.columns["how sure"].tolist() == [[2.5 + 1.25]]
    depth = {knowledge.terms[c].label: closely.columns["depth"][0, k] for k, c in enumerate(closely.candidates[0])}
    assert depth == {"heart": 0, "lung": 0, "left heart": 0, "organ": 0, "brain": 1}
