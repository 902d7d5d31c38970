"""`python -m elgeo` is the `elgeo` command."""

import sys

from elgeo.cli import main

sys.exit(main())
