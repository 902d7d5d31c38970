"""Functional syntax read plainly, to check the quick reader against."""

from __future__ import annotations

import re
from collections.abc import Iterator

from elgeo.errors import ReadError
from elgeo.ontology.expressions import AXIOMS, Op
from elgeo.ontology.grammar import ENTITY, LABEL, MAX_DEPTH, PREFIXES, SIGNATURES, SYNONYMS, Sort, literal
from elgeo.ontology.model import Builder, Ontology
from elgeo.ontology.reading.formats import check_utf8

_TOKEN = re.compile(
    r"""(?P<blank>(?:\s+|\#[^\n]*)+)|(?P<iri><[^<>"\s]*>)|"(?P<text>(?:[^"\\]|\\.)*)"(?:@(?P<language>[\w-]+)|\^\^(?P<datatype><[^<>"\s]*>|[^\s()<>"]+))?"""
    r"""|(?P<close>\))|(?P<open>\()|(?P<equals>=)|(?P<word>[^\s()<>"=]+)""",
    re.DOTALL,
)
_NAMES = {op.name: op for op in SIGNATURES}


def read_functional(data: bytes, file: str) -> Ontology:
    check_utf8(data, file)
    return _Parser(data.decode(), file).read()


class _Parser:
    def __init__(self, text: str, file: str) -> None:
        self.text, self.file, self.at = text, file, 0
        self.builder = Builder()
        self.builder.prefixes.update(PREFIXES)
        self.tokens = self._tokens()
        self.token = next(self.tokens)

    def _tokens(self) -> Iterator[re.Match[str] | None]:
        at = 0
        while at < len(self.text):
            found = _TOKEN.match(self.text, at)
            self.at = at
            if not found:
                raise self.error("cannot be read")
            at = found.end()
            if found.lastgroup != "blank":
                yield found
        self.at = at
        while True:
            yield None

    def error(self, problem: str) -> ReadError:
        return ReadError(problem, self.file, self.text.count("\n", 0, self.at) + 1)

    def advance(self) -> None:
        self.token = next(self.tokens)

    def has(self, kind: str) -> bool:
        return self.token is not None and self.token[kind] is not None

    def take(self, kind: str) -> str:
        if not self.has(kind):
            raise self.error(f"expected {kind}, found {self.token[0][:40] if self.token else 'the end of the file'}")
        value = self.token[kind]  # type: ignore[index]
        self.advance()
        return str(value)

    def iri(self) -> str:
        if self.has("iri"):
            return self.take("iri")[1:-1]
        return self.expand(self.take("word"))

    def expand(self, word: str) -> str:
        if word.startswith("<"):
            return word[1:-1]
        prefix, colon, local = word.partition(":")
        if not colon:
            raise self.error(f"{word} is no IRI")
        if prefix not in self.builder.prefixes:
            raise self.error(f"the prefix {prefix}: is not declared")
        return self.builder.prefixes[prefix] + local

    def read(self) -> Ontology:
        builder = self.builder
        keyword = self.take("word")
        while keyword == "Prefix":
            self.take("open")
            name = self.take("word")
            self.take("equals")
            builder.prefixes[name.removesuffix(":")] = self.take("iri")[1:-1]
            self.take("close")
            keyword = self.take("word")
        if keyword != "Ontology":
            raise self.error(f"expected Ontology, found {keyword}")
        self.take("open")
        iris: list[str] = []
        while len(iris) < 2 and (self.has("iri") or (self.has("word") and ":" in self.token["word"])):  # type: ignore[index]
            iris.append(self.iri())
        imports = []
        while not self.has("close"):
            keyword = self.take("word")
            if keyword == "Import":
                self.take("open")
                imports.append(self.iri())
                self.take("close")
            else:
                self.statement(keyword)
        self.take("close")
        if self.token:
            raise self.error("something follows the end of the ontology")
        return builder.finish(iri=iris[0] if iris else None, format="functional", imports=tuple(imports))

    def statement(self, keyword: str) -> None:
        builder = self.builder
        self.take("open")
        if keyword == "Annotation":
            self.skip()
            builder.ignored["annotations"] += 1
        elif keyword == "Declaration":
            self.annotations()
            op = self.take("word")
            self.take("open")
            if op not in Op.__members__ or Op[op] >= Op.Literal:
                raise self.error(f"cannot declare {op}")
            builder.declare(builder.entity(Op[op], self.iri()))
            self.take("close")
            self.take("close")
        elif keyword == "AnnotationAssertion":
            self.annotations()
            builder.ignored["annotations"] += 1
            prop = self.iri()
            anonymous = self.token is not None and (self.token["word"] or "").startswith("_:")
            subject = self.take("word") if anonymous else self.iri()
            if self.has("text"):
                text = re.sub(r'\\(["\\])', r"\1", self.take("text"))
                if prop == LABEL:
                    builder.labels.setdefault(subject, text)
                elif prop in SYNONYMS:
                    builder.synonyms.setdefault(subject, []).append(text)
            self.skip()
        elif keyword in ("SubAnnotationPropertyOf", "AnnotationPropertyDomain", "AnnotationPropertyRange"):
            builder.ignored["annotations"] += 1
            self.skip()
        elif keyword == "DLSafeRule":
            builder.axiom(Op.DLSafeRule, builder.entity(Op.Literal, self.raw()))
        elif keyword in _NAMES and _NAMES[keyword] in AXIOMS:
            self.annotations()
            op_ = _NAMES[keyword]
            builder.axiom(op_, *self.arguments(op_, 0))
        else:
            raise self.error(f"{keyword} is no axiom")

    def annotations(self) -> None:
        while self.has("word") and self.token["word"] == "Annotation":  # type: ignore[index]
            self.advance()
            self.take("open")
            self.skip()
            self.builder.ignored["annotations"] += 1

    def raw(self) -> str:
        parts, depth = [], 1
        while depth:
            if not self.token:
                raise self.error("the file ends too early")
            depth += 1 if self.has("open") else -1 if self.has("close") else 0
            parts.append(self.token[0])
            self.advance()
        return " ".join(parts[:-1])

    def skip(self) -> None:
        self.raw()

    def arguments(self, op: Op, depth: int) -> list[int]:
        if depth > MAX_DEPTH:
            raise self.error("expressions nest too deeply")
        shape = SIGNATURES[op]
        found: list[int] = []
        while not self.has("close"):
            if op == Op.HasKey and len(found) >= 1:
                for sort in (Sort.ROLE, Sort.DATA_PROPERTY):
                    self.take("open")
                    while not self.has("close"):
                        found.append(self.argument(sort, depth))
                    self.take("close")
                break
            sort_ = shape.place(len(found))
            if sort_ is None:
                raise self.error(f"{op.name} has too many arguments")
            found.append(self.argument(sort_, depth))
        self.take("close")
        if len(found) < shape.fewest:
            raise self.error(f"{op.name} has too few arguments")
        return found

    def argument(self, sort: Sort, depth: int) -> int:
        builder = self.builder
        if self.has("iri"):
            iri = self.take("iri")[1:-1]
        elif self.has("text"):
            if sort != Sort.LITERAL:
                raise self.error("a literal where there can be none")
            token = self.token
            assert token is not None
            self.advance()
            text = re.sub(r'\\(["\\])', r"\1", token["text"])
            datatype = self.expand(token["datatype"]) if token["datatype"] else ""
            return builder.entity(Op.Literal, literal(text, datatype, token["language"] or ""))
        else:
            word = self.take("word")
            if sort == Sort.NUMBER:
                if not word.isdecimal():
                    raise self.error(f"{word} is no number")
                return builder.entity(Op.Literal, str(int(word)))
            if word.startswith("_:"):
                if sort != Sort.INDIVIDUAL:
                    raise self.error("an anonymous individual where there can be none")
                return builder.entity(Op.NamedIndividual, word)
            if self.has("open") and ":" not in word:
                if word not in _NAMES:
                    raise self.error(f"{word} is unknown")
                op = _NAMES[word]
                makes = SIGNATURES[op].makes
                ok = (
                    makes == sort
                    or (sort == Sort.CHAIN and makes == Sort.ROLE)
                    or (sort == Sort.DATA_RANGE_LAST and makes == Sort.DATA_RANGE)
                )
                if not ok:
                    raise self.error(f"{word} cannot stand here")
                self.advance()
                return builder.node(op, *self.arguments(op, depth + 1))
            iri = self.expand(word)
        if sort == Sort.DATA_RANGE_LAST:
            sort = Sort.DATA_RANGE if self.has("close") else Sort.DATA_PROPERTY
        if sort not in ENTITY:
            raise self.error(f"<{iri}> cannot stand here")
        return builder.entity(ENTITY[sort], iri)
