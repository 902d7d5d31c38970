"""What the net sees of a term and a class, beside plain sums; candidates and kernels beside plain loops."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import sparse

from elgeo.models.atlas.contexts.cutting import words
from elgeo.models.placement.evidence import NameEvidence
from elgeo.models.placement.hierarchy import ToldHierarchy
from elgeo.models.placement.knowledge import Knowledge
from elgeo.models.placement.reranking import candidates as choosing
from elgeo.models.placement.reranking.columns import PairColumns
from elgeo.models.placement.reranking.common_words import CommonWords
from elgeo.models.placement.reranking.support import best_member, shared
from elgeo.models.placement.terms import Term
from tests.models.placement import small_names


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
