"""The vocabulary of OWL: what a node of an ontology can be, under its name in functional syntax."""

from __future__ import annotations

from enum import IntEnum, auto


class Op(IntEnum):
    """The kind of a node. The member's name is the keyword of OWL 2 functional syntax."""

    # entities and literals: one argument, an index into `Ontology.strings`
    Class = auto()
    ObjectProperty = auto()
    DataProperty = auto()
    AnnotationProperty = auto()
    Datatype = auto()
    NamedIndividual = auto()  # anonymous individuals too; their string starts with "_:"
    Literal = auto()  # the string is the literal as functional syntax writes it; cardinalities too

    # property expressions
    ObjectInverseOf = auto()
    ObjectPropertyChain = auto()

    # class expressions
    ObjectIntersectionOf = auto()
    ObjectUnionOf = auto()
    ObjectComplementOf = auto()
    ObjectOneOf = auto()
    ObjectSomeValuesFrom = auto()
    ObjectAllValuesFrom = auto()
    ObjectHasValue = auto()
    ObjectHasSelf = auto()
    ObjectMinCardinality = auto()
    ObjectMaxCardinality = auto()
    ObjectExactCardinality = auto()
    DataSomeValuesFrom = auto()
    DataAllValuesFrom = auto()
    DataHasValue = auto()
    DataMinCardinality = auto()
    DataMaxCardinality = auto()
    DataExactCardinality = auto()

    # data ranges
    DataIntersectionOf = auto()
    DataUnionOf = auto()
    DataComplementOf = auto()
    DataOneOf = auto()
    DatatypeRestriction = auto()

    # class axioms
    SubClassOf = auto()
    EquivalentClasses = auto()
    DisjointClasses = auto()
    DisjointUnion = auto()

    # object property axioms
    SubObjectPropertyOf = auto()
    EquivalentObjectProperties = auto()
    DisjointObjectProperties = auto()
    InverseObjectProperties = auto()
    ObjectPropertyDomain = auto()
    ObjectPropertyRange = auto()
    FunctionalObjectProperty = auto()
    InverseFunctionalObjectProperty = auto()
    ReflexiveObjectProperty = auto()
    IrreflexiveObjectProperty = auto()
    SymmetricObjectProperty = auto()
    AsymmetricObjectProperty = auto()
    TransitiveObjectProperty = auto()

    # data property axioms
    SubDataPropertyOf = auto()
    EquivalentDataProperties = auto()
    DisjointDataProperties = auto()
    DataPropertyDomain = auto()
    DataPropertyRange = auto()
    FunctionalDataProperty = auto()
    DatatypeDefinition = auto()
    HasKey = auto()

    # assertions
    SameIndividual = auto()
    DifferentIndividuals = auto()
    ClassAssertion = auto()
    ObjectPropertyAssertion = auto()
    NegativeObjectPropertyAssertion = auto()
    DataPropertyAssertion = auto()
    NegativeDataPropertyAssertion = auto()

    # rules, and whatever else a file may hold that is logical but not OWL 2
    DLSafeRule = auto()


ENTITIES = range(Op.Class, Op.Literal + 1)
AXIOMS = range(Op.SubClassOf, Op.DLSafeRule + 1)

OWL = "http://www.w3.org/2002/07/owl#"
THING = OWL + "Thing"
NOTHING = OWL + "Nothing"
TOP_OBJECT_PROPERTY = OWL + "topObjectProperty"
BOTTOM_OBJECT_PROPERTY = OWL + "bottomObjectProperty"
BUILT_IN = (THING, NOTHING, TOP_OBJECT_PROPERTY, BOTTOM_OBJECT_PROPERTY)
