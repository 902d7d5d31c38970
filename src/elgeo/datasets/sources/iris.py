"""From the short names of data files to the IRIs of an ontology."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from urllib.parse import quote

import numpy as np

from elgeo.documents import shown
from elgeo.errors import SettingError
from elgeo.ontology import read
from elgeo.ontology.expressions import NOTHING, THING, Op
from elgeo.ontology.lookup import Lookup
from elgeo.ontology.model import Ontology
from elgeo.ontology.reading.in_brief import in_brief
from elgeo.ontology.reading.labels import ENGLISH
from elgeo.ontology.short_names import fragment, short_form

PREFIX = "http://"
"""Proteins and the target roles are called as in mOWL's datasets (`http://4932.YAL001C`, `http://interacts_with`)."""
SUBCLASS = "subclass"
"""The name of the target C ⊑ D, where other targets are named by their role."""
OBO = "http://purl.obolibrary.org/obo/"


def read_aloud(path: Path, imports: Sequence[Path], say: Callable[[str], None], language: str = ENGLISH) -> Ontology:
    """Read an ontology, and say so, and in a line its warnings."""
    say(f"reading {path}")
    ontology = read(path, imports=imports, language=language)
    for warning in in_brief(path, ontology):
        say(f"warning: {warning}")
    return ontology


@lru_cache(maxsize=1 << 18)
def iri_of(name: str, prefix: str = PREFIX) -> str:
    """The IRI of a protein or role; a name that is an IRI already stays as it is."""
    if name.startswith(("http://", "https://", "urn:")):
        return name
    return prefix + quote(name, safe=".-_~:@!$&'()*+,;=")


def bracketed_iri(name: str) -> str:
    """The IRI behind `<http://…>`, `owl:Thing`, `owl:Nothing` or a bare name."""
    bare = name.strip().removeprefix("<").removesuffix(">")
    return {"owl:Thing": THING, "owl:Nothing": NOTHING}.get(bare) or iri_of(bare)


def role_named(target: str | None, roles: Sequence[str], file: Path | None) -> str | None:
    """The IRI of the role that `--target` names; None for `subclass` or nothing, that is for C ⊑ D."""
    if target is None or target == SUBCLASS:
        return None
    fitting = [role for role in roles if target in (role, fragment(role), short_form(role))]
    if len(fitting) != 1:
        known = ", ".join(sorted(roles)[:8]) or "none"
        raise SettingError(f"--target {shown(target)} is not one of the roles{f' of {file}' if file else ''}: {known}")
    return fitting[0]


class TermNames:
    """Finds the classes of an ontology that annotations speak of."""

    def __init__(self, ontology: Ontology) -> None:
        nodes = np.flatnonzero(ontology.op == Op.Class)
        self.classes = {ontology.strings[i] for i in ontology.args[ontology.start[nodes]].tolist()}
        self._ontology = ontology

    @cached_property
    def lookup(self) -> Lookup:
        """The same classes by everything that people call them."""
        words = self._ontology
        ids = {iri: i for i, iri in enumerate(sorted(self.classes))}
        return Lookup(
            "class", ids, words.labels, words.synonyms, words.prefixes, words.alternatives, words.other_labels
        )

    def find(self, term: str) -> str | None:
        """The IRI behind an IRI or CURIE, by an alternative id too; None if the ontology has no such class."""
        prefix, colon, local = term.partition(":")
        candidates = [term]
        if colon:
            candidates.append(f"{OBO}{prefix}_{local}")
            if prefix in self._ontology.prefixes:
                candidates.append(self._ontology.prefixes[prefix] + local)
        for candidate in candidates:
            iri = self._ontology.alternatives.get(candidate, candidate)
            if iri in self.classes:
                return iri
        return None


def space_of(iri: str) -> str:
    """The space of names a class belongs to: `GO` of `…/obo/GO_0008150`, else all of the IRI before its last name."""
    short = short_form(iri)
    prefix, colon, _ = short.partition(":")
    return prefix if colon else iri[: len(iri) - len(short)]
