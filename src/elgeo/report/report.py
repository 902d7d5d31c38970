"""`Report`: an evaluation for people, as a table, as a plot, as a document; what `elgeo.evaluate` gives."""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import Any

from elgeo.evaluation.document import Evaluation
from elgeo.report.targets_text import as_table, by_form
from elgeo.report.text_table import summary, table

TRAINED_ONLY = "of other forms than C ⊑ D only training axioms are removed, entailed ones are not"


@dataclass(frozen=True, eq=False, repr=False)
class Report:
    """One evaluation, to be looked at."""

    evaluation: Evaluation

    def summary(self) -> str:
        """The usual figures in columns, the baselines beside the model, and what they come to in words."""
        return self._with_forms(summary(self.evaluation))

    def table(self) -> str:
        """All figures in columns, the baselines beside the model, and what they come to in words."""
        return self._with_forms(table(self.evaluation))

    def _with_forms(self, text: str) -> str:
        forms = by_form(self.evaluation)
        if not forms:
            return text
        by_closure = self.evaluation.settings.filter == "closure"
        return "\n\n".join([text, as_table(forms, "axioms"), *([TRAINED_ONLY] if by_closure else [])])

    def to_dict(self) -> dict[str, Any]:
        """The document of `evaluate --json`."""
        return self.evaluation.to_dict()

    def plot(self, axes: Any = None) -> Any:
        """The ROC curves as in the paper's figures, on matplotlib axes; returns the axes."""
        from matplotlib import pyplot

        axes = axes if axes is not None else pyplot.figure().subplots()
        for name, curve in self.evaluation.curves.items():
            axes.plot(curve.x, curve.y, label=name)
        axes.plot([0, 1], [0, 1], color="grey", linewidth=0.8, linestyle=":")
        axes.set_xlabel("rank / number of candidates")
        axes.set_ylabel("share of axioms ranked so high")
        axes.set_title(f"{self.evaluation.model} on {self.evaluation.dataset}")
        axes.legend()
        return axes

    def __repr__(self) -> str:
        found = self.evaluation
        return f"<Report of {found.model} on {found.dataset}: {found.test.axioms:,} {found.settings.split} axioms>"

    def _repr_html_(self) -> str:
        """For notebooks."""
        return f"<pre>{html.escape(self.table())}</pre>"
