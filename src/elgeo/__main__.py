"""`python -m elgeo` is the `elgeo` command."""

import sys

from elgeo.cli import main
from elgeo.cli.torchrun import end

sys.exit(end(main()))
