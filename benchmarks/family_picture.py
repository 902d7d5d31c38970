"""Puts the embedded family into the plane, says which axioms are true there, and draws it (docs/family.svg).

`--preset faithful` draws the boxes in which all of them are true (docs/family-boxes.svg).
"""

from __future__ import annotations

import argparse
from pathlib import Path

import elgeo
from elgeo.files import write_text
from elgeo.models import Geometry
from elgeo.ontology.normal_forms import FORMS
from elgeo.report.drawing import drawn
from elgeo.report.figures import shape_plot

DOCS = Path(__file__).parents[1] / "docs"
DRAWINGS = {"family": ("family.svg", "The family as balls"), "faithful": ("family-boxes.svg", "The family as boxes")}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--output", type=Path)
    parser.add_argument("--preset", choices=DRAWINGS, default="family")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    name, title = DRAWINGS[options.preset]
    output = options.output or DOCS / name
    run = elgeo.train("family", preset=options.preset, seed=options.seed, dimension=2)
    model, forms = run.predictor(), run.dataset.forms
    assert isinstance(model, Geometry)
    for form in model.judged_forms:
        if len(forms[form]):
            true = model.holds(form, forms[form])
            print(f"{FORMS[form].code:<9} {FORMS[form].meaning:<11} {int(true.sum()):3} of {len(true):3} true")
    write_text(output, shape_plot(drawn(model, run.dataset), title))
    print(output)


if __name__ == "__main__":
    main()
