"""`atlas`, our own predictor: closed-form evidence for missing C ⊑ ∃R.D and C ⊑ D, weighed on held-out axioms.

Takes a `Dataset`; gives scores and the training axioms they are sums of. Begin at `model.py`; `build.py` says which
evidence there is, `contexts/` has what is known of a class, `operators/` whose axioms speak for whom, `groups.py` and
`sampled/` who belongs together, `weighing/` how much each piece counts, `reranking/` the net over all of them;
`explain.py` takes a score apart.
"""

from elgeo.models.atlas.model import Atlas
from elgeo.models.atlas.settings import AtlasSettings

__all__ = ["Atlas", "AtlasSettings"]
