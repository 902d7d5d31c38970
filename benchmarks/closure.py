"""The closure of GO with yeast proteins: made, asked, sampled, explained; beside the paper's method written plainly.

    python benchmarks/closure.py [--growth] [--twin-seconds 20]

Times are processor seconds. Data: go/go_2019-01-27_el.ofn.gz, yeast/annotations.tsv.gz and
yeast/interactions_train.tsv.gz in ELGEO_DATA.
"""

from __future__ import annotations

import argparse
import gzip
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from common import data_folder
from elgeo.ontology import normalise, read
from elgeo.ontology.normal_forms import FORMS, PUBLISHED, NormalForms
from elgeo.ontology.vocabulary import Kind
from elgeo.reasoning.closure.complete import CompleteClosure
from elgeo.reasoning.closure.paper import PaperClosure
from elgeo.reasoning.questions.answers import Answers
from elgeo.reasoning.saturation.saturate import Saturation, saturate

BASE = "http://example.org/protein/"
BATCH = 32_768


def best(work: Callable[[], Any], times: int = 9) -> float:
    """The least processor seconds of some runs: the kernels have one thread, and others may use the machine too."""
    found = []
    for _ in range(times):
        started = time.process_time()
        work()
        found.append(time.process_time() - started)
    return min(found)


def once(work: Callable[[], Any]) -> tuple[float, Any]:
    """Processor seconds of one run, and what it gave."""
    started = time.process_time()
    result = work()
    return time.process_time() - started, result


def yeast_forms(copies: int = 1) -> NormalForms:
    """GO, P ⊑ ∃has_function.GO and P ⊑ ∃interacts_with.P in both directions; copies of the proteins for growth."""
    data = data_folder()
    with gzip.open(data / "go" / "go_2019-01-27_el.ofn.gz", "rt", encoding="utf-8") as file:
        go = file.read().rstrip()
    assert go.endswith(")")
    lines = []
    some = "SubClassOf(<{c}> ObjectSomeValuesFrom(<{base}{r}> <{d}>))"
    for copy in range(copies):
        for protein, term, *_ in rows(data / "yeast" / "annotations.tsv.gz"):
            iri = "http://purl.obolibrary.org/obo/" + term.replace(":", "_")
            lines.append(some.format(c=f"{BASE}{copy}/{protein}", base=BASE, r="has_function", d=iri))
        for first, second, *_ in rows(data / "yeast" / "interactions_train.tsv.gz"):
            for c, d in ((first, second), (second, first)):
                lines.append(some.format(c=f"{BASE}{copy}/{c}", base=BASE, r="interacts_with", d=f"{BASE}{copy}/{d}"))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "yeast.ofn"
        path.write_text(go[:-1] + "\n".join(lines) + "\n)\n", encoding="utf-8")
        return normalise(read(path))


def rows(path: Path) -> Iterator[list[str]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            if not line.startswith(("#", "protein")):
                yield line.rstrip("\n").split("\t")


def plainly(
    form: str, forms: NormalForms, supers: dict[int, list[int]], subs: dict[int, list[int]], seconds: float
) -> tuple[float, float]:
    """The paper's rules as loops over axioms, the hierarchy given: seconds, and the share that was done in them."""
    closure: set[tuple[int, ...]] = set()
    left = {"conjunction": (0, 1), "disjoint": (0, 1), "left_existential": (1,), "empty_existential": (1,)}.get(
        form, (0,)
    )
    right = form in ("subclass", "conjunction", "existential", "left_existential")
    axioms = [tuple(row) for row in forms[form].tolist()]
    # the order is shuffled, so that the part done in time stands for the whole
    order = np.random.default_rng(0).permutation(len(axioms)).tolist()
    started = time.process_time()
    done = 0
    for i in order:
        axiom = axioms[i]
        closure.add(axiom)
        for j in left:
            for c in subs[axiom[j]]:
                closure.add((*axiom[:j], c, *axiom[j + 1 :]))
        if right:
            for d in supers[axiom[-1]]:
                closure.add((*axiom[:-1], d))
        done += 1
        if time.process_time() - started > seconds or len(closure) > 30_000_000:
            break
    return time.process_time() - started, done / max(1, len(axioms))


def beside_the_twin(saturation: Saturation, seconds: float) -> None:
    forms = saturation.forms
    owners = np.repeat(np.arange(forms.vocabulary.n_classes), np.diff(saturation.subsumer_start))
    supers: dict[int, list[int]] = {c: [] for c in range(forms.vocabulary.n_classes)}
    subs: dict[int, list[int]] = {c: [] for c in range(forms.vocabulary.n_classes)}
    for c, d in zip(owners.tolist(), saturation.subsumers.tolist(), strict=True):
        if c != d:
            supers[c].append(d)
            subs[d].append(c)
    print("\nthe paper's closure, with fresh classes    plain loops (done)           rows        ours     ratio")
    ours_total = twin_total = 0.0
    for form in ("subclass", "existential", "left_existential", "disjoint", "conjunction"):
        spent, share = plainly(form, forms, supers, subs, seconds)
        twin = spent / share
        ours, count = once(lambda form=form: PaperClosure(saturation).count(form, fresh=True))
        twin_total, ours_total = twin_total + twin, ours_total + ours
        title = f"{FORMS[form].meaning} of {len(forms[form]):,} axioms"
        print(f"  {title:<36}{twin:>12.2f} s ({share:>6.1%}) {count:>14,} {ours:>9.3f} s {twin / ours:>7.0f} x")
    print(f"  {'all':<36}{twin_total:>12.2f} s {'':>24}{ours_total:>9.3f} s {twin_total / ours_total:>7.0f} x")


def asked(saturation: Saturation) -> None:
    """Questions, samples and explanations."""
    generator = np.random.default_rng(1)
    vocabulary = saturation.forms.vocabulary
    closure = CompleteClosure(saturation)
    made, _ = once(lambda: closure.tail_rows("existential"))
    print(f"\ncomplete closure: rows of C ⊑ ∃R.D made in {made:.3f} s")
    for name in PUBLISHED:
        seconds, count = once(lambda name=name: closure.count(name))
        _, fresh = once(lambda name=name: closure.count(name, fresh=True))
        print(f"  {FORMS[name].meaning:<14}{count:>12,} named {fresh:>12,} with fresh   counted in {seconds:.3f} s")
    existential, subclass = saturation.forms.existential, saturation.forms.subclass
    proteins = np.flatnonzero(
        [BASE in vocabulary.classes[i] for i in np.flatnonzero(vocabulary.class_kinds == Kind.NAMED)]
    )
    proteins = np.flatnonzero(vocabulary.class_kinds == Kind.NAMED)[proteins].astype(np.int32)
    batch = existential[generator.integers(len(existential), size=BATCH)].copy()
    batch[:, 2] = generator.integers(2, vocabulary.n_classes, BATCH)
    pairs = subclass[generator.integers(len(subclass), size=BATCH)].copy()
    pairs[:, 1] = generator.integers(2, vocabulary.n_classes, BATCH)
    implicit = CompleteClosure(saturation, memory=-1)
    paper = PaperClosure(saturation)
    paper.contains("existential", batch)
    implicit.contains("existential", batch)
    print(f"\n{BATCH:,} candidates")
    for title, work in (
        ("C ⊑ ∃R.D, rows in memory", lambda: closure.contains("existential", batch)),
        ("C ⊑ ∃R.D, through links", lambda: implicit.contains("existential", batch)),
        ("C ⊑ ∃R.D, the paper's closure", lambda: paper.contains("existential", batch)),
        ("C ⊑ D", lambda: closure.contains("subclass", pairs)),
    ):
        print(f"  {title:<32}{1e3 * best(work):>9.2f} ms")
    for form in ("conjunction", "left_existential"):
        table = saturation.forms[form]
        some = table[generator.integers(len(table), size=BATCH)].copy()
        some[:, -1] = generator.integers(2, vocabulary.n_classes, BATCH)
        fresh = CompleteClosure(saturation)
        first, _ = once(lambda form=form, some=some, fresh=fresh: fresh.contains(form, some))
        again = best(lambda form=form, some=some, fresh=fresh: fresh.contains(form, some), 3)
        print(f"  {FORMS[form].meaning:<14}left sides new {1e3 * first:>9.1f} ms, known {1e3 * again:>6.2f} ms")
    many = np.repeat(existential, 5, axis=0)[:1_000_000]
    many = many[np.isin(many[:, 0], proteins)]
    closure.sample("existential", many[:, 0], many[:, 1], generator)
    drawn = best(lambda: closure.sample("existential", many[:, 0], many[:, 1], generator), 5)
    print(f"\nsampled in a second: {len(many) / drawn / 1e6:.1f} M entailed tails")
    closure.contradicts("existential", batch[:8])
    for form, table in (("existential", batch), ("subclass", pairs)):
        spent, found = once(lambda form=form, table=table: closure.contradicts(form, table))
        title = f"{len(table):,} random {FORMS[form].meaning}"
        print(f"contradictions among {title}: {int(found.sum()):,} in {spent:.2f} s")
    explained(saturation, generator)


def explained(saturation: Saturation, generator: np.random.Generator) -> None:
    answers, vocabulary = Answers(saturation), saturation.forms.vocabulary
    named = np.flatnonzero(vocabulary.class_kinds == Kind.NAMED)
    times, steps = [], []
    while len(times) < 40:
        c = int(generator.choice(named))
        above = [d for d in saturation.subsumers_of(c).tolist() if d != c and vocabulary.class_kinds[d] == Kind.NAMED]
        if above:
            question = answers.question(("subclass", [c, int(generator.choice(above))]))
            seconds, proof = once(lambda question=question: answers.explain(question))
            times.append(seconds)
            steps.append(len(proof.justification))
    mean, most = np.mean(times[1:]), max(times[1:])
    print(f"40 proofs of random C ⊑ D: mean {mean:.3f} s, most {most:.3f} s, axioms in each {np.mean(steps):.1f}")


def growth() -> None:
    print("\ngrowth: copies of the proteins beside GO")
    for copies in (1, 2, 4, 8):
        forms = yeast_forms(copies)
        saturation = saturate(forms)
        closure = CompleteClosure(saturation)
        made, table = once(lambda closure=closure: closure.tail_rows("existential"))
        batch = forms.existential[np.random.default_rng(0).integers(len(forms.existential), size=BATCH)]
        test = best(lambda closure=closure, batch=batch: closure.contains("existential", batch))
        print(
            f"  {copies} x: {len(forms.existential):>9,} axioms, links and rows made in {made:.2f} s, "
            f"{len(table.tails):>10,} tails, {BATCH:,} candidates in {1e3 * test:.2f} ms"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--growth", action="store_true", help="1 to 8 times the proteins")
    parser.add_argument("--twin-seconds", type=float, default=20, help="time for each form of the plain method")
    options = parser.parse_args()
    forms = yeast_forms()
    saturate(forms)
    seconds, saturation = once(lambda: saturate(forms))
    print(
        f"{forms.vocabulary.n_classes:,} classes, {sum(forms.counts().values()):,} rows, saturated in {seconds:.2f} s"
    )
    PaperClosure(saturation).count("existential")
    asked(saturation)
    beside_the_twin(saturation, options.twin_seconds)
    if options.growth:
        growth()


if __name__ == "__main__":
    main()
