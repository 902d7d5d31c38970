"""A short run of the fuzzer; the long one is `python -m tests.ontology.fuzzing`."""

from __future__ import annotations

import pytest

from tests.ontology.fuzzing import fuzz


@pytest.mark.slow
def test_mutated_files_are_read_or_refused() -> None:
    outcomes, failures = fuzz(inputs=400)
    assert not failures, "\n".join(failures)
    assert outcomes.total() == 400
    assert outcomes["refused"] > 100
    assert outcomes["read"] > 20
