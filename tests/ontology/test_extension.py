"""Normal forms with more classes and rows: what was there stays where it was, and each new row knows its axioms."""

from __future__ import annotations

import numpy as np

from elgeo.ontology.extension import MoreNames, NewRow, extended
from elgeo.ontology.normal_forms import NormalForms, empty_tables
from elgeo.ontology.vocabulary import Kind, Vocabulary


def test_more_names_stand_after_the_others() -> None:
    names = MoreNames(["a", "b"], ["c", "d", "e"])
    assert list(names) == ["a", "b", "c", "d", "e"]
    assert names[2] == "c"
    assert names[-1] == "e"
    assert len(names) == 5


def test_rows_are_added_with_their_axioms() -> None:
    kinds = np.array([Kind.BUILT_IN, Kind.BUILT_IN, Kind.NAMED], np.uint8)
    vocabulary = Vocabulary(["owl:Thing", "owl:Nothing", "A"], kinds, ("owl:top", "r"), np.array([0, 1], np.uint8))
    tables = empty_tables()
    tables["subclass"] = np.array([[2, 0], [1, 2]], np.int32)
    forms = NormalForms(vocabulary, tables, origins={"subclass": np.array([[0, 7], [1, 8]], np.int32)})
    rows: dict[str, list[NewRow]] = {"subclass": [((3, 2), (9, 4)), ((2, 4), ())], "existential": [((3, 1, 4), (6,))]}
    found = extended(forms, ["x", "y"], rows)
    assert list(found.vocabulary.classes) == ["owl:Thing", "owl:Nothing", "A", "x", "y"]
    assert found.vocabulary.class_kinds.tolist() == [*kinds.tolist(), Kind.FRESH, Kind.FRESH]
    assert found.tables["subclass"].tolist() == [[2, 0], [1, 2], [3, 2], [2, 4]]
    assert found.origins["subclass"].tolist() == [[0, 7], [1, 8], [2, 4], [2, 9]]
    assert found.tables["existential"].tolist() == [[3, 1, 4]]
    assert found.origins["existential"].tolist() == [[0, 6]]
    assert forms.tables["subclass"].shape == (2, 2)
    known = extended(forms, ["x"], {}, [Kind.INDIVIDUAL]).vocabulary.class_kinds
    assert known.tolist() == [*kinds.tolist(), Kind.INDIVIDUAL]
