"""The keywords of functional syntax that questions may use, and what their arguments are."""

from __future__ import annotations

from elgeo.ontology.expressions import Op

ARGUMENTS: dict[Op, str] = {
    Op.ObjectIntersectionOf: "cc*",
    Op.ObjectUnionOf: "cc*",
    Op.ObjectComplementOf: "c",
    Op.ObjectOneOf: "ii*",
    Op.ObjectSomeValuesFrom: "rc",
    Op.ObjectAllValuesFrom: "rc",
    Op.ObjectHasValue: "ri",
    Op.ObjectHasSelf: "r",
    Op.ObjectMinCardinality: "nrc?",
    Op.ObjectMaxCardinality: "nrc?",
    Op.ObjectExactCardinality: "nrc?",
    Op.ObjectPropertyChain: "rr*",
    Op.ObjectInverseOf: "r",
    Op.DataSomeValuesFrom: "dt",
    Op.DataAllValuesFrom: "dt",
    Op.DataHasValue: "dl",
    Op.DataMinCardinality: "ndt?",
    Op.DataMaxCardinality: "ndt?",
    Op.DataExactCardinality: "ndt?",
    Op.DataIntersectionOf: "tt*",
    Op.DataUnionOf: "tt*",
    Op.DataComplementOf: "t",
    Op.DataOneOf: "ll*",
    Op.SubClassOf: "cc",
    Op.EquivalentClasses: "cc*",
    Op.DisjointClasses: "cc*",
    Op.DisjointUnion: "cc*",
    Op.SubObjectPropertyOf: "rr",
    Op.EquivalentObjectProperties: "rr*",
    Op.ObjectPropertyDomain: "rc",
    Op.ObjectPropertyRange: "rc",
    Op.ReflexiveObjectProperty: "r",
    Op.TransitiveObjectProperty: "r",
    Op.IrreflexiveObjectProperty: "r",
    Op.SymmetricObjectProperty: "r",
    Op.AsymmetricObjectProperty: "r",
    Op.FunctionalObjectProperty: "r",
    Op.InverseFunctionalObjectProperty: "r",
    Op.InverseObjectProperties: "rr",
    Op.DisjointObjectProperties: "rr*",
    Op.SameIndividual: "ii*",
    Op.DifferentIndividuals: "ii*",
    Op.ClassAssertion: "ci",
    Op.ObjectPropertyAssertion: "rii",
    Op.NegativeObjectPropertyAssertion: "rii",
}
"""c class, r role or chain, i individual, n number, d data property, t data range, l literal.

The last may be marked * (any number more) or ? (not needed).
"""
