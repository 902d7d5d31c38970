"""The closure in either mode, by name."""

from __future__ import annotations

from elgeo.errors import SettingError
from elgeo.reasoning.closure import Closure
from elgeo.reasoning.complete_closure import CompleteClosure
from elgeo.reasoning.paper_closure import PaperClosure
from elgeo.reasoning.saturation import Saturation

MODES: dict[str, type[CompleteClosure] | type[PaperClosure]] = {"complete": CompleteClosure, "paper": PaperClosure}


def closure_of(saturation: Saturation, mode: str) -> Closure:
    """The closure of a saturated ontology."""
    if mode not in MODES:
        raise SettingError(f"no closure is called {mode!r}; there are {', '.join(MODES)}")
    return MODES[mode](saturation)
