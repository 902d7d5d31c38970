"""The slow reasoner of the reasoning room's tests is the twin here too."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "reasoning"))
