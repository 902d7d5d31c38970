"""System programs that some tests need: found, installed through apt where that is allowed, or loudly skipped."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest


@functools.cache
def program(name: str, package: str) -> str:
    """The path of a system program, installed from Debian's packages if it is missing and we may.

    Without it the test is skipped with a loud line; with CI=true that is a failure, because there it must run.
    """
    if path := _find(name):
        return path
    if os.geteuid() == 0 and shutil.which("apt-get"):
        print(f"\ninstalling {package} for the tests that need {name}", file=sys.stderr)
        environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        for command in (["apt-get", "update", "-qq"], ["apt-get", "install", "-y", "-qq", package]):
            subprocess.run(command, env=environment, check=False, stdout=subprocess.DEVNULL)
        if path := _find(name):
            return path
    message = f"NOT TESTED: {name} is not on this machine (Debian package {package})"
    if os.environ.get("CI") == "true":
        pytest.fail(message)
    pytest.skip(message)


def _find(name: str) -> str | None:
    # Debian keeps PostgreSQL's server programs out of PATH
    servers = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return shutil.which(name) or (str(servers[-1]) if servers else None)
