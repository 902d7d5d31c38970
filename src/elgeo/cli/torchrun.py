"""What is different for a command that torchrun has started in several processes: they speak with one voice."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from hashlib import sha256

SHARED = ("train", "evaluate", "predict")
"""Commands whose work is divided; any other is done by the first process alone."""


def _rank() -> int:
    text = os.environ.get("RANK", "0")
    return int(text) if text.isdigit() else 0


@contextmanager
def one_voice(arguments: Sequence[str]) -> Iterator[bool]:
    """Only the first process prints; yields whether this one has anything to do."""
    if "RANK" not in os.environ:
        yield True
        return
    from elgeo.training.distributed.processes import leave

    try:
        if _rank() == 0:
            yield True
        else:
            with open(os.devnull, "w", encoding="utf-8") as nowhere, redirect_stdout(nowhere):
                yield any(each in arguments for each in SHARED)
    finally:
        leave()


def is_mine_to_say(error: BaseException) -> bool:
    """Whether this process tells of an error: the first that has it does, and of lost peers the first process."""
    if "RANK" not in os.environ or os.environ.get("WORLD_SIZE") == "1":
        return True
    from elgeo.training.distributed.processes import PeerError, count_up

    if isinstance(error, PeerError):
        return _rank() == 0
    return count_up(sha256(str(error).encode()).hexdigest()) == 1
