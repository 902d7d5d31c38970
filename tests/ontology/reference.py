"""Naive reference reasoners for tests: one on axioms as they were read, one on normal forms; slow and plain on purpose.

Both are fixpoints over sets and share no code with the package's normaliser or reasoner, nor with each other beyond the
rule engine for links. They agree with EL++ where individuals are classes of their own; what EL++ cannot say is known
by its structure only; values of data are strings; ranges hold of edges that axioms name, not of those that chains imply
(in OWL 2 EL a range of the chain's role has to be a range of the chain's last role too).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import combinations
from typing import Any

from elgeo.ontology.expressions import BOTTOM_OBJECT_PROPERTY, NOTHING, THING, TOP_OBJECT_PROPERTY, Op
from elgeo.ontology.model import Ontology
from elgeo.ontology.normal_forms import NormalForms
from elgeo.ontology.vocabulary import Kind

Expression = tuple[Any, ...]
TOP: Expression = ("class", THING)
BOTTOM: Expression = ("class", NOTHING)
UNIVERSAL, EMPTY = (TOP_OBJECT_PROPERTY, False), (BOTTOM_OBJECT_PROPERTY, False)
Role = tuple[str, bool]
STRING = "<http://www.w3.org/2001/XMLSchema#string>"


def expression(ontology: Ontology, node: int) -> Expression:
    """A class expression as nested tuples; equal meaning by OWL's structural rules gives equal tuples."""
    op, args = Op(int(ontology.op[node])), ontology.arguments(node)
    match op:
        case Op.Class:
            return ("class", ontology.string(node))
        case Op.NamedIndividual:
            return ("one", ontology.string(node))
        case Op.ObjectIntersectionOf:
            members = {expression(ontology, a) for a in args}
            return members.pop() if len(members) == 1 else ("and", frozenset(members)) if members else TOP
        case Op.ObjectUnionOf | Op.ObjectOneOf:
            members = {expression(ontology, a) for a in args}
            return members.pop() if len(members) == 1 else ("or", frozenset(members)) if members else BOTTOM
        case Op.ObjectComplementOf:
            return _not(expression(ontology, args[0]))
        case Op.ObjectSomeValuesFrom | Op.ObjectHasValue:
            return ("some", role(ontology, args[0]), expression(ontology, args[1]))
        case Op.ObjectHasSelf:
            return ("self", (role(ontology, args[0])[0], False))
        case Op.ObjectAllValuesFrom:
            r, text = role(ontology, args[0]), ontology.text(args[1])
            if text == f"<{THING}>":
                return TOP
            filler = expression(ontology, args[1])
            return _not(("some", r, TOP)) if text == f"<{NOTHING}>" else ("all", r, filler)
        case Op.ObjectMinCardinality | Op.ObjectMaxCardinality | Op.ObjectExactCardinality:
            number = int(ontology.string(args[0]))
            some = ("some", role(ontology, args[1]), expression(ontology, args[2]) if len(args) > 2 else TOP)
            if op == Op.ObjectMinCardinality and number < 2:
                return some if number else TOP
            if number == 0:
                return _not(some)
            return ("max" if op == Op.ObjectMaxCardinality else "many", op.name, number, some)
        case Op.DataHasValue:
            return ("value", ontology.string(args[0]), ontology.text(args[1]))
        case Op.DataSomeValuesFrom if ontology.text(args[-1]) == STRING:
            return ("values", ontology.string(args[0]))
        case _:
            return ("opaque", ontology.text(node))


def _not(inner: Expression) -> Expression:
    if inner in (TOP, BOTTOM):
        return TOP if inner == BOTTOM else BOTTOM
    return inner[1] if inner[0] == "not" else ("not", inner)


def role(ontology: Ontology, node: int) -> Role:
    if ontology.op[node] == Op.ObjectInverseOf:
        return inverse(role(ontology, ontology.arguments(node)[0]))
    return (ontology.string(node), False)


def inverse(r: Role) -> Role:
    return r if r in (UNIVERSAL, EMPTY) else (r[0], not r[1])


def parts(e: Expression) -> Iterable[Expression]:
    """An expression and what it is made of."""
    yield e
    if e[0] in ("and", "or"):
        for member in e[1]:
            yield from parts(member)
    elif e[0] in ("some", "not", "many"):
        yield from parts(e[-1])


class Axioms:
    """An ontology as sets of inclusions, role chains, ranges, links between individuals."""

    def __init__(self, ontology: Ontology) -> None:
        self.inclusions: set[tuple[Expression, Expression]] = set()
        self.disjoint: list[tuple[Expression, Expression]] = []
        self.chains: set[tuple[tuple[Role, ...], Role]] = set()
        self.ranges: set[tuple[Role, Expression]] = set()
        self.reflexive: set[Role] = set()
        self.links: set[tuple[Expression, Role, Expression]] = set()
        self.names: set[Expression] = {TOP, BOTTOM}
        inverting = {Op.ObjectInverseOf, Op.InverseObjectProperties, Op.SymmetricObjectProperty}
        self.has_inverses = bool(inverting & set(ontology.op.tolist()))
        texts = [ontology.text(node) for node in range(len(ontology.op)) if ontology.op[node] == Op.Literal]
        self.strings = {text for text in texts if text.startswith('"') and text.endswith('"')}
        for node in range(len(ontology.op)):
            if ontology.op[node] in (Op.Class, Op.NamedIndividual):
                self.names.add(expression(ontology, node))
            elif ontology.op[node] == Op.DataProperty:
                d = ontology.string(node)
                self.inclusions |= {(("value", d, text), ("values", d)) for text in self.strings}
        for node in ontology.axiom_nodes.tolist():
            self._read(ontology, Op(int(ontology.op[node])), ontology.arguments(node))
        for chain, above in list(self.chains):
            self.chains.add((tuple(inverse(r) for r in reversed(chain)), inverse(above)))

    def _read(self, o: Ontology, op: Op, args: list[int]) -> None:
        match op:
            case Op.SubClassOf:
                self.inclusions.add((expression(o, args[0]), expression(o, args[1])))
            case Op.ClassAssertion:
                self.inclusions.add((expression(o, args[1]), expression(o, args[0])))
            case Op.EquivalentClasses | Op.SameIndividual:
                both = [expression(o, a) for a in args]
                self.inclusions |= {(a, b) for a in both for b in both}
            case Op.DisjointClasses | Op.DifferentIndividuals:
                self.disjoint += combinations([expression(o, a) for a in args], 2)
            case Op.DisjointUnion:
                whole, *rest = [expression(o, a) for a in args]
                self.disjoint += combinations(rest, 2)
                union = ("or", frozenset(rest)) if len(set(rest)) > 1 else rest[0]
                self.inclusions |= {(whole, union), (union, whole)}
            case Op.SubObjectPropertyOf:
                chain = o.arguments(args[0]) if o.op[args[0]] == Op.ObjectPropertyChain else args[:1]
                self.chains.add((tuple(role(o, r) for r in chain), role(o, args[1])))
            case Op.EquivalentObjectProperties:
                both = [role(o, a) for a in args]
                self.chains |= {((a,), b) for a in both for b in both}
            case Op.InverseObjectProperties | Op.SymmetricObjectProperty:
                p, q = inverse(role(o, args[0])), role(o, args[-1])
                self.chains |= {((p,), q), ((q,), p)}
            case Op.TransitiveObjectProperty:
                r = role(o, args[0])
                self.chains.add(((r, r), r))
            case Op.ReflexiveObjectProperty:
                r = role(o, args[0])
                self.reflexive |= {r, inverse(r)}
            case Op.IrreflexiveObjectProperty | Op.AsymmetricObjectProperty:
                self.inclusions.add((("self", (role(o, args[0])[0], False)), BOTTOM))
            case Op.ObjectPropertyDomain | Op.ObjectPropertyRange:
                r, c = role(o, args[0]), expression(o, args[1])
                r = inverse(r) if op == Op.ObjectPropertyRange else r
                self.ranges.add((inverse(r), c))
                if not r[1] or self.has_inverses:
                    self.inclusions.add((("some", r, TOP), c))
            case Op.SubDataPropertyOf:
                d, e = (o.string(a) for a in args)
                self.inclusions |= {(("value", d, text), ("value", e, text)) for text in self.strings}
                self.inclusions.add((("values", d), ("values", e)))
            case Op.DataPropertyAssertion:
                self.inclusions.add((expression(o, args[1]), ("value", o.string(args[0]), o.text(args[2]))))
            case Op.ObjectPropertyAssertion | Op.NegativeObjectPropertyAssertion:
                r, a, b = role(o, args[0]), expression(o, args[1]), expression(o, args[2])
                if op == Op.ObjectPropertyAssertion:
                    self.links |= {(a, r, b), (b, inverse(r), a)}
                else:
                    a, b = (b, a) if r[1] else (a, b)
                    self.disjoint.append((a, ("some", (r[0], False), b)))


def subsumptions(ontology: Ontology) -> set[tuple[Expression, Expression]]:
    """All (C, D) of original names with C ⊑ D, found on the axioms as they were read."""
    axioms = Axioms(ontology)
    known = {p for pair in axioms.inclusions | set(axioms.disjoint) for e in pair for p in parts(e)}
    known |= {p for _, e in axioms.ranges for p in parts(e)} | axioms.names
    known |= {e[-1] for e in known if e[0] == "many"}
    roles = {r for chain, above in axioms.chains for r in (*chain, above)} | axioms.reflexive | {UNIVERSAL}
    roles |= {r for r, _ in axioms.ranges} | {e[1] for e in known if e[0] in ("some", "self")}
    roles |= {r for _, r, _ in axioms.links}
    above = _closure({(chain[0], s) for chain, s in axioms.chains if len(chain) == 1}, roles)
    told = defaultdict(set)
    for left, right in axioms.inclusions:
        told[left].add(right)
    ranges = defaultdict(set)
    for r, c in axioms.ranges:
        ranges[r].add(c)

    def range_of(r: Role) -> set[Expression]:
        return {c for s in above[r] for c in ranges[s]} | ranges[UNIVERSAL]

    composed = [e for e in known if e[0] in ("and", "or", "some", "self")]
    supers: dict[Any, set[Expression]] = {n: {n, TOP} for n in axioms.names}
    # what axioms put there, and not only the composition of what is there already
    said: dict[Any, set[Expression]] = {n: {n, TOP} for n in axioms.names}
    links: set[tuple[Any, Role, Any]] = set()
    loops: set[tuple[Any, Role]] = set()
    individuals = [n for n in axioms.names if n[0] == "one"]
    for a, r, b in axioms.links:
        told[a].add(("link", r, b))
        told[b] |= range_of(r)
    changed = True
    while changed:
        before = (sum(map(len, (*supers.values(), *said.values()))), len(links), len(loops))
        for c in list(supers):
            for e in list(supers[c]):
                said[c] |= told[e]
            for e in list(said[c]):
                if e[0] == "and":
                    said[c] |= e[1]
                elif e[0] == "many":
                    said[c].add(e[-1])
                elif e[0] == "some":
                    wanted = (e[1], e[2])
                    said.setdefault(wanted, {e[2]} | range_of(e[1]))
                    supers.setdefault(wanted, {TOP})
                    links.add((c, e[1], wanted))
                elif e[0] == "link":
                    links.add((c, e[1], e[2]))
                elif e[0] == "self":
                    loops |= {(c, e[1]), (c, inverse(e[1]))}
                    said[c] |= range_of(e[1]) | range_of(inverse(e[1]))
            supers[c] |= said[c]
            if any(e[0] == "not" and e[1] in supers[c] for e in supers[c]):
                supers[c].add(BOTTOM)
            for r in axioms.reflexive | {UNIVERSAL}:
                loops.add((c, r))
                said[c] |= range_of(r)
            links |= {(c, UNIVERSAL, a) for a in individuals}
            if any(a in supers[c] and b in supers[c] for a, b in axioms.disjoint):
                supers[c].add(BOTTOM)
            for e in composed:
                if (e[0] == "and" and e[1] <= supers[c]) or (e[0] == "or" and e[1] & supers[c]):
                    supers[c].add(e)
        for c, r in list(loops):
            links.add((c, r, c))
            loops |= {(c, s) for s in above[r]}
            supers[c] |= {e for e in composed if e[0] == "self" and (c, e[1]) in loops}
        _compose(links, loops, axioms.chains, above, set(supers))
        for c, r, d in links:
            if BOTTOM in supers[d] or r == EMPTY:
                supers[c].add(BOTTOM)
            supers[c] |= {e for e in composed if e[0] == "some" and e[1] == r and e[2] in supers[d]}
        changed = before != (sum(map(len, (*supers.values(), *said.values()))), len(links), len(loops))
    return _pairs(axioms.names, supers, individuals)


def _pairs(names: set[Expression], supers: dict[Any, set[Any]], individuals: list[Expression]) -> set[tuple[Any, Any]]:
    broken = any(BOTTOM in supers[n] for n in [*individuals, TOP])
    return {(c, d) for c in names for d in names if broken or d in supers[c] or BOTTOM in supers[c]}


def _closure(pairs: set[tuple[Any, Any]], roles: set[Any]) -> defaultdict[Any, set[Any]]:
    """For every role itself and all roles above it."""
    above: defaultdict[Any, set[Any]] = defaultdict(set, {r: {r} for r in roles})
    changed = True
    while changed:
        changed = False
        for r in list(above):
            more = {s for q, s in pairs if q in above[r]} | {u for s in above[r] for u in above[s]}
            if not more <= above[r]:
                above[r] |= more
                changed = True
    return above


def _compose(links: set[Any], loops: set[Any], chains: Iterable[Any], above: Any, contexts: set[Any]) -> None:
    """Close links under hierarchy and chains of any length; the universal role joins whatever is joined."""
    links |= {(c, s, d) for c, r, d in links for s in (*above[r], UNIVERSAL)}
    out = defaultdict(set)
    for c, r, d in links:
        out[c, r].add(d)
    for chain, top in [*chains, ((UNIVERSAL, UNIVERSAL), UNIVERSAL)]:
        for c in contexts:
            ends = {c}
            for r in chain:
                ends = {d for e in ends for d in out[e, r]}
            links |= {(c, top, d) for d in ends}
            if all((c, r) in loops for r in chain):
                loops.add((c, top))
    # whatever the universal role is below joins everything known to exist
    for s in above[UNIVERSAL]:
        links |= {(c, s, d) for c, r, d in list(links) if r == UNIVERSAL}


def normal_subsumptions(forms: NormalForms) -> set[tuple[Expression, Expression]]:
    """The same pairs, found on the normal forms."""
    words, t = forms.vocabulary, {name: [tuple(r) for r in table.tolist()] for name, table in forms.tables.items()}
    n = words.n_classes
    roles = set(range(words.n_roles))
    above = _closure({(r, s) for r, s in t["subrole"]}, roles)
    supers: dict[Any, set[Any]] = {c: {c, 0} for c in range(n)}
    links: set[Any] = set()
    loops: set[Any] = {(c, r) for (r,) in t["reflexive"] for c in range(n)} | {(c, 0) for c in range(n)}
    individuals = [c for c in range(n) if words.class_kinds[c] == Kind.INDIVIDUAL]
    chains = [((r, s), u) for r, s, u in t["chain"]]
    changed = True
    while changed:
        before = (sum(map(len, supers.values())), len(links), len(loops))
        for c, own in supers.items():
            own |= {d for x, d in t["subclass"] if x in own}
            own |= {e for x, y, e in t["conjunction"] if x in own and y in own}
            own |= {1 for (x,) in t["empty"] if x in own} | {1 for x, y in t["disjoint"] if x in own and y in own}
            links |= {(c, r, d) for x, r, d in t["existential"] if x in own} | {(c, 0, a) for a in individuals}
            loops |= {(c, r) for x, r in t["self"] if x in own}
            own |= {d for r, d in t["left_self"] if (c, r) in loops}
        loops |= {(c, s) for c, r in loops for s in above[r]}
        links |= {(c, r, c) for c, r in loops}
        _compose_ids(links, loops, chains, above, n)
        for c, r, d in links:
            if 1 in supers[d]:
                supers[c].add(1)
            supers[c] |= {e for s, x, e in t["left_existential"] if s == r and x in supers[d]}
            supers[c] |= {1 for s, x in t["empty_existential"] if s == r and x in supers[d]}
        changed = before != (sum(map(len, supers.values())), len(links), len(loops))
    name_of = {
        c: ("one" if words.class_kinds[c] == Kind.INDIVIDUAL else "class", words.classes[c])
        for c in range(n)
        if words.class_kinds[c] != Kind.FRESH
    }
    named = {name_of[c]: {name_of[d] for d in supers[c] if d in name_of} for c in name_of}
    return _pairs(set(named), named, [name_of[c] for c in individuals])


def _compose_ids(links: set[Any], loops: set[Any], chains: list[Any], above: Any, n: int) -> None:
    links |= {(c, s, d) for c, r, d in links for s in (*above[r], 0)}
    by_source = defaultdict(set)
    for c, r, d in links:
        by_source[c].add((r, d))
    for (r, s), top in [*chains, ((0, 0), 0)]:
        links |= {(c, top, e) for c in range(n) for q, d in by_source[c] if q == r for p, e in by_source[d] if p == s}
        loops |= {(c, top) for c in range(n) if (c, r) in loops and (c, s) in loops}
    links |= {(c, s, d) for c, r, d in list(links) if r == 0 for s in above[0]}
