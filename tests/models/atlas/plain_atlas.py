"""`atlas` again, written plainly from its formulas with dense loops in double precision; small irregular datasets."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elgeo.datasets.model import Dataset, Kinds
from elgeo.ontology.normal_forms import NormalForms, empty_tables
from elgeo.ontology.vocabulary import Vocabulary
from elgeo.reasoning import Reasoner
from tests.models.atlas.plain_drawn import PlainDrawn
from tests.models.atlas.plain_groups import PlainGroups

Real = NDArray[np.float64]
TARGET, OTHER, PART = 1, 2, 3
WORDS = ("red", "cell", "wall", "growth", "of", "the", "nucleus", "binding", "old")


def small_dataset(generator: np.random.Generator, shape: str, symmetric: bool = False, n: int = 26) -> Dataset:
    """Classes with names, a hierarchy without cycles, two other roles (one transitive), and a random target.

    `shape` is "roles" (heads and tails of two kinds), "same" (one kind) or "subclass".
    """
    first = 2 + n // 2 if shape == "roles" else 2
    tables = empty_tables()
    below = np.array([(c, d) for c in range(2, n) for d in range(2, c) if generator.random() < 0.12], np.int32)
    told = [
        (c, role, d)
        for role in (OTHER, PART)
        for c in range(2, n)
        for d in range(2, n)
        if c != d and generator.random() < (0.06 if role == OTHER else 0.03)
    ]
    popular = generator.random(n) ** 2
    heads, tails = range(2, first) if shape == "roles" else range(2, n), range(first, n)
    pairs = [(c, d) for c in heads for d in tails if c != d and generator.random() < 0.45 * popular[d]]
    if symmetric:
        pairs = sorted({(c, d) for a, b in pairs for c, d in ((a, b), (b, a))})
    target = np.array([(c, TARGET, d) for c, d in pairs], np.int32).reshape(-1, 3)
    if shape == "subclass":
        target = below
    number = generator.integers(0, 6, len(target))
    if symmetric:
        number = (target[:, 0] + target[:, 2]) * (target[:, 0] * target[:, 2] % 7 + 1) % 6
    train, valid, test = target[number > 1], target[number == 1], target[number == 0]
    tables["subclass"] = train if shape == "subclass" else below.reshape(-1, 2)
    # definitions say some more in the target's shape, of which nothing is held out
    pairs = [(c, d) for c in heads for d in tails if d < c and not symmetric and generator.random() < 0.02]
    held = {(int(row[0]), int(row[-1])) for row in target}
    rows = [(c, d) if shape == "subclass" else (c, TARGET, d) for c, d in pairs if (c, d) not in held]
    told_beside = np.array(rows, np.int32).reshape(-1, target.shape[1])
    if shape == "subclass":
        tables["subclass"] = np.concatenate([train, told_beside])
    mine = [] if shape == "subclass" else [train, told_beside]
    tables["existential"] = np.concatenate([*mine, np.array(told, np.int32).reshape(-1, 3)])
    tables["chain"] = np.array([[PART, PART, PART]], np.int32)
    classes = [f"http://example.org/C{i:03}" for i in range(n)]
    labels = {name: " ".join(generator.choice(WORDS, generator.integers(1, 4))) for name in classes[4:]}
    vocabulary = Vocabulary(
        classes,
        np.array([0, 0] + [1] * (n - 2), np.uint8),
        [f"http://example.org/r{i}" for i in range(4)],
        np.array([0, 1, 1, 1], np.uint8),
        labels=labels,
        synonyms={classes[5]: ("old wall",)},
        definitions={name: " ".join(generator.choice(WORDS, generator.integers(2, 13))) for name in classes[3::2]},
    )
    kind = np.array([0, 0] + [1 if i < first else 2 for i in range(2, n)], np.int16)
    head, tail = ("left", "right") if shape == "roles" else ("right", "right")
    form, role = ("subclass", None) if shape == "subclass" else ("existential", TARGET)
    return Dataset(
        "small", NormalForms(vocabulary, tables), form, role, train, valid, test,
        Kinds(("other", "left", "right"), kind), head, tail, symmetric,
    )  # fmt: skip


class PlainAtlas:
    """Every piece of evidence of a dataset, by name, for all class ids as heads and as tails."""

    ALPHA, LAMBDA, POWER, PRIOR, COUNT = 0.22, 1.5, 3.0, 0.8, 60

    def __init__(self, dataset: Dataset) -> None:
        self.dataset, self.n = dataset, dataset.vocabulary.n_classes
        self.heads = list(dataset.kinds.members(dataset.head_kind))
        self.tails = list(dataset.kinds.members(dataset.tail_kind))
        x = np.zeros((self.n, self.n))
        x[dataset.train[:, 0], dataset.train[:, -1]] = 1
        for c, role, d in dataset.forms.existential.tolist():
            if role == dataset.target_role:
                x[c, d] = 1
        self.rows, self.columns = x.sum(axis=1), x.sum(axis=0)
        self.x = x * np.maximum(self.rows, 1)[:, None] ** -self.ALPHA * np.maximum(self.columns, 1) ** -self.ALPHA

    def features(self, members: list[int]) -> dict[str, Real]:
        """The blocks as dense idf rows of unit length."""
        found = {}
        for name, sets in self.sets().items():
            rows = self.unit_rows(sets, members)
            if rows[members].any():
                found[name] = rows
        return found

    def unit_rows(self, sets: list[set[Any]], members: list[int]) -> Real:
        every = sorted(set().union(*sets), key=str)
        rows = np.zeros((self.n, len(every)))
        for j, feature in enumerate(every):
            count = sum(feature in sets[m] for m in members)
            if 2 <= count <= max(2, 0.1 * len(members)):
                for c in range(self.n):
                    rows[c, j] = np.log((len(members) + 1) / count) if feature in sets[c] else 0
        length = np.sqrt((rows**2).sum(axis=1, keepdims=True))
        return np.divide(rows, length, out=np.zeros_like(rows), where=length > 0)

    def sets(self) -> dict[str, list[set[object]]]:
        """What each class has, by block."""
        dataset, n = self.dataset, self.n
        reasoner = Reasoner(dataset.forms)
        above = [{int(d) for d in reasoner.saturation.subsumers_of(c) if d > 1} for c in range(n)]
        told = [row for row in dataset.forms.existential.tolist() if row[1] != dataset.target_role]
        part = {(c, d) for c in range(n) for d in range(2, n) if reasoner.entails(("existential", (c, PART, d)))}
        reach = [above[c] | {d for d in range(2, n) if (c, d) in part} for c in range(n)]
        texts = dataset.texts
        nameless = [c for c in range(2, n) if not texts.labels[c]]
        called = list(texts.labels)
        if 10 * len(nameless) <= n - 2:  # a few: known by what their IRIs end with, "C002"
            for c in nameless:
                called[c] = self.dataset.vocabulary.classes[c].split("/")[-1].lower()
        name = [{word[:7] for word in called[c].split()} for c in range(n)]
        chars = []
        for c in range(n):
            whole = f" {called[c]} "
            chars.append({whole[i : i + 5] for i in range(len(whole) - 4)} if called[c] else set())
        prose = [[*texts.synonyms[c], texts.definitions[c]] for c in range(n)]
        text = [name[c] | {word[:7] for s in prose[c] for word in s.split()} for c in range(n)]
        inside = {*self.heads, *self.tails}
        chars = [pieces if c in inside else set() for c, pieces in enumerate(chars)]
        text = [found if c in inside else set() for c, found in enumerate(text)]

        def fillers(of: list[set[int]]) -> list[set[object]]:
            return [{(r, e) for c, r, d in told if c == x for e in of[d]} for x in range(n)]

        found: dict[str, list[set[object]]] = {
            "up": above,  # type: ignore[dict-item]
            "reach": reach,  # type: ignore[dict-item]
            "direct": fillers([{d} for d in range(n)]),
            "fill": fillers(above),
            "far": fillers(reach),
            "inverse": [{(r, e) for c, r, d in told if d == x for e in above[c]} for x in range(n)],
            "name": name,  # type: ignore[dict-item]
            "chars": chars,  # type: ignore[dict-item]
            "text": text,  # type: ignore[dict-item]
            **self.wording([called[c] if c in inside else "" for c in range(n)], inside),
            "words": [{word for c, _, d in told if c == x for word in name[d]} for x in range(n)],
        }
        for more, less in (("reach", "up"), ("far", "fill"), ("text", "name")):
            count = [sum(len(found[k][c]) for c in (inside if more == "text" else range(n))) for k in (more, less)]
            if count[0] == count[1]:
                del found[more]
        return found

    def wording(self, called: list[str], inside: set[int]) -> dict[str, list[set[object]]]:
        """How names and definitions are put; nothing where no head has any text."""
        texts = self.dataset.texts
        if not any(called[c] or texts.synonyms[c] or texts.definitions[c] for c in self.heads):
            return {}
        names = [[word[:7] for word in text.split()] for text in called]
        defined = [[w[:7] for w in text.split()] if c in inside else [] for c, text in enumerate(texts.definitions)]

        def runs(found: list[str], sizes: tuple[int, ...]) -> set[object]:
            return {tuple(found[i : i + k]) for k in sizes for i in range(len(found) - k + 1)}

        return {
            "pairs": [runs(found, (1, 2)) for found in names],
            "ends": [
                {("first", *found[:k]) for k in (1, 2, 3) if k <= len(found)}
                | {("last", *found[len(found) - k :]) for k in (1, 2, 3) if k <= len(found)}
                for found in names
            ],
            "definition": [runs(found, (1, 2)) for found in defined],
            "beginning": [
                runs(found[:8], (1, 2)) | {tuple(found[:k]) for k in (3, 4, 5) if k <= len(found)} for found in defined
            ],
        }

    def worded(self) -> Real:
        """Likeness by texts alone, the mean of blocks in which a word that no other head has counts for the length."""
        kernels = []
        for name, sets in self.sets().items():
            if name in ("chars", "text", "pairs", "ends", "definition", "beginning"):
                rows = np.zeros((self.n, self.n))
                counts = {f: sum(f in sets[h] for h in self.heads) for f in set().union(*sets)}
                most = max(2, 0.2 * len(self.heads))
                weight = {f: np.log((len(self.heads) + 1) / max(m, 1)) for f, m in counts.items() if m <= most}
                length = [sum(weight.get(f, 0) ** 2 for f in found) ** 0.5 for found in sets]
                for c, d in itertools.product(range(self.n), repeat=2):
                    shared = sum(weight.get(f, 0) ** 2 for f in sets[c] & sets[d] if counts[f] > 1)
                    rows[c, d] = shared / (length[c] * length[d]) if shared else 0
                if any(sets[h] for h in self.heads):
                    kernels.append(rows)
        return sum(kernels, np.zeros((self.n, self.n))) / max(1, len(kernels))

    def kernel(self, members: list[int], total: float) -> Real:
        apart = ("chars", "pairs", "ends", "definition", "beginning")
        blocks = {name: rows for name, rows in self.features(members).items() if name not in apart}
        return sum((total / len(blocks) * rows @ rows.T for rows in blocks.values()), np.zeros((self.n, self.n)))

    def nearest(self, kernel: Real, among: list[int], power: float = POWER, count: int = COUNT) -> Real:
        made = np.zeros_like(kernel)
        for c in range(self.n):
            values = {d: kernel[c, d] for d in among if d != c and kernel[c, d] > 0}
            least = sorted(values.values())[-count] if len(values) > count else 0
            values = {d: value for d, value in values.items() if value > least - 1e-7}
            total = sum(v**power for v in values.values())
            for d, value in values.items():
                made[c, d] = value**power / total
        return made

    def head_operators(self) -> dict[str, Real]:
        inside = np.zeros(self.n)
        inside[self.heads] = 1
        found = {"itself": np.diag(inside)}
        told, names = self.dataset.forms.existential, self.dataset.vocabulary
        own = [self.dataset.target_role] if self.dataset.head_kind == self.dataset.tail_kind else []
        others = [r for r in np.unique(told[:, 1]).tolist() if r != self.dataset.target_role]
        for role in [r for r in own if r is not None] + others:
            a = np.zeros((self.n, self.n))
            for c, r, d in told.tolist():
                if r == role and c != d and inside[c] and inside[d]:
                    a[c, d] = a[d, c] = 1
            if a.sum() > 0.2 * len(self.heads):
                scale = np.maximum(a.sum(axis=1), 1) ** -0.5
                found[f"walk {names.role_label(role)}"] = scale[:, None] * a * scale
        a = np.zeros((self.n, self.n))
        for c, d in self.dataset.forms.subclass.tolist():
            if c != d and inside[c] and inside[d]:
                a[c, d] = a[d, c] = 1
        if a.sum() > 0.2 * len(self.heads):
            scale = np.maximum(a.sum(axis=1), 1) ** -0.5
            found["walk ⊑"] = scale[:, None] * a * scale
        warm = [h for h in self.heads if self.rows[h]]
        if (kernel := self.kernel(self.heads, 1.0)).any():
            found["alike"] = self.nearest(kernel, warm)
        if (kernel := self.worded()).any():
            found["alike in words"] = self.nearest(kernel, warm, 1.0, 30)
        has = [{int(d) for d in np.flatnonzero(self.x[c])} for c in range(self.n)]
        peers = self.unit_rows(has, self.heads)
        if peers.any():
            found["peers"] = self.nearest(peers @ peers.T, warm)
        return found

    def tail_operators(self) -> dict[str, Real]:
        kernel = self.kernel(self.tails, self.PRIOR)
        warm, cold = [t for t in self.tails if self.columns[t]], [t for t in self.tails if not self.columns[t]]
        x = self.x[:, warm]
        size = np.mean(np.diag(x.T @ x))
        p = np.linalg.inv(x.T @ x + size * (kernel[np.ix_(warm, warm)] + self.LAMBDA * np.eye(len(warm))))
        r = np.zeros((self.n, self.n))
        for i, j in itertools.product(range(len(warm)), repeat=2):
            r[warm[i], warm[j]] = 0 if i == j else -p[i, j] / p[j, j]
        for t in cold:
            r[warm, t] = size * p @ kernel[warm, t]
        inside = np.zeros(self.n)
        inside[self.tails] = 1
        near = np.zeros((self.n, self.n))  # all that share heads are near, being few
        gram = self.x.T @ self.x
        for t in warm:
            others = [u for u in warm if u != t and gram[u, t] > 0]
            if others:
                ridge = size * self.LAMBDA * np.eye(len(others))
                near[others, t] = np.linalg.solve(gram[np.ix_(others, others)] + ridge, gram[others, t])
        told = np.diag(inside * np.maximum(self.columns, 1) ** self.ALPHA)
        found = {"same": np.diag(inside), "as told": told, "regressed": r, "regressed on the nearest": near}
        if kernel.any():
            alike = np.zeros((self.n, self.n))
            alike[:, self.tails] = self.nearest(kernel, warm).T[:, self.tails]
            found["alike"] = alike
        below = np.zeros((self.n, self.n))  # an axiom of the class in the row speaks for that in the column
        for c, d in self.dataset.forms.subclass.tolist():
            below[d, c] = inside[c] * inside[d]
        if below.any():
            scale = [np.maximum(below.sum(axis=axis), 1) ** -0.5 for axis in (1, 0)]
            found["below"] = scale[0][:, None] * below * scale[1]
            found["above"] = found["below"].T
        return found

    def evidence(self) -> dict[str, Real]:
        """Scores of all class ids against all class ids."""
        found = {}
        for (left, a), (right, b) in itertools.product(self.head_operators().items(), self.tail_operators().items()):
            if (left == "alike in words") != (right == "as told") and (left, right) != ("alike in words", "same"):
                continue
            if (left, right) not in (("itself", "same"), ("peers", "alike")) and (
                left == "itself" or "near" not in right
            ):
                score = a @ self.x @ b
                found[f"{left} · {right}"] = score + score.T if self.dataset.symmetric else score
        both = sorted({*self.heads, *self.tails})
        ours = [set(self.features(members)) for members in (self.heads, self.tails)]
        for name, rows in self.features(both).items():
            if name in ours[0] & ours[1]:
                found[f"alike by {name}"] = rows @ rows.T
        found |= self.links()
        found["count"] = np.tile(np.log1p(self.columns), (self.n, 1))
        found["root of count"] = np.tile(np.sqrt(self.columns), (self.n, 1))
        found["has axioms"] = np.tile(self.columns > 0, (self.n, 1)).astype(float)
        if self.dataset.symmetric:
            found["grouped"] = self.groups().scores(self.n)
            found["drawn together"] = self.drawn().scores(self.n)
        else:
            found["entailed"] = self.entailed()
        return found

    def groups(self) -> PlainGroups:
        """Groups by axioms and by what is told directly; superclasses are features like any other."""
        told = self.sets()["direct"]
        for c, d in self.dataset.forms.subclass.tolist():
            told[c].add(d)
        return PlainGroups((self.x > 0).astype(float), told, self.kernel(self.heads, 1.0), self.heads)

    def drawn(self) -> PlainDrawn:
        """The same, drawn by chance."""
        found = self.groups()
        return PlainDrawn(found.x, found.f, found.tree, self.heads)

    def links(self) -> dict[str, Real]:
        """Told axioms of other shapes between heads and tails, either way; at least five."""
        names, role = self.dataset.vocabulary, self.dataset.target_role
        made: dict[str, Real] = {}
        told = [(names.role_label(r), c, d) for c, r, d in self.dataset.forms.existential.tolist() if r != role]
        told += [("⊑", c, d) for c, d in self.dataset.forms.subclass.tolist() if role is not None]
        for label, c, d in told:
            made.setdefault(f"joined by {label}", np.zeros((self.n, self.n)))[c, d] = 1
            made.setdefault(f"joined back by {label}", np.zeros((self.n, self.n)))[d, c] = 1
        return {name: found for name, found in made.items() if found[np.ix_(self.heads, self.tails)].sum() >= 5}

    def entailed(self) -> Real:
        closure, n = Reasoner(self.dataset.forms).closure(), self.n
        made = np.zeros((n, n))
        for c, d in itertools.product(range(n), range(2, n)):
            if self.dataset.target_role is None:
                both = closure.contains("subclass", [[c, d], [d, c]])
                made[c, d] = float(both.any())
            else:
                made[c, d] = float(closure.contains("existential", [[c, self.dataset.target_role, d]])[0])
        return made


def without_names(dataset: Dataset) -> Dataset:
    names = dataset.vocabulary
    bare = replace(names, labels={}, synonyms={}, definitions={})
    return replace(dataset, forms=NormalForms(bare, dataset.forms.tables))
