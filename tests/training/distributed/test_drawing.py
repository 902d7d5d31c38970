"""First parameters of some rows: those of the whole, for every model and for models that draw in ways of their own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from elgeo.models.ball_models.elem import ElEmbeddings
from elgeo.models.box_models.box2el import Box2El
from elgeo.models.contract import REGISTRY, Model, Sizes
from elgeo.training.distributed import drawing
from elgeo.training.distributed.drawing import RowDraws, SomeClasses, begun
from elgeo.training.distributed.sharded import class_tables
from elgeo.training.folder.parts import OwnRows

SIZES = Sizes(23, 5)
MODELS = sorted(
    name for name, cls in REGISTRY.items() if issubclass(cls, Model) and cls.__module__.startswith("elgeo.")
)


class Normal(ElEmbeddings):
    """Not by `uniform`."""

    def initial(self, generator: np.random.Generator) -> Any:
        return {**super().initial(generator), "radii": generator.normal(size=self.sizes.classes).astype(np.float32)}


class Twice(ElEmbeddings):
    """Draws for other numbers of rows than there are classes."""

    def initial(self, generator: np.random.Generator) -> Any:
        kept = generator.uniform(-1, 1, 2 * self.sizes.classes)[: self.sizes.classes]
        return {**super().initial(generator), "radii": kept.astype(np.float32)}


class More(ElEmbeddings):
    """Draws what it does not keep."""

    def initial(self, generator: np.random.Generator) -> Any:
        made = super().initial(generator)
        generator.uniform(-1, 1, 2 * self.sizes.classes)
        return made


ODD = (Normal, Twice, More)


@pytest.mark.parametrize("block", [4, 1000])
@pytest.mark.parametrize("cls", [*(REGISTRY[name] for name in MODELS), *ODD], ids=lambda cls: cls.__name__)
def test_rows_begin_as_in_the_whole(cls: type[Model], block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "BLOCK", block)
    settings = cls.Settings(dimension=4)

    made: list[int] = []

    def make(sizes: Sizes, generator: np.random.Generator) -> Model:
        made.append(sizes.classes)
        return cls(sizes, settings, generator)

    tables = class_tables(make, SIZES.roles)
    generator = np.random.default_rng(7)
    whole = make(SIZES, generator).arrays()
    assert {name for name, array in whole.items() if len(array) == 23} == tables
    for size in (1, 2, 3):
        for rank in range(size):
            rows, own = OwnRows(23, rank, size), np.random.default_rng(7)
            model = begun(make, SIZES, rows, tables, own)
            assert own.bit_generator.state == generator.bit_generator.state
            assert model.sizes == Sizes(rows.count, 5)
            assert isinstance(made[-1], SomeClasses) == (cls not in ODD), "whole only where it has to be"
            for name, array in model.arrays().items():
                np.testing.assert_array_equal(array, whole[name][rank::size] if name in tables else whole[name])


@pytest.mark.parametrize("name", ["box2el", "transbox", "boxel"])
def test_individuals_are_those_of_the_whole(name: str) -> None:
    sizes = Sizes(23, 5, (4, 9, 10, 22), 4 / 23)
    cls = REGISTRY[name]
    assert issubclass(cls, Model)

    def make(sizes: Sizes, generator: np.random.Generator) -> Model:
        return cls(sizes, cls.Settings(dimension=4), generator)

    tables = class_tables(make, sizes.roles)
    whole = make(sizes, np.random.default_rng(7)).arrays()
    for rank in range(3):
        model = begun(make, sizes, OwnRows(23, rank, 3), tables, np.random.default_rng(7))
        assert model.sizes.share == 4 / 23
        for key, array in model.arrays().items():
            np.testing.assert_array_equal(array, whole[key][rank::3] if key in tables else whole[key])


def test_tables_are_told_apart_by_what_they_grow_with() -> None:
    def make(sizes: Sizes, generator: np.random.Generator) -> Model:
        return Box2El(sizes, None, generator)

    assert class_tables(make, 3) == class_tables(make, 5) == {"centres", "offsets", "bumps"}


@pytest.mark.parametrize("shape", [(), (3,), (2, 4)])
def test_some_rows_are_drawn_without_the_others(shape: tuple[int, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """Not by making the whole and cutting it, which is what happens where this fails."""
    monkeypatch.setattr(drawing, "BLOCK", 5)
    whole = np.random.default_rng(2).uniform(-2, 3, (23, *shape))
    for rank in range(3):
        own = np.random.default_rng(2)
        some = SomeClasses.of(OwnRows(23, rank, 3))
        found = RowDraws(own).uniform(-2, 3, (some, *shape) if shape else some)
        np.testing.assert_array_equal(found, whole[rank::3])
    plain = RowDraws(np.random.default_rng(2)).uniform(-2, 3, (23, *shape))
    np.testing.assert_array_equal(plain, whole)
