"""Finds the files of imported ontologies: beside the ontology, in its catalog, or where the user says; never online."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import unquote, urlsplit
from xml.parsers import expat

from elgeo.errors import ReadError
from elgeo.ontology.reading.documents import Document, open_document
from elgeo.ontology.reading.formats import as_utf8
from elgeo.ontology.reading.obo_names import ontology_iri
from elgeo.ontology.reading.sources import COMPRESSED, beginning, without_compression

_ENDINGS = (".owl", ".ofn", ".fss", ".rdf", ".xml", ".owx", ".ttl", ".nt", ".obo")
_CATALOG = "catalog-v001.xml"
_HEAD_BYTES, _MOST_FILES = 1 << 16, 1_000
_IRI_IN_HEADER = re.compile(
    rb"Ontology\s*\(\s*<([^<>\s]+)>(?:\s*<([^<>\s]+)>)?"
    rb"|<owl:Ontology\b[^>]*?\brdf:about\s*=\s*[\"']([^\"']+)[\"']"
    rb"|\bontologyIRI\s*=\s*[\"']([^\"']+)[\"']"
    rb"|<([^<>\s]+)>\s+(?:a|rdf:type|<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>)\s+"
    rb"(?:owl:Ontology|<http://www.w3.org/2002/07/owl#Ontology>)"
    rb"|versionIRI\s+(?:rdf:resource\s*=\s*[\"']|<)([^\"'<>]+)"
)
_OBO_NAME = re.compile(rb"(?m)^ontology:\s*(\S+)")


def closure(
    path: str | os.PathLike[str], places: Iterable[str | os.PathLike[str]], max_bytes: int | None, language: str
) -> tuple[list[Document], list[str], list[str], list[Path]]:
    """The document, then all it imports, each once; the IRIs that were imported; those of them that were not found; the
    places that nothing was found in."""
    locator = _Locator([Path(p) for p in places])
    first = Path(path)
    documents = [open_document(path, max_bytes, language)]
    seen = {_identity(first)}
    imported: dict[str, None] = {}
    missing: dict[str, None] = {}
    for document in documents:  # grows while it is walked
        for iri in document.imports:
            imported[iri] = None
            found = locator.find(iri, Path(document.file).parent)
            if found is None:
                missing[iri] = None
            elif _identity(found) not in seen:
                seen.add(_identity(found))
                documents.append(open_document(found, max_bytes, language))
    used = {Path(document.file) for document in documents[1:]}
    unused = [file for file in locator.files if file not in used and _identity(file) not in map(_identity, used)]
    unused += [folder for folder in locator.folders if not any(folder in file.parents for file in used)]
    return documents, list(imported), list(missing), unused


def _identity(path: Path) -> str:
    return os.path.realpath(path)


class _Locator:
    def __init__(self, places: list[Path]) -> None:
        for place in places:
            if not place.exists():
                raise ReadError("there is no such file or folder to find imports in", str(place))
        self.files = [p for p in places if not p.is_dir()]
        self.folders = [p for p in places if p.is_dir()]
        self._names: dict[Path, dict[str, Path]] = {}
        self._catalogs: dict[Path, dict[str, Path]] = {}
        self._headers: dict[Path, set[str]] = {}

    def find(self, iri: str, beside: Path) -> Path | None:
        """The file of an ontology, or None."""
        folders = [*self.folders, beside]
        for folder in folders:
            if found := self._catalog(folder).get(iri):
                return found
        for file in self.files:
            if self._is(file, iri):
                return file
        name = unquote(urlsplit(iri).path).rstrip("/").rpartition("/")[2]
        for folder in folders:
            if (found := self._by_name(folder, name)) is not None:
                return found
        for folder in folders:
            for file in self._listed(folder).values():
                if self._is(file, iri):
                    return file
        return None

    def _listed(self, folder: Path) -> dict[str, Path]:
        if folder not in self._names:
            found: dict[str, Path] = {}
            with suppress(OSError):
                for entry in sorted(os.scandir(folder or Path()), key=lambda e: e.name)[:_MOST_FILES]:
                    if entry.is_file() and without_compression(entry.name).endswith(_ENDINGS):
                        found[entry.name] = Path(entry.path)
            self._names[folder] = found
        return self._names[folder]

    def _by_name(self, folder: Path, name: str) -> Path | None:
        files = self._listed(folder)
        stem = without_compression(name)
        stem = stem[: -len(Path(stem).suffix)] if stem.endswith(_ENDINGS) else stem
        packed = ("", *COMPRESSED)
        wanted = [*(name + z for z in packed), *(f"{stem}{e}{z}" for e in _ENDINGS for z in packed)]
        return next((files[w] for w in wanted if name and w in files), None)

    def _is(self, file: Path, iri: str) -> bool:
        """Whether the header of a file has this IRI, or the file is called like it."""
        if file not in self._headers:
            head = beginning(file, _HEAD_BYTES)
            iris = {
                part.decode("utf-8", "replace") for m in _IRI_IN_HEADER.finditer(head) for part in m.groups() if part
            }
            obo = _OBO_NAME.search(head)
            if obo:
                iris.add(ontology_iri(obo[1].decode("utf-8", "replace")) or "")
            self._headers[file] = iris
        return iri in self._headers[file] or (file in self.files and file.name == iri.rpartition("/")[2])

    def _catalog(self, folder: Path) -> dict[str, Path]:
        """IRI to file, as Protégé writes it down beside an ontology."""
        if folder not in self._catalogs:
            self._catalogs[folder] = dict(_catalog_entries(folder))
        return self._catalogs[folder]


def _catalog_entries(folder: Path) -> Iterator[tuple[str, Path]]:
    try:
        text = as_utf8((folder / _CATALOG).read_bytes(), str(folder / _CATALOG))
    except OSError:
        return
    rows: list[dict[str, str]] = []
    parser = expat.ParserCreate("UTF-8")
    parser.StartElementHandler = lambda name, attributes: rows.append(attributes) if name == "uri" else None
    try:
        parser.Parse(text, True)
    except (ValueError, LookupError) as unknown:
        raise ReadError(
            f"in an encoding that is not read ({unknown}): save it as UTF-8", str(folder / _CATALOG)
        ) from None
    except expat.ExpatError as broken:
        raise ReadError(
            f"not well-formed XML: {expat.ErrorString(broken.code)}", str(folder / _CATALOG), broken.lineno
        ) from None
    for row in rows:
        target = row.get("uri", "")
        local = urlsplit(target)
        if local.scheme in ("", "file") and (file := folder / unquote(local.path)).is_file():
            yield row.get("name", ""), file
