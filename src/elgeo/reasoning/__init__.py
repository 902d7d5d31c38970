"""Normal forms become consequences: saturation, entailment, closure, explanations."""

from elgeo.reasoning.reasoner import Reasoner
from elgeo.reasoning.saturation import Saturation, saturate

__all__ = ["Reasoner", "Saturation", "saturate"]
