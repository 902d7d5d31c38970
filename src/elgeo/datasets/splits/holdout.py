"""A completion dataset from any ontology of one's own: some of its axioms of one shape are held out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from elgeo.arrays import Flags
from elgeo.datasets.drops import Drops
from elgeo.datasets.model import Dataset
from elgeo.datasets.sources.given import at_hand
from elgeo.datasets.sources.iris import read_aloud
from elgeo.datasets.splits.choosing import AS_DRAWN, COLD, WARM, Chooser
from elgeo.datasets.splits.coldness import unseen
from elgeo.datasets.splits.elsewhere import also_said
from elgeo.datasets.splits.leakage import leakage
from elgeo.datasets.splits.making import Maker, TargetAxioms
from elgeo.datasets.splits.patterns import matches, parse_pattern
from elgeo.datasets.splits.unlearn import unlearn
from elgeo.documents import shown
from elgeo.errors import ElgeoError, SettingError
from elgeo.messages import counted
from elgeo.ontology import normalise
from elgeo.ontology.expressions import Op
from elgeo.ontology.model import Ontology
from elgeo.ontology.reading.labels import ENGLISH

ENTAILED = ("keep", "drop", "remove-entailing")
CHOICES = (WARM, COLD, AS_DRAWN)


@dataclass(frozen=True)
class Division:
    """How much of the axioms of one shape is held out, and which."""

    shares: tuple[float, float, float] = (0.9, 0.05, 0.05)
    seed: int = 0
    classes: str = WARM
    """`warm`: training keeps at least one axiom of every class of a held-out axiom; `cold`: it keeps none of the
    heads; `as-drawn`: what is held out is left to chance."""
    split_definitions: bool = False
    """Axioms that another one says too, for example a definition C ≡ X ⊓ ∃R.D, stay in training. If this is set they
    may be held out: then training has C ⊑ X and X ⊓ ∃R.D ⊑ C instead of the definition."""
    entailed: str = "keep"
    """What to do with held-out axioms that the training axioms entail all the same: `keep` them; `drop` them; or
    `remove-entailing`, that is, take axioms out of training until it entails none of them."""

    def __post_init__(self) -> None:
        if self.seed < 0:
            raise SettingError(f"the seed is {self.seed}, but cannot be below 0")
        if self.entailed not in ENTAILED:
            raise SettingError(
                f"entailed held-out axioms can be treated by {', '.join(ENTAILED)}, not {self.entailed!r}"
            )
        if self.classes not in CHOICES:
            raise SettingError(f"classes of held-out axioms can be {', '.join(CHOICES)}, not {self.classes!r}")

    def settings(self) -> dict[str, Any]:
        """For the record."""
        return {
            "shares": [round(share, 9) for share in self.shares],
            "seed": self.seed,
            "classes": self.classes,
            "split_definitions": self.split_definitions,
            "entailed": self.entailed,
        }


@dataclass(frozen=True)
class HoldOut:
    """What to hold out of an ontology."""

    ontology: Path | str
    """A file, or an address on the web."""
    axioms: str
    """The pattern, for example `?C SubClassOf part_of some ?D`."""
    shares: tuple[float, float, float] = (0.9, 0.05, 0.05)
    seed: int = 0
    classes: str = WARM
    """This and the next two: see `Division`."""
    split_definitions: bool = False
    entailed: str = "keep"
    kinds: Mapping[str, str] = field(default_factory=dict)
    """Kinds by the start of the IRI, `{"protein": "http://4932."}`; all other classes are of the kind `class`."""
    imports: tuple[Path, ...] = ()
    """Files and folders in which imported ontologies are found."""
    name: str = "dataset"
    language: str = ENGLISH
    """Of labels and texts, where there are several."""

    def __post_init__(self) -> None:
        _ = self.division

    @property
    def division(self) -> Division:
        """What is held out, checked."""
        return Division(self.shares, self.seed, self.classes, self.split_definitions, self.entailed)

    def kind_of(self, iri: str, is_individual: bool) -> str:
        """The kind a class is declared to have, else `class` or `individual`."""
        for kind, start in self.kinds.items():
            if iri.startswith(start):
                return kind
        return "individual" if is_individual else "class"


def hold_out(recipe: HoldOut, say: Callable[[str], None] = lambda _: None) -> tuple[Dataset, Drops]:
    """Read the ontology, hold out axioms of the pattern, and make a dataset of the rest."""
    with at_hand([("ontology", recipe.ontology)], say) as (places, sources):
        ontology = read_aloud(places[recipe.ontology], recipe.imports, say, recipe.language)
    check_kinds(recipe.kinds, ontology)
    pattern = parse_pattern(recipe.axioms, ontology)
    nodes, pairs = matches(ontology, pattern)
    if not len(nodes):
        raise ElgeoError(f"{recipe.ontology}: no axiom between two names has the shape {shown(recipe.axioms)}")
    settings = {"axioms": recipe.axioms, **recipe.division.settings()}
    record = {"made_by": "split", "settings": settings, "sources": sources}
    target = TargetAxioms(recipe.axioms, pattern, nodes, pairs, recipe.kind_of)
    drops = Drops()
    return divide(recipe.name, ontology, target, recipe.division, record, drops, say), drops


def check_kinds(kinds: Mapping[str, str], ontology: Ontology) -> None:
    """Refuse a kind that no class or individual is of: a start that was mistyped would change the dataset unseen."""
    names = [
        ontology.string(node) for node in np.flatnonzero(np.isin(ontology.op, (Op.Class, Op.NamedIndividual))).tolist()
    ]
    for kind, start in kinds.items():
        if not any(name.startswith(start) for name in names):
            example = f"; one is <{sorted(names)[len(names) // 2]}>" if names else ""
            raise SettingError(f"--kind {kind}={start}: no class has an IRI that starts so{example}")


def divide(
    name: str,
    ontology: Ontology,
    target: TargetAxioms,
    division: Division,
    record: Mapping[str, Any],
    drops: Drops,
    say: Callable[[str], None],
) -> Dataset:
    """The dataset in which some axioms of the target are held out of the ontology."""
    nodes = target.nodes
    say("looking for axioms that others say too")
    forms = normalise(ontology)
    others = also_said(forms, target.pattern.form, nodes)
    trained = ontology.axiom_nodes[np.unique(np.concatenate([pairs[:, 1] for pairs in forms.origins.values()]))]
    repeated = np.isin(nodes, list(others))
    stays = repeated & (not division.split_definitions and division.classes != COLD)
    chooser = Chooser(ontology, nodes, target.pairs, stays, trained)
    choice = chooser.choose(division.classes, division.shares, division.seed)
    if division.classes == COLD:  # all that is said of these heads goes, there is nothing to take apart
        others = {}
    make = Maker(name, ontology, target, others, record)
    for axiom in choice.removed.tolist():
        drops.add("axioms of heads that are held out whole", ontology.text(axiom))
    say("normalising")
    dataset, part_of = make.settled(choice.part_of, choice.removed, division.classes == WARM)
    if division.entailed == "remove-entailing":
        say("looking for training axioms that entail held-out ones")
        dataset = unlearn(lambda removed: make(part_of, np.union1d(choice.removed, removed)), drops, say)
        if division.classes == WARM:
            dataset = _without(dataset, unseen(dataset), "with classes that training no longer mentions", drops)
    if division.entailed == "drop":
        say("looking for held-out axioms that training entails")
        rows = np.concatenate([dataset.valid, dataset.test])
        dataset = _without(dataset, leakage(dataset, rows).entailed, "that training entails", drops)
    held_out = part_of > 0
    counts = {
        "axioms": len(nodes),
        "said_elsewhere": int(repeated.sum()),
        "said_elsewhere_held_out": int((repeated & held_out).sum()),
    }
    say(_summary(counts, division))
    wanted = sum(round(len(nodes) * share) for share in division.shares[1:])
    if held_out.sum() < wanted:
        say(f"only {counted(int(held_out.sum()), 'axiom')} could be held out where the shares ask for {wanted:,}")
    for axiom in make.apart(part_of)[1].tolist():
        drops.add("axioms taken apart, because they say a held-out one too", ontology.text(axiom))
    return replace(dataset, record={**dataset.record, "split": counts})


def _summary(counts: Mapping[str, int], division: Division) -> str:
    """What became of axioms that others say too, in words."""
    repeated, held_out = counts["said_elsewhere"], counts["said_elsewhere_held_out"]
    text = f"{counts['axioms']:,} axioms have the shape; {repeated:,} of them are said by others too"
    if repeated and division.split_definitions:
        return f"{text}, {held_out:,} of these are held out and taken out of the others"
    return f"{text} and stay in training (--split-definitions)" if repeated and division.classes != COLD else text


def _without(dataset: Dataset, flags: Flags, what: str, drops: Drops) -> Dataset:
    """The dataset without flagged rows of valid and test; both keep some."""
    in_valid, in_test = flags[: len(dataset.valid)], flags[len(dataset.valid) :]
    for part, of_part in (("valid", in_valid), ("test", in_test)):
        drops.count(f"{part} axioms {what}", int(of_part.sum()))
        if len(of_part) and of_part.all():
            raise ElgeoError(f"all {len(of_part):,} {part} axioms are axioms {what}: none would be left")
    return replace(dataset, valid=dataset.valid[~in_valid], test=dataset.test[~in_test])
