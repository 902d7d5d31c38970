"""Which axioms an entailment rests on: sets that entail it, and no longer do with any one axiom removed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import product

from elgeo.errors import ElgeoError
from elgeo.ontology import normalise
from elgeo.ontology.expressions import Op
from elgeo.ontology.model import Ontology
from elgeo.reasoning.proofs.rules import Calculus, RowIndex
from elgeo.reasoning.proofs.search import Search
from elgeo.reasoning.questions.question import Question, part_of
from elgeo.reasoning.saturation.saturate import Saturation, saturate

Axioms = frozenset[int]
_FEW = 40


class Justifications:
    """The minimal justifications of one entailed axiom; axioms are numbers in `forms.source`."""

    def __init__(
        self, saturation: Saturation, question: Question, index: RowIndex | None = None, own: int | None = None
    ) -> None:
        """Axioms from number `own` on were added for the question: they may always be used, and none is missed."""
        forms = saturation.forms
        if forms.source is None:
            raise ElgeoError("these normal forms came without their axioms: normalise the ontology to explain it")
        self.source: Ontology = forms.source
        self.question = question
        drafts, goal = question.goal(saturation)
        self._search = Search(Calculus(drafts, index), goal)
        # of what cannot exist proofs say only that: whatever else gives the axiom has to be looked for without them
        facts = goal[1:] if goal[0] == "all" else (goal,)
        self._impossible = any(fact[0] == "sub" for fact in facts) and not question.asks_for_nothing(saturation)
        self._known: dict[Axioms, bool] = {}
        n = len(self.source.axiom_nodes)
        self._added: Axioms = frozenset(range(n if own is None else own, n))

    def first(self) -> Axioms:
        """One minimal justification, from a short proof."""
        found = self._find(frozenset())
        if found is None:
            raise ElgeoError(f"{self.question.text} does not follow: there is nothing to explain")
        return found

    def all(self, limit: int | None = None) -> Iterator[Axioms]:
        """Every minimal justification, at most `limit`: Reiter's tree of hitting sets, short branches first.

        In each justification found so far some axiom is left out; what still proves the goal is another one.
        """
        found: list[Axioms] = []
        branches: list[Axioms] = [frozenset()]
        tried: set[Axioms] = set()
        while branches and (limit is None or len(found) < limit):
            without = branches.pop(0)
            if without in tried:
                continue
            tried.add(without)
            known = next((j for j in found if not (j & without)), None)
            justification = known or self._find(without)
            if justification is None:
                continue
            if known is None:
                found.append(justification)
                yield justification
            branches += [without | {axiom} for axiom in sorted(justification - self._added)]

    def entailed_by(self, axioms: Iterable[int]) -> bool:
        """Whether some axioms alone entail the question's: they are normalised and saturated by themselves."""
        key = frozenset(axioms)
        if key not in self._known:
            self._known[key] = self.question.entailed(saturate(normalise(part_of(self.source, key, self.question))))
        return self._known[key]

    def _find(self, without: Axioms) -> Axioms | None:
        chosen = self._search.proof(without)
        if chosen is None and not self._impossible:
            return None
        axioms = (self._search.axioms(chosen, without) if chosen else set()) | self._added
        if not self.entailed_by(axioms):
            # some axiom works only together with one that no row names: look among all that speak of roles
            axioms |= self._role_axioms() - without
            if not self.entailed_by(axioms):
                axioms = set(range(len(self.source.axiom_nodes))) - without
                if not self.entailed_by(axioms):
                    return None
        certain = self._certain(axioms)
        needed = minimal(sorted(axioms - self._added), lambda some: self.entailed_by({*some, *self._added}), certain)
        added = minimal(sorted(self._added), lambda some: self.entailed_by({*some, *needed}))
        return frozenset((*needed, *added))

    def _certain(self, axioms: set[int]) -> set[int]:
        """Of many axioms those that every proof from them needs: these need not be tried one by one."""
        if len(axioms) <= _FEW or self._impossible:
            return set()
        numbers = sorted(axioms)
        drafts, goal = self.question.goal(saturate(normalise(part_of(self.source, numbers, self.question))))
        return {numbers[place] for place in Search(Calculus(drafts), goal).certain()}

    def _role_axioms(self) -> set[int]:
        ops = self.source.op[self.source.axiom_nodes]
        return {i for i, op in enumerate(ops) if Op.SubObjectPropertyOf <= op <= Op.HasKey}


def smallest_unions(parts: list[list[Axioms]]) -> list[Axioms]:
    """Of the unions of one set of each part those that no other is inside of, small ones first."""
    unions = {frozenset[int]().union(*chosen) for chosen in product(*parts)}
    least = [each for each in unions if not any(other < each for other in unions)]
    return sorted(least, key=lambda axioms: (len(axioms), sorted(axioms)))


def minimal(axioms: list[int], enough: Callable[[list[int]], bool], certain: Collection[int] = ()) -> list[int]:
    """A part of `axioms` that is enough, and no longer is with any one removed; `certain` ones cannot be."""
    fixed, doubtful = ([a for a in axioms if (a in certain) == wanted] for wanted in (True, False))
    if len(doubtful) > _FEW or (doubtful and fixed):
        doubtful = sorted(_needed(fixed, doubtful, bool(fixed), enough))
    kept = sorted(fixed + doubtful)
    for axiom in doubtful:
        without = [a for a in kept if a != axiom]
        if enough(without):
            kept = without
    return kept


def _needed(fixed: list[int], rest: list[int], changed: bool, enough: Callable[[list[int]], bool]) -> list[int]:
    """The part of `rest` that is needed beside `fixed`: many are ruled out at once, by halves."""
    if changed and enough(fixed):
        return []
    if len(rest) == 1:
        return rest
    low, high = rest[: len(rest) // 2], rest[len(rest) // 2 :]
    from_high = _needed(fixed + low, high, True, enough)
    return _needed(fixed + from_high, low, bool(from_high), enough) + from_high
