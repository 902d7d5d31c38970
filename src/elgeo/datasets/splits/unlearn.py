"""Takes axioms out of training until it entails nothing that is held out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from elgeo.datasets.drops import Drops
from elgeo.datasets.model import Dataset
from elgeo.errors import ElgeoError
from elgeo.ontology import normalise
from elgeo.ontology.expressions import Op
from elgeo.ontology.model import Builder, Ontology
from elgeo.ontology.vocabulary import Kind, Vocabulary
from elgeo.reasoning.closure.complete import CompleteClosure
from elgeo.reasoning.proofs.justifications import Justifications
from elgeo.reasoning.proofs.rules import Calculus, RowIndex
from elgeo.reasoning.proofs.search import Search
from elgeo.reasoning.questions.drafts import Drafts
from elgeo.reasoning.questions.question import Question
from elgeo.reasoning.saturation.saturate import saturate

ROLE_AXIOMS = range(Op.SubObjectPropertyOf, Op.TransitiveObjectProperty + 1)


def unlearn(
    make: Callable[[NDArray[np.int32]], Dataset], drops: Drops, say: Callable[[str], None] = lambda _: None
) -> Dataset:
    """The dataset that `make` gives without the axioms (nodes of the ontology) that entail held-out axioms.

    In rounds: every entailed held-out axiom gets one short proof, and the axioms that occur in most proofs go, until
    each proof has lost one. Role axioms go only where a proof has no others, because whole hierarchies rest on them.
    """
    removed = np.array([], np.int32)
    while True:
        dataset = make(removed)
        source = dataset.forms.source
        if source is None or not len(dataset.train):
            raise ElgeoError("nothing of the target would be left to train on: hold out less, or drop what is entailed")
        needed = _proofs(dataset, source, say)
        if not needed:
            return dataset
        is_role_axiom = np.isin(source.op[source.axiom_nodes], ROLE_AXIOMS)
        chosen = _hitting(needed, is_role_axiom)
        for number in chosen:
            drops.add("training axioms that entail held-out ones", source.text(int(source.axiom_nodes[number])))
        removed = np.union1d(removed, source.axiom_nodes[chosen]).astype(np.int32)
        say(f"{len(needed):,} held-out axioms are entailed: {len(chosen):,} training axioms go")


def _proofs(dataset: Dataset, source: Ontology, say: Callable[[str], None]) -> list[frozenset[int]]:
    """The axioms (numbers in the source) of a short proof of each held-out axiom that is entailed."""
    # of the source alone: every row of these forms knows the axioms it came from
    forms = normalise(source)
    saturation = saturate(forms)
    rows = np.concatenate([dataset.valid, dataset.test])
    entailed = rows[CompleteClosure(saturation).contains(dataset.target_form, rows)]
    index = RowIndex(saturation.forms.tables)
    # between names a question needs nothing of its own: what was looked up for one is there for the next
    calculus = Calculus(Drafts(saturation), index)
    found = []
    for done, row in enumerate(entailed.tolist()):
        if done and done % 500 == 0:
            say(f"proved {done:,} of {len(entailed):,} entailed axioms")
        question = _question(row, forms.vocabulary)
        drafts, goal = question.goal(saturation)
        search = Search(Calculus(drafts, index) if drafts.all else calculus, goal)
        proof = search.proof()
        axioms = frozenset(search.axioms(proof)) if proof else frozenset()
        # where the proof names no axiom, ask which ones it cannot do without
        found.append(axioms or Justifications(saturation, question, index).first())
    return found


def _question(row: list[int], vocabulary: Vocabulary) -> Question:
    """The axiom behind a row of the target."""
    builder = Builder()

    def named(class_id: int) -> int:
        is_individual = vocabulary.class_kinds[class_id] == Kind.INDIVIDUAL
        node = builder.entity(Op.NamedIndividual if is_individual else Op.Class, vocabulary.classes[class_id])
        return builder.node(Op.ObjectOneOf, node) if is_individual else node

    tail = named(row[-1])
    if len(row) == 3:
        tail = builder.node(Op.ObjectSomeValuesFrom, builder.entity(Op.ObjectProperty, vocabulary.roles[row[1]]), tail)
    node = builder.axiom(Op.SubClassOf, named(row[0]), tail)
    return Question(builder.finish(), node)


def _hitting(sets: Iterable[frozenset[int]], is_role_axiom: NDArray[np.bool_]) -> list[int]:
    """Axioms of which every set has one, found greedily: the one in most sets first, then the smallest number."""
    open_ones = [frozenset(a for a in each if not is_role_axiom[a]) or each for each in sets]
    chosen = []
    while open_ones:
        counts = Counter(axiom for each in open_ones for axiom in each)
        best = min(counts, key=lambda axiom: (-counts[axiom], axiom))
        chosen.append(best)
        open_ones = [each for each in open_ones if best not in each]
    return sorted(chosen)
