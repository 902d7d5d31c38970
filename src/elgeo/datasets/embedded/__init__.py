"""The datasets that come with the package.

`family`, written by hand, and `cell`, generated with a known best ranking.
"""
