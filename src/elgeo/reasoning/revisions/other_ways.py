"""`OtherWays`: whether an axiom of an ontology may follow from the others too, without working out why."""

from __future__ import annotations

from elgeo.reasoning.proofs.rules import Calculus, Fact, Inference
from elgeo.reasoning.proofs.search import Origins
from elgeo.reasoning.questions.drafts import Drafts
from elgeo.reasoning.questions.expressions import Atom, Some
from elgeo.reasoning.reasoner import Reasoner

_OWN = ("sub", "link", "loop", "has", "leads")
"""Facts about an element, which they name first."""


class OtherWays:
    """Asks the rules how a class comes to what an axiom says of it.

    Only facts about the class itself are derived anew without the axiom; all that follows of other classes is taken as
    given. So no way is overlooked, but one may be seen that rests on the axiom after all, through another class.
    """

    def __init__(self, reasoner: Reasoner) -> None:
        self._calculus = Calculus(Drafts(reasoner.saturation))
        self._origins = Origins(reasoner.forms)

    def may_follow(self, names: tuple[int, ...], axiom: int) -> bool:
        """Whether A ⊑ D (two ids) or A ⊑ ∃R.D (three) may follow without the axiom of this number."""
        goal: Fact = ("sub", *names)
        if len(names) == 3:
            goal = ("has", names[0], Some(names[1], Atom(names[2])))
        x = names[0]
        first = [way for way in self._calculus.inferences(goal) if self._does_without(way, axiom)]
        if any(all(p == ("sub", x, x) or not _is_about(p, x) for p in way.premises) for way in first):
            return True  # another axiom says it too, as definitions do
        if not first:
            return False
        found = self._explored(goal, axiom)
        proved: set[Fact] = set()
        while True:
            before = len(proved)
            for conclusion, ways in found.items():
                if conclusion not in proved and any(
                    all(premise in proved for premise in way.premises if _is_about(premise, x)) for way in ways
                ):
                    proved.add(conclusion)
            if goal in proved:
                return True
            if len(proved) == before:
                return False

    def _explored(self, goal: Fact, axiom: int) -> dict[Fact, list[Inference]]:
        """Every rule application that does without the axiom, of all facts about the element that the goal may need."""
        found: dict[Fact, list[Inference]] = {}
        waiting = [goal]
        while waiting:
            fact = waiting.pop()
            if fact in found:
                continue
            ways = [way for way in self._calculus.inferences(fact) if self._does_without(way, axiom)]
            found[fact] = ways
            waiting += [p for way in ways for p in way.premises if _is_about(p, goal[1]) and p not in found]
        return found

    def _does_without(self, way: Inference, axiom: int) -> bool:
        return all(
            premise[0] != "row" or self._origins.of(premise[1], premise[2]) != [axiom] for premise in way.premises
        )


def _is_about(fact: Fact, x: int) -> bool:
    return fact[0] in _OWN and fact[1] == x
