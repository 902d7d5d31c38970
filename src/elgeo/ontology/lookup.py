"""Which class or role a person means by a name: IRI, CURIE, fragment, label, synonym; near ones where there is none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property

from elgeo.documents import shown
from elgeo.errors import UnknownNameError, clipped
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
    other_labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def find(self, name: str) -> int:
        """The id of what is called so; an `UnknownNameError` says what it may be instead."""
        iris = self.called(name)
        if len(iris) == 1:
            return self.ids[iris[0]]
        raise self.error(name, iris)

    def called(self, name: str) -> list[str]:
        """The IRIs that somebody may mean by a name: one where it is clear, none where nothing is called so."""
        bare = name.strip()
        if bare.startswith("<") and bare.endswith(">"):
            bare = bare[1:-1]
        prefix, colon, local = bare.partition(":")
        for iri in (bare, self.prefixes[prefix] + local) if colon and prefix in self.prefixes else (bare,):
            whole = self.alternatives.get(iri, iri)
            if whole in self.ids:
                return [whole]
        unquoted = bare.strip("\"'")
        return list(
            self._short.get(bare) or next(filter(None, (names.get(unquoted) for names in self._by_preference)), {})
        )

    def error(self, name: str, iris: Sequence[str] = ()) -> UnknownNameError:
        """What is said of a name that nothing has, or several."""
        if iris:
            options = ", ".join(f"<{clipped(iri, _LONGEST)}>" for iri in iris[:5])
            return UnknownNameError(f"{shown(name)} could be any of {options}: give the whole IRI")
        advice = "give an IRI, a CURIE, a fragment, a label or a synonym"
        if near := self.near(name.strip().strip("<>").strip("\"'")):
            advice = f"did you mean {' or '.join(near)}?"
        return UnknownNameError(f"no {self.what} is called {shown(name)}: {advice}")

    def near(self, name: str) -> list[str]:
        """What is written much like a name, the nearest first: labels with ids, for people."""
        wanted = name.casefold()
        if not 0 < len(wanted) <= _LONGEST or "://" in wanted:
            return []
        written: dict[str, str] = {}
        for iri in self.ids:
            label = self.labels.get(iri, "")
            further = (*self.synonyms.get(iri, ()), *self.other_labels.get(iri, ()))
            for known in (label, label.replace(" ", "_"), short_form(iri), fragment(iri), *further):
                # what differs much in length cannot be near: most names are passed by
                if abs(len(known) - len(wanted)) <= 1 + len(wanted) // 4:
                    written.setdefault(known.casefold(), iri)
        iris = dict.fromkeys(written[match] for match in get_close_matches(wanted, written, 6, 0.75))
        return [self._introduced(iri) for iri in list(iris)[:3]]

    def _introduced(self, iri: str) -> str:
        label, short = self.labels.get(iri), clipped(short_form(iri), _LONGEST)
        return f"{shown(label)} ({short})" if label and label != short else repr(short)

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
    def _by_preference(self) -> tuple[dict[str, dict[str, None]], ...]:
        """What is written so, what has such a synonym, what is called so in another language: the first that is one."""
        return self._short, self._turned(self.synonyms), self._turned(self.other_labels)

    def _turned(self, many: Mapping[str, tuple[str, ...]]) -> dict[str, dict[str, None]]:
        """Names to the IRIs that have them."""
        found: dict[str, dict[str, None]] = {}
        for iri, names in many.items():
            if iri in self.ids:
                for name in names:
                    found.setdefault(name, {})[iri] = None
        return found
