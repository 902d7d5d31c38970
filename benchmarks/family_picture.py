"""Puts the embedded family into the plane, says which axioms are true there, and draws it (docs/family.svg).

`--preset faithful` draws the boxes in which all of them are true (docs/family-boxes.svg), `--preset family/elbe` …
the other models (docs/family-elbe.svg …), `--preset all` every one.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import elgeo
from elgeo.files import write_text
from elgeo.models import Geometry
from elgeo.ontology.normal_forms import FORMS
from elgeo.report.pages.drawing import drawn
from elgeo.report.pages.figures import shape_plot

DOCS = Path(__file__).parents[1] / "docs"
DRAWINGS = {
    "family": ("family.svg", "The family as balls"),
    "faithful": ("family-boxes.svg", "The family as boxes"),
    **{
        f"family/{model}": (f"family-{model}.svg", f"The family by {model}")
        for model in ("emelpp", "elbe", "boxel", "box2el", "transbox", "transe")
    },
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--output", type=Path)
    parser.add_argument("--preset", choices=[*DRAWINGS, "all"], default="family")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    for preset in DRAWINGS if options.preset == "all" else [options.preset]:
        print(preset)
        draw(preset, options.output or DOCS / DRAWINGS[preset][0], options.seed)


def draw(preset: str, output: Path, seed: int) -> None:
    run = elgeo.train("family", preset=preset, seed=seed, dimension=2)
    model, forms = run.predictor(), run.dataset.forms
    assert isinstance(model, Geometry)
    for form in model.judged_forms:
        if len(forms[form]):
            true = model.holds(form, forms[form])
            print(f"{FORMS[form].code:<9} {FORMS[form].meaning:<11} {int(true.sum()):3} of {len(true):3} true")
    write_text(output, shape_plot(drawn(model, run.dataset), DRAWINGS[preset][1]))
    print(output)


if __name__ == "__main__":
    main()
