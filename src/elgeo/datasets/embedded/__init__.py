"""The datasets that come with the package.

Takes a name, and for `cell` a size and a seed; gives a `Dataset`. Begin at `family.py`, written by hand, or at
`cell.py`, generated so that the best possible ranking is known (`cell_latent.py`).
"""
