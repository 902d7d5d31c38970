"""Commands start without the slow parts of other packages, and nothing that is wanted later is missing then."""

from __future__ import annotations

import subprocess
import sys

import pytest

SCRIPT = """
import sys
from elgeo.compilation import start_quickly
start_quickly()
from elgeo.compilation import kernel
assert kernel(lambda x: x + 1)(2) == 3
assert "scipy.linalg" not in sys.modules
assert "numba.np.arraymath" in sys.modules
import numpy as np
import scipy.linalg
from numba import njit
a = np.random.default_rng(0).random((5, 5))
assert np.allclose(njit(lambda x: np.dot(x, x))(a), a @ a)
assert np.allclose(scipy.linalg.inv(a) @ a, np.eye(5))
start_quickly()
assert sys.modules["scipy.linalg"] is scipy.linalg
"""
ALREADY_THERE = """
import sys
import scipy.linalg
from elgeo.compilation import kernel, start_quickly
start_quickly()
assert kernel(lambda x: x + 1)(2) == 3
assert sys.modules["scipy.linalg"] is scipy.linalg
"""


@pytest.mark.slow
def test_what_was_left_out_is_there_when_it_is_wanted() -> None:
    for script in (SCRIPT, ALREADY_THERE):
        subprocess.run([sys.executable, "-c", script], check=True)
