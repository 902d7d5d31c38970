"""Normal forms become consequences: saturation, entailment, closure, explanations."""
