"""Which class or role a person means by a name: IRI, CURIE, fragment, label, synonym; near ones where there is none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property

from elgeo.errors import UnknownNameError
from elgeo.ontology.short_names import fragment, short_form

_LONGEST = 100
"""Characters of a name that is compared with others; longer ones are hardly typed by hand."""


@dataclass(frozen=True, eq=False)
class Lookup:
    """The names of all classes, or of all roles."""

    what: str
    ids: Mapping[str, int]
    """IRI to id."""
    labels: Mapping[str, str]
    synonyms: Mapping[str, tuple[str, ...]]
    prefixes: Mapping[str, str]
    alternatives: Mapping[str, str]

    def find(self, name: str) -> int:
        """The id of what is called so; an `UnknownNameError` says what it may be instead."""
        bare = name.strip()
        if bare.startswith("<") and bare.endswith(">"):
            bare = bare[1:-1]
        if (found := self._by_iri(bare)) is not None:
            return found
        prefix, colon, local = bare.partition(":")
        if colon and prefix in self.prefixes and (found := self._by_iri(self.prefixes[prefix] + local)) is not None:
            return found
        unquoted = bare.strip("\"'")
        iris = self._short.get(bare) or self._short.get(unquoted) or self._by_synonym.get(unquoted) or {}
        if len(iris) == 1:
            return self.ids[next(iter(iris))]
        if iris:
            options = ", ".join(f"<{iri}>" for iri in list(iris)[:5])
            raise UnknownNameError(f"{name!r} could be any of {options}: give the whole IRI")
        advice = "give an IRI, a CURIE, a fragment, a label or a synonym"
        if near := self.near(unquoted):
            advice = f"did you mean {' or '.join(near)}?"
        raise UnknownNameError(f"no {self.what} is called {name!r}: {advice}")

    def near(self, name: str) -> list[str]:
        """What is written much like a name, the nearest first: labels with ids, for people."""
        wanted = name.casefold()
        if not 0 < len(wanted) <= _LONGEST or "://" in wanted:
            return []
        written: dict[str, str] = {}
        for iri in self.ids:
            label = self.labels.get(iri, "")
            for known in (label, label.replace(" ", "_"), short_form(iri), fragment(iri), *self.synonyms.get(iri, ())):
                # what differs much in length cannot be near: most names are passed by
                if abs(len(known) - len(wanted)) <= 1 + len(wanted) // 4:
                    written.setdefault(known.casefold(), iri)
        iris = dict.fromkeys(written[match] for match in get_close_matches(wanted, written, 6, 0.75))
        return [self._introduced(iri) for iri in list(iris)[:3]]

    def _introduced(self, iri: str) -> str:
        label, short = self.labels.get(iri), short_form(iri)
        return f"{label!r} ({short})" if label and label != short else repr(short)

    def _by_iri(self, iri: str) -> int | None:
        return self.ids.get(self.alternatives.get(iri, iri))

    @cached_property
    def _short(self) -> dict[str, dict[str, None]]:
        """Short names and labels to the IRIs that have them, in the order of ids."""
        found: dict[str, dict[str, None]] = {}
        for iri in self.ids:
            label = self.labels.get(iri, iri)
            # people write the label "part of" as part_of, too
            for name in (short_form(iri), fragment(iri), label, label.replace(" ", "_")):
                found.setdefault(name, {})[iri] = None
        names_in_use = set(found)
        for alternative, iri in self.alternatives.items():
            if iri in self.ids:
                # a name in use wins over one that only points to another
                for name in {short_form(alternative), fragment(alternative)} - names_in_use:
                    found.setdefault(name, {})[iri] = None
        return found

    @cached_property
    def _by_synonym(self) -> dict[str, dict[str, None]]:
        found: dict[str, dict[str, None]] = {}
        for iri, synonyms in self.synonyms.items():
            if iri in self.ids:
                for synonym in synonyms:
                    found.setdefault(synonym, {})[iri] = None
        return found
