"""Contexts: what training says of each class beside the target, as named blocks of features.

Everything is made of training axioms and what they entail, and of names. The target's own role is left out, and so are
roles that follow from it: a row with what follows from a head's known tails would hold what is above the tail to be
predicted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from elgeo.datasets.model import Dataset
from elgeo.ontology.vocabulary import Kind
from elgeo.reasoning.saturation.saturate import Saturation

Matrix = Any
"""A sparse matrix in rows (csr); scipy's types cannot say what its products are."""

WORDING = ("pairs", "ends", "definition", "beginning")
"""Blocks that compare how texts are put."""
ALL = ("up", "reach", "direct", "fill", "far", "inverse", "name", "chars", "text", "words", *WORDING)
"""Every block there is, in the order in which they are listed."""
BENT = ", bent"
"""How the names of bent evidence end."""


@dataclass(frozen=True, eq=False)
class Block:
    """One kind of feature: a row for each class id, 1 where the class has the feature."""

    name: str
    rows: Matrix
    describe: Callable[[int], str]
    """What a feature says, for people."""


def indicator(rows: NDArray[np.integer], columns: NDArray[np.integer], shape: tuple[int, int]) -> Matrix:
    """1 at each of the given places, however often a place is given."""
    made = sparse.coo_array((np.ones(len(rows), np.float32), (rows, columns)), shape=shape).tocsr()
    made.data[:] = 1
    return made


def binary(matrix: Matrix) -> Matrix:
    """1 wherever the matrix is not 0."""
    made = sparse.csr_array(matrix, dtype=np.float32)
    made.eliminate_zeros()
    made.data[:] = 1
    return made


def real_classes(dataset: Dataset) -> NDArray[np.bool_]:
    """Which class ids users know: named classes and individuals."""
    kinds = dataset.vocabulary.class_kinds
    return np.asarray((kinds == Kind.NAMED) | (kinds == Kind.INDIVIDUAL))


class Logic:
    """What training axioms say and entail, as sparse matrices over class ids."""

    def __init__(self, dataset: Dataset, saturation: Saturation) -> None:
        # of classes that training axioms name
        self.dataset, self.saturation = dataset, saturation.unconditional or saturation
        saturation = self.saturation
        self.n = dataset.vocabulary.n_classes
        self.real = real_classes(dataset)
        rows = np.repeat(np.arange(self.n), np.diff(saturation.subsumer_start))
        keep = self.real[saturation.subsumers] & ~saturation.unsatisfiable[rows]
        self.above = indicator(rows[keep], saturation.subsumers[keep], (self.n, self.n))
        """Entailed superclasses, the class itself among them."""
        told = dataset.forms.existential
        self.told = {
            int(role): indicator(told[told[:, 1] == role, 0], told[told[:, 1] == role, 2], (self.n, self.n))
            for role in np.unique(told[:, 1])
        }
        """The training axioms C ⊑ ∃R.D of each role."""
        below = dataset.forms.subclass
        below = below[self.real[below[:, 0]] & self.real[below[:, 1]]]
        self.below = indicator(below[:, 0], below[:, 1], (self.n, self.n))
        """The training axioms C ⊑ D."""

    def linked(self, roles: Sequence[int]) -> Matrix:
        """Entailed links by any of the roles, closed upwards: x ⊑ ∃R.y for some R of them."""
        found = self.saturation
        keep = np.isin(found.link_roles, roles)
        rows = np.repeat(np.arange(self.n), np.diff(found.link_start))[keep]
        return binary(indicator(rows, found.link_targets[keep], (self.n, self.n)) @ self.above)

    @property
    def other_roles(self) -> list[int]:
        return [role for role in self.told if role != self.dataset.target_role]

    @cached_property
    def role_names(self) -> dict[int, str]:
        """What evidence calls each role with axioms: its label on one line, and its IRI where that is not enough.

        Several roles may have the same label, and one that ends as names of bent evidence do would be taken for them.
        """
        names = self.dataset.vocabulary
        labels = [" ".join(names.role_label(role).split()) for role in range(len(names.roles))]
        count = Counter(labels)
        clear = [count[label] == 1 and not label.endswith(BENT) for label in labels]
        return {r: labels[r] if clear[r] else f"{labels[r]} ({names.roles[r]})" for r in self.told}

    @property
    def transitive(self) -> list[int]:
        """Roles with R ∘ R ⊑ R, but for those with links that begin with the target's axioms."""
        chains = self.dataset.forms.chain
        found = np.unique(chains[(chains == chains[:, :1]).all(axis=1), 0])
        kept: list[int] = found[~self._begun_by_target[found]].tolist()
        return kept

    @property
    def _begun_by_target(self) -> NDArray[np.bool_]:
        """By role: the target's, those above it, and all T of R ∘ S ⊑ T where R is one of these."""
        roles = self.saturation.completion.roles
        found, more = np.zeros(roles.n, np.bool_), np.zeros(roles.n, np.bool_)
        if self.dataset.target_role is not None:
            more = roles.below[self.dataset.target_role] > 0
        while (more & ~found).any():
            found = more
            more = found | (roles.below[roles.chains[found[roles.chains[:, 0]], 2]] > 0).any(axis=0)
        return found


def logical_blocks(logic: Logic) -> list[Block]:
    """The blocks that come from axioms; one that says nothing new is left out."""
    names, n, roles = logic.dataset.vocabulary, logic.n, logic.other_roles
    superclass = lambda feature: f"⊑ {names.class_label(feature)}"  # noqa: E731
    filler = lambda feature: f"{names.role_label(roles[feature // n])} {names.class_label(feature % n)}"  # noqa: E731
    says = lambda feature: f"{names.class_label(feature % n)} {names.role_label(roles[feature // n])} it"  # noqa: E731
    found = [Block("up", logic.above, superclass)]
    reach = binary(logic.above + logic.linked(logic.transitive)) if logic.transitive else logic.above
    if reach.nnz > logic.above.nnz:
        found.append(Block("reach", reach, lambda feature: f"within {names.class_label(feature)}"))
    if not roles:
        return found
    real = sparse.diags_array(logic.real.astype(np.float32))

    def of_each(make: Callable[[Matrix], Matrix]) -> Matrix:
        return binary(sparse.hstack([make(logic.told[role]) for role in roles], format="csr"))

    direct, fill = of_each(lambda told: told @ real), of_each(lambda told: told @ logic.above)
    found += [Block("direct", direct, filler), Block("fill", fill, filler)]
    far = of_each(lambda told: told @ reach)
    if far.nnz > fill.nnz:
        found.append(Block("far", far, filler))
    return [*found, Block("inverse", of_each(lambda told: told.T.tocsr() @ logic.above), says)]
