"""`atlas`, our own predictor: closed-form evidence for missing C ⊑ ∃R.D and C ⊑ D, weighed on held-out axioms.

Takes a `Dataset`; gives scores and the training axioms they are sums of. Begin at `model.py`; `build.py` says which
evidence there is, `contexts.py` and `words.py` what is known of a class, `heads.py` and `tails.py` the operators.
"""

from elgeo.models.atlas.model import Atlas
from elgeo.models.atlas.settings import AtlasSettings

__all__ = ["Atlas", "AtlasSettings"]
