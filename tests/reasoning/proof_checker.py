"""Replays a proof step by step: each has to be an instance of its rule, each leaf an axiom of the justification."""

from __future__ import annotations

from typing import Any

from elgeo.ontology.normal_forms import FORMS
from elgeo.ontology.vocabulary import BOTTOM, TOP, TOP_ROLE, Kind
from elgeo.reasoning.proofs.proof import Proof, Step
from elgeo.reasoning.questions.expressions import And, Atom, Or, Self, Some

Fact = tuple[Any, ...]


def check(proof: Proof) -> None:
    """Raise an AssertionError at the first step that does not follow."""
    checker = _Checker(proof)
    checker.check(proof.root)
    assert checker.used == set(proof.justification), "the leaves are the justification"
    _, goal = proof.question.goal(proof.drafts.saturation)
    assert plain(proof.root.fact) == plain(goal), "the proof proves what was asked"


def plain(fact: Fact) -> Fact:
    """x has C is x ⊑ C."""
    match fact:
        case ("has", x, Atom(c)) if c >= 0:
            return ("sub", x, c)
        case ("has", x, Self(r)):
            return ("loop", x, r)
    return fact


class _Checker:
    def __init__(self, proof: Proof) -> None:
        self.proof = proof
        self.tables = proof.forms.tables
        self.kinds = proof.forms.vocabulary.class_kinds
        self.used: set[int] = set()

    def check(self, step: Step) -> None:
        for premise in step.premises:
            self.check(premise)
        premises = [plain(premise.fact) for premise in step.premises]
        assert self.follows(step, plain(step.fact), premises), (step.rule, step.fact, premises)

    def row(self, fact: Fact, *forms: str) -> list[int]:
        kind, form, number = fact
        assert kind == "row"
        assert form in forms, (form, forms)
        row: list[int] = self.tables[form][number].tolist()
        if form in ("empty", "disjoint", "empty_existential"):
            row.append(BOTTOM)
        return row

    def nominal(self, x: int) -> bool:
        return bool(self.kinds[x] == Kind.INDIVIDUAL)

    def exists(self, x: int) -> bool:
        return x == TOP or (x < len(self.kinds) and self.nominal(x))

    def told(self, fact: Fact) -> Fact:
        """What the question itself says."""
        kind, x, what, *rest = fact
        assert kind == "told"
        draft = self.proof.drafts[x]
        given = {"class": draft.classes, "link": draft.links, "loop": draft.loops, "name": draft.names}[what]
        assert (rest[0] if len(rest) == 1 else tuple(rest)) in given
        return {"class": ("sub", x, *rest), "link": ("link", x, *rest), "loop": ("loop", x, *rest)}.get(
            what, ("has", x, Atom(-1, str(rest[0])))
        )

    def raised(self, roles: list[Fact], r: int, s: int) -> bool:
        """r = s, or the last premise says r ⊑ s."""
        return r == s if not roles else roles == [("role", r, s)]

    def follows(self, step: Step, fact: Fact, premises: list[Fact]) -> bool:
        match step.rule, fact:
            case "asserted", ("axiom", number):
                self.used.add(number)
                return number in self.proof.justification
            case "normal form", ("row", form, number):
                mine = [int(a) for row, a in self.proof.forms.origins[form] if row == number]
                numbers = sorted(self.proof.justification)
                return premises[0][1] in [numbers[a] for a in mine]
            case "definition", ("row", form, number):
                assert number not in self.proof.forms.origins[form][:, 0]
                kinds = {True: self.proof.forms.vocabulary.role_kinds, False: self.kinds}
                row = zip(FORMS[form].columns, self.tables[form][number].tolist(), strict=True)
                return form == "range" or any(kinds[c in "rst"][i] == Kind.FRESH for c, i in row)
            case "the question's left side", ("told", *_):
                return bool(self.told(fact))
            case "tautology", ("sub", x, d):
                return d in (x, TOP)
            case "tautology", ("role", r, s):
                return s in (r, TOP_ROLE)
            case "tautology", ("reflexive", r):
                return r == TOP_ROLE
            case "tautology", ("leads", x, y):
                return x == y
            case "question", _:
                told = self.told(premises[0])
                if told[0] == "link" and fact[0] == "link":
                    return fact[1] == told[1] and fact[3] == told[3] and self.raised(premises[1:], told[2], fact[2])
                if told[0] == "loop":
                    return fact[:2] == told[:2] and self.raised(premises[1:], told[2], fact[2])
                return told == fact
            case "range", ("sub", y, d):
                told = self.told(premises[0])
                r, c = self.row(premises[1], "range")
                return told[0] == "link" and told[3] == y and c == d and self.raised(premises[2:], told[2], r)
            case "contradiction", (_, x, _):
                return premises == [("sub", x, BOTTOM)]
            case "superclass", ("sub", x, d):
                return premises[0] == ("sub", x, self.row(premises[1], "subclass", "empty")[0]) and (
                    self.row(premises[1], "subclass", "empty")[1] == d
                )
            case "conjunction", ("sub", x, d):
                a, b, e = self.row(premises[2], "conjunction", "disjoint")
                return premises[:2] == [("sub", x, a), ("sub", x, b)] and d == e
            case "existential", ("link", x, r, y):
                a, s, e = self.row(premises[1], "existential")
                return premises[0] == ("sub", x, a) and e == y and self.raised(premises[2:], s, r)
            case "left existential", ("sub", x, d):
                s, a, e = self.row(premises[2], "left_existential", "empty_existential")
                y = premises[0][3]
                return premises[:2] == [("link", x, s, y), ("sub", y, a)] and d == e
            case "empty filler", ("sub", x, d):
                y = premises[0][3]
                return premises[0][:2] == ("link", x) and premises[1] == ("sub", y, BOTTOM) and d == BOTTOM
            case "chain", ("link", x, r, y):
                first, second, t = self.row(premises[2], "chain")
                z = premises[0][3]
                return premises[:2] == [("link", x, first, z), ("link", z, second, y)] and self.raised(
                    premises[3:], t, r
                )
            case "chain of loops", (_, *rest):
                first, second, t = self.row(premises[2], "chain")
                kind, where = fact[0], tuple(rest[:-1])
                return premises[:2] == [(kind, *where, first), (kind, *where, second)] and self.raised(
                    premises[3:], t, rest[-1]
                )
            case "loop", ("link", x, r, y):
                return x == y and premises == [("loop", x, r)]
            case "self", ("loop", x, r):
                a, s = self.row(premises[1], "self")
                return premises[0] == ("sub", x, a) and self.raised(premises[2:], s, r)
            case "left self", ("sub", x, d):
                r, e = self.row(premises[1], "left_self")
                return premises[0] == ("loop", x, r) and d == e
            case "range of a loop", ("sub", x, d):
                r, e = self.row(premises[1], "range")
                return premises[0] == ("loop", x, r) and d == e
            case "reflexive role", ("loop", _, r):
                return premises == [("reflexive", r)]
            case "reflexive role", ("reflexive", r):
                if premises[0][0] == "reflexive":
                    return premises[1:] == [("role", premises[0][1], r)]
                return self.raised(premises[1:], self.row(premises[0], "reflexive")[0], r)
            case "subrole", ("role", r, s):
                a, b = self.row(premises[1], "subrole")
                return premises[0] == ("role", r, a) and b == s
            case "chain with a reflexive role", ("role", r, s):
                first, second, t = self.row(premises[2], "chain")
                return t == s and premises[:2] in (
                    [("role", r, first), ("reflexive", second)],
                    [("role", r, second), ("reflexive", first)],
                )
            case "existence", ("sub", _, d):
                _, a, bottom = premises[0]
                return d == bottom == BOTTOM and self.exists(a)
            case "loop of one element", ("loop", x, r):
                a, y = premises[0][2], premises[1][3]
                return self.nominal(a) and premises == [("sub", x, a), ("link", x, r, y), ("sub", y, a)]
            case "same element", ("sub", x, d):
                a = premises[-1][2]
                if not self.nominal(a) or premises[-1] != ("sub", d, a):
                    return False
                if premises[1:-1] != ([] if x == a else [("sub", x, a)]):
                    return False
                leads, start, y = premises[0]
                return leads == "leads" and y == d and (start == x or self.exists(start))
            case "universal role", ("sub", x, d):
                r, a, e = self.row(premises[2], "left_existential", "empty_existential")
                start, y = premises[0][1:]
                return (
                    premises[:2] == [("leads", start, y), ("sub", y, a)]
                    and e == d
                    and (start == x or self.exists(start))
                    and self.raised(premises[3:], TOP_ROLE, r)
                )
            case "link", ("leads", x, y):
                _, start, z = premises[0]
                return start == x and premises[1][:2] == ("link", z) and premises[1][3] == y
            case "all parts", ("has", x, And(parts)):
                return premises == [plain(("has", x, part)) for part in parts]
            case "all parts", ("all", *facts):
                return premises == [plain(part) for part in facts]
            case "one part", ("has", x, Or(parts)):
                return premises[0] in [plain(("has", x, part)) for part in parts]
            case "witness", ("has", x, Some(r, filler)):
                y = premises[0][3]
                return premises == [("link", x, r, y), plain(("has", y, filler))]
            case "universal witness", ("has", x, Some(r, filler)):
                start, y = premises[0][1:]
                return (
                    premises[:2] == [("leads", start, y), plain(("has", y, filler))]
                    and (start == x or self.exists(start))
                    and self.raised(premises[2:], TOP_ROLE, r)
                )
        return False
