"""What is different for a command that torchrun has started in several processes: they speak with one voice."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from hashlib import sha256

SHARED = ("train", "evaluate", "predict")
"""Commands whose work is divided; any other is done by the first process alone."""


def _rank() -> int | None:
    """The number of this process among several; nothing where it is alone, whatever else is in the environment."""
    rank, size = (os.environ.get(name, "") for name in ("RANK", "WORLD_SIZE"))
    return int(rank) if rank.isdigit() and size.isdigit() and int(size) > 1 else None


@contextmanager
def one_voice(arguments: Sequence[str]) -> Iterator[bool]:
    """Only the first process prints; yields whether this one has anything to do."""
    rank = _rank()
    if rank is None:
        yield True
        return
    from elgeo.training.distributed.processes import leave

    try:
        if rank == 0:
            yield True
        else:
            with open(os.devnull, "w", encoding="utf-8") as nowhere, redirect_stdout(nowhere):
                yield any(each in arguments for each in SHARED)
    finally:
        leave()


def is_mine_to_say(error: BaseException) -> bool:
    """Whether this process tells of an error: the first that has it does, and of lost peers the first process."""
    rank = _rank()
    if rank is None:
        return True
    from elgeo.training.distributed.processes import PeerError, count_up

    if isinstance(error, PeerError):
        return rank == 0
    return count_up(sha256(str(error).encode()).hexdigest()) == 1


def end(code: int) -> int:
    """The exit code of a command. One of several processes ends here: threads of torch, which nobody joins, sometimes
    abort an interpreter that is taking itself apart."""
    if _rank() is not None:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    return code
