"""Random ontologies for tests and benchmarks: any size, every constructor, planted structure, from a seed.

>>> ontology = generate("go", classes=1000, seed=7)
>>> len(ontology.axioms)
1825
"""

from __future__ import annotations

import numpy as np

from elgeo.errors import SettingError
from elgeo.ontology.generation.irregular import Mix, irregular
from elgeo.ontology.generation.planted import Planted, planted
from elgeo.ontology.model import Ontology

PROFILES: dict[str, Planted | Mix] = {
    # clinical terminology: branches such as findings and body parts, groups of attributes, no class defined by itself
    "snomed": Planted(
        defined=0.4,
        extra_parents=0.3,
        attributes=2.0,
        grouped=True,
        branches=19,
        value_branches=7,
        roles=60,
        chains=4,
        transitive=2,
    ),
    # the same without branches, where nearly everything hangs together in cycles: as hard as it gets
    "tangled": Planted(defined=0.3, extra_parents=0.3, attributes=1.4, grouped=True, roles=60, chains=4, transitive=2),
    # a bio-ontology: a dense hierarchy, definitions of genus and difference, part-of-like roles
    "go": Planted(defined=0.25, extra_parents=0.6, attributes=0.45, roles=8, subroles=0.4, chains=6, transitive=4),
    # individuals with types and links between them
    "abox": Planted(defined=0.1, extra_parents=0.2, attributes=0.5, roles=20, individuals=2.0, assertions=2.0),
    # small, irregular, hostile: everything EL++ can say, and everything OWL can say
    "el": Mix(beyond=0.0),
    "owl": Mix(beyond=1.0),
}
"""Profiles by name; make a `Planted` or a `Mix` for another."""


def generate(
    profile: str | Planted | Mix = "snomed", classes: int = 1000, seed: int | np.random.Generator = 0
) -> Ontology:
    """A random ontology with that many classes; the same seed gives the same ontology."""
    if isinstance(profile, str):
        if profile not in PROFILES:
            raise SettingError(f"no profile is called {profile!r}; there are {', '.join(PROFILES)}")
        profile = PROFILES[profile]
    if classes < 1:
        raise SettingError(f"an ontology needs at least one class, not {classes}")
    generator = np.random.default_rng(seed)
    return irregular(classes, profile, generator) if isinstance(profile, Mix) else planted(classes, profile, generator)
