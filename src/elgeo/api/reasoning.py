"""`elgeo.reason`: an ontology with what follows from it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from elgeo.ontology.model import Ontology


def reason(ontology: Ontology | str | os.PathLike[str], every: bool = False) -> Ontology:
    """An ontology (or the file of one) with its inferred axioms added: direct superclasses and types, or every one.

    >>> elgeo.write(reason("go.obo"), "go-reasoned.ofn")  # doctest: +SKIP
    """
    from elgeo.ontology import normalise, read
    from elgeo.reasoning.saturation.saturate import saturate
    from elgeo.reasoning.taxonomy.inferred import with_inferred
    from elgeo.reasoning.taxonomy.taxonomy import taxonomy

    whole = read(ontology) if isinstance(ontology, str | os.PathLike) else ontology
    return with_inferred(taxonomy(saturate(normalise(whole))), every).ontology
