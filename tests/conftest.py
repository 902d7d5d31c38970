"""What all tests share: where optional real data is, and quick, repeatable hypothesis runs."""

from __future__ import annotations

import gc
import os
from pathlib import Path

# read when the threads' library is loaded: several processes of two threads share two processors, and one that waits
# busily for its other half keeps that half from running
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
# numpy's own threads can only wait busily; matrices of tests are too small to gain by a second one
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import pytest
from hypothesis import HealthCheck, settings

from elgeo.datasets.model import Dataset
from tests.yeast_interactions import interactions

# what is loaded with the tests stays: looking for garbage in it took a third of the time
gc.disable()
settings.register_profile(
    "elgeo", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
settings.load_profile("elgeo")


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real data; tests that ask for it skip where it is not there."""
    folder = Path(os.environ.get("ELGEO_DATA", Path(__file__).parents[2] / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"no real data at {folder} (set ELGEO_DATA)")
    return folder


@pytest.fixture(scope="session")
def yeast(data: Path) -> Dataset:
    """Yeast's interactions and nothing else."""
    return interactions(data)
