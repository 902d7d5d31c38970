"""The closure in either mode, by name."""

from __future__ import annotations

from elgeo.errors import SettingError
from elgeo.reasoning.closure.base import Closure
from elgeo.reasoning.closure.complete import CompleteClosure
from elgeo.reasoning.closure.paper import PaperClosure
from elgeo.reasoning.saturation.saturate import Saturation

MODES: dict[str, type[CompleteClosure] | type[PaperClosure]] = {"complete": CompleteClosure, "paper": PaperClosure}


def closure_of(saturation: Saturation, mode: str) -> Closure:
    """The closure of a saturated ontology."""
    if mode not in MODES:
        raise SettingError(f"no closure is called {mode!r}; there are {', '.join(MODES)}")
    return MODES[mode](saturation)
