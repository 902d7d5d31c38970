"""A dataset of axiom prediction: of every normal form some axioms are held out, each asked for by its last class."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from elgeo.arrays import Flags, Table
from elgeo.datasets.assemble import kinds_by_name
from elgeo.datasets.drops import Drops
from elgeo.datasets.model import AlsoHeldOut, Dataset
from elgeo.datasets.splits.whole_ontology import WholeSplit
from elgeo.errors import ElgeoError
from elgeo.ontology import normalise
from elgeo.ontology.normal_forms import FORMS, TAILED, NormalForms
from elgeo.ontology.vocabulary import Kind


@dataclass(frozen=True)
class AllForms(WholeSplit):
    """Which ontology, and how the axioms of each form are divided."""

    shares: tuple[float, float, float] = (0.8, 0.1, 0.1)


def split_forms(recipe: AllForms, say: Callable[[str], None] = lambda _: None) -> tuple[Dataset, Drops]:
    """Hold out rows of each form at random; C ⊑ D is the target, the others are `other_forms`.

    Rows that define a fresh name, or conclude one, stay in training: nobody asks for those. Held-out rows with a class
    or role that training does not mention are dropped.
    """
    ontology, sources = recipe.read(say)
    forms = normalise(ontology)
    generator, drops = np.random.default_rng(recipe.seed), Drops()
    parts = {form: _drawn(_may_be_held_out(forms, form), recipe.shares, generator) for form in TAILED}
    train = NormalForms(
        forms.vocabulary,
        {**forms.tables, **{form: forms[form][part == 0] for form, part in parts.items()}},
        source=forms.source,
        unsupported=forms.unsupported,
        limits=forms.limits,
        inverses=forms.inverses,
    )
    known = _known(train)
    held_out = {}
    for form, part in parts.items():
        tables = [_seen(forms[form][part == number], form, known) for number in (1, 2)]
        drops.count(
            f"held-out axioms {FORMS[form].meaning} with a class or role that training does not mention",
            int((part > 0).sum()) - sum(map(len, tables)),
        )
        held_out[form] = AlsoHeldOut(*tables)
        counts = f"{len(train[form]):,} in training, {len(tables[0]):,} valid, {len(tables[1]):,} test"
        say(f"{FORMS[form].meaning}: {counts}")
    target = held_out.pop("subclass")
    kinds = kinds_by_name(forms.vocabulary, lambda iri, is_individual: "individual" if is_individual else "class")
    is_class = forms.vocabulary.class_kinds == Kind.NAMED
    trained = train.subclass[is_class[train.subclass].all(axis=1)]
    if not len(trained) or not len(target.test):
        raise ElgeoError(f"{recipe.ontology}: too few C ⊑ D between named classes to hold some out of each form")
    settings = {"forms": "all", "shares": [round(share, 9) for share in recipe.shares], "seed": recipe.seed}
    dataset = Dataset(
        name=recipe.name,
        forms=train,
        target_form="subclass",
        target_role=None,
        train=trained,
        valid=target.valid,
        test=target.test,
        kinds=kinds,
        head_kind="class",
        tail_kind="class",
        other_forms={form: each for form, each in held_out.items() if len(each.valid) or len(each.test)},
        record={"made_by": "split", "settings": settings, "sources": sources},
    )
    return dataset, drops


def _may_be_held_out(forms: NormalForms, form: str) -> Flags:
    """Rows that an axiom says and that conclude a named class; C ⊑ D begins with one too."""
    rows, is_class = forms[form], forms.vocabulary.class_kinds == Kind.NAMED
    said = np.zeros(len(rows), np.bool_)
    said[forms.origins[form][:, 0]] = True
    said &= is_class[rows[:, -1]]
    return said & is_class[rows[:, 0]] if form == "subclass" else said


def _drawn(may: Flags, shares: tuple[float, float, float], generator: np.random.Generator) -> Table:
    """0, 1 or 2 for each row: train, valid, test."""
    part = np.zeros(len(may), np.int32)
    order = generator.permutation(np.flatnonzero(may))
    valid, test = (round(len(order) * share) for share in shares[1:])
    part[order[:valid]] = 1
    part[order[valid : valid + test]] = 2
    return part


def _known(forms: NormalForms) -> tuple[Flags, Flags]:
    """The classes, and the roles, that the axioms mention."""
    names = forms.vocabulary
    classes, roles = np.zeros(names.n_classes, np.bool_), np.zeros(names.n_roles, np.bool_)
    for form, table in forms.tables.items():
        classes[table[:, FORMS[form].class_columns]] = True
        roles[table[:, FORMS[form].role_columns]] = True
    return classes, roles


def _seen(rows: Table, form: str, known: tuple[Flags, Flags]) -> Table:
    shape, (classes, roles) = FORMS[form], known
    seen = classes[rows[:, shape.class_columns]].all(axis=1) & roles[rows[:, shape.role_columns]].all(axis=1)
    return rows[seen]
