"""A random ontology with many axioms of every normal form, and definitions that are nested."""

from __future__ import annotations

from pathlib import Path

import numpy as np

FORM_TEXTS = {
    "subclass": "SubClassOf(:C{a} :C{b})",
    "conjunction": "SubClassOf(ObjectIntersectionOf(:C{a} :C{b}) :C{c})",
    "existential": "SubClassOf(:C{a} ObjectSomeValuesFrom(:r{d} :C{b}))",
    "left_existential": "SubClassOf(ObjectSomeValuesFrom(:r{d} :C{a}) :C{b})",
    "definition": "EquivalentClasses(:C{a} ObjectIntersectionOf(:C{b} ObjectSomeValuesFrom(:r{d} :C{c})))",
}


def ontology_file(folder: Path, seed: int = 0, classes: int = 30) -> Path:
    generator = np.random.default_rng(seed)
    lines = []
    for form, text in FORM_TEXTS.items():
        for _ in range(25 if form == "definition" else 60):
            a, b, c = generator.choice(classes, 3, replace=False).tolist()
            lines.append(text.format(a=a, b=b, c=c, d=int(generator.integers(3))))
    lines.append("SubClassOf(:Lonely :C1)")
    path = folder / "random.ofn"
    path.write_text("Prefix(:=<http://example.org/>)\nOntology(\n" + "\n".join(lines) + "\n)\n", encoding="utf-8")
    return path
