"""A small ontology with everything that is projected, and a dataset of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import elgeo
from elgeo.datasets.model import Dataset, Kinds
from elgeo.ontology.normal_forms import NormalForms

TEXT = """
Prefix(:=<http://example.org/>) Prefix(owl:=<http://www.w3.org/2002/07/owl#>)
Prefix(rdfs:=<http://www.w3.org/2000/01/rdf-schema#>) Prefix(oio:=<http://www.geneontology.org/formats/oboInOwl#>)
Ontology(<http://example.org/small>
  SubClassOf(:A :B)
  EquivalentClasses(:C :D)
  SubClassOf(:A ObjectSomeValuesFrom(:r :E))
  SubClassOf(:A ObjectSomeValuesFrom(:s ObjectIntersectionOf(:F :G)))
  SubClassOf(:B ObjectSomeValuesFrom(:r ObjectSomeValuesFrom(:s :H)))
  EquivalentClasses(:I ObjectIntersectionOf(:A ObjectSomeValuesFrom(:r :J)))
  SubClassOf(ObjectSomeValuesFrom(:s :K) :L)
  SubClassOf(ObjectSomeValuesFrom(owl:topObjectProperty :K) :L)
  ObjectPropertyDomain(:t :M)
  ObjectPropertyRange(:t :N)
  SubClassOf(:B ObjectSomeValuesFrom(:t :H))
  SubClassOf(:B ObjectSomeValuesFrom(owl:topObjectProperty :J))
  SubClassOf(:B ObjectSomeValuesFrom(:r owl:Thing))
  SubClassOf(owl:Thing :O)
  EquivalentObjectProperties(:u :v)
  SubClassOf(:E ObjectSomeValuesFrom(:u :F))
  SubClassOf(:E ObjectSomeValuesFrom(:r :E))
  ClassAssertion(:A :a)
  ObjectPropertyAssertion(:r :a :b)
  SameIndividual(:b :c)
  AnnotationAssertion(rdfs:label :A "Red apple-tree")
  AnnotationAssertion(rdfs:label :B "fruit 2")
  AnnotationAssertion(oio:hasExactSynonym :B "Fruiting body")
  AnnotationAssertion(rdfs:label :r "partOf")
)
"""


def small_forms(folder: Path, text: str = TEXT) -> NormalForms:
    path = folder / "small.ofn"
    path.write_text(text, encoding="utf-8")
    return elgeo.normalise(elgeo.read(path))


def small_dataset(folder: Path, text: str = TEXT) -> Dataset:
    """C ⊑ D with nothing held out."""
    forms = small_forms(folder, text)
    kinds = Kinds(("thing",), np.zeros(forms.vocabulary.n_classes, np.int16))
    rows = forms.subclass
    return Dataset("small", forms, "subclass", None, rows, rows[:0], rows[:0], kinds, "thing", "thing")
