"""Trains the embedded family in the plane, says which axioms are true there, and draws it (docs/family.svg)."""

from __future__ import annotations

import argparse
from pathlib import Path

import elgeo
from elgeo.files import write_text
from elgeo.models import Model
from elgeo.ontology.normal_forms import FORMS
from elgeo.report.drawing import drawn
from elgeo.report.figures import shape_plot

DRAWING = Path(__file__).parents[1] / "docs" / "family.svg"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--output", type=Path, default=DRAWING)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    run = elgeo.train("family", preset="family", seed=options.seed)
    model, forms = run.predictor(), run.dataset.forms
    assert isinstance(model, Model)
    for form in model.positive_forms:
        if len(forms[form]):
            true = model.holds(form, forms[form])
            print(f"{FORMS[form].code:<9} {FORMS[form].meaning:<11} {int(true.sum()):3} of {len(true):3} true")
    write_text(options.output, shape_plot(drawn(model, run.dataset), "The family as balls"))
    print(options.output)


if __name__ == "__main__":
    main()
