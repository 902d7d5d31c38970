"""BoxEL: losses, gradients, scores and truth against a loop that multiplies volumes, and against sampled points."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from elgeo.errors import SettingError
from elgeo.models import Sizes
from elgeo.models.box_models.boxel import SMALLEST, BoxEl, BoxElSettings, _log_volume
from tests.models.model_contract import SIZES, random_rows

Box = tuple[np.ndarray, np.ndarray]
SETTINGS = [BoxElSettings(dimension=2), BoxElSettings(dimension=3, chain="published", unit_weight=0.3)]


def irregular(settings: BoxElSettings, seed: int = 0, sizes: Sizes = SIZES) -> BoxEl:
    generator = np.random.default_rng(seed)
    model = BoxEl(sizes, settings, generator).to(torch.float64)
    arrays = model.arrays()
    arrays["deltas"] = generator.normal(-0.5, 1.0, (sizes.classes, 1)) + generator.normal(
        0, 0.3, arrays["deltas"].shape
    )
    arrays["corners"] = generator.normal(0.3, 0.3, arrays["corners"].shape) - np.exp(arrays["deltas"]) / 2
    arrays["translations"] = generator.normal(0, 0.3, arrays["translations"].shape)
    arrays["scalings"] *= generator.choice([-1.0, 1.0], arrays["scalings"].shape) * generator.lognormal(0, 0.5)
    model.load(arrays)
    return model


class Plain:
    def __init__(self, model: BoxEl) -> None:
        self.a, self.s = model.arrays(), model.settings

    def box(self, c: int) -> Box:
        return self.a["corners"][c], self.a["corners"][c] + np.exp(self.a["deltas"][c])

    def map(self, r: int) -> Box:
        return np.abs(self.a["scalings"][r]) + SMALLEST, self.a["translations"][r]

    @staticmethod
    def volume(box: Box) -> float:
        return float(np.prod([np.log(1 + np.exp(high - low)) for low, high in zip(*box, strict=True)]))

    @staticmethod
    def common(a: Box, b: Box) -> Box:
        return np.maximum(a[0], b[0]), np.minimum(a[1], b[1])

    def sides(self, form: str, row: list[int]) -> tuple[Box, Box]:
        if form == "subclass":
            return self.box(row[0]), self.box(row[1])
        if form == "conjunction":
            return self.common(self.box(row[0]), self.box(row[1])), self.box(row[2])
        if form == "existential":
            (low, high), (scale, shift) = self.box(row[0]), self.map(row[1])
            return (scale * low + shift, scale * high + shift), self.box(row[2])
        (low, high), (scale, shift) = self.box(row[1]), self.map(row[0])
        return ((low - shift) / scale, (high - shift) / scale), self.box(row[2])

    def share(self, form: str, row: list[int]) -> float:
        left, right = self.sides(form, row)
        return self.volume(self.common(left, right)) / self.volume(left)

    def loss(self, form: str, row: list[int], negative: bool) -> float:
        if form in ("subrole", "chain"):
            (s_1, r_1), (s_2, r_2) = self.map(row[0]), self.map(row[1])
            if form == "subrole":
                return float(np.linalg.norm(r_1 - r_2) + np.linalg.norm(np.maximum(s_1 / s_2 - 1, 0)))
            s_3, r_3 = self.map(row[2])
            first = s_1 * r_1 if self.s.chain == "published" else s_2 * r_1
            return float(np.linalg.norm(first + r_2 - r_3) + np.linalg.norm(np.maximum(s_1 * s_2 / s_3 - 1, 0)))
        classes = {"existential": [0, 2], "left_existential": [1, 2]}.get(form, range(len(row)))
        boxes = [self.box(row[i]) for i in classes]
        outside = sum(np.maximum(high - 1, 0).mean() + np.maximum(-low, 0).mean() for low, high in boxes)
        if form == "disjoint":
            cost = self.volume(self.common(*boxes)) / (self.volume(boxes[0]) * self.volume(boxes[1]))
        else:
            cost = self.share(form, row) if negative else 1 - self.share(form, row)
        return float(cost + self.s.unit_weight * outside)


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_losses_are_those_of_a_plain_loop_and_gradients_its_differences(settings: BoxElSettings) -> None:
    model = irregular(settings)
    generator = np.random.default_rng(1)
    for negative, forms in ((False, model.positive_forms), (True, model.negative_forms)):
        for form in forms:
            rows = random_rows(form, 20, generator)
            for tensor in model.parameters.values():
                tensor.requires_grad_().grad = None
            losses = model.loss(form, torch.from_numpy(rows), negative)
            expected = [Plain(model).loss(form, row, negative) for row in rows.tolist()]
            np.testing.assert_allclose(losses.detach().numpy(), expected, rtol=1e-9, atol=1e-11, err_msg=form)
            torch.autograd.backward(losses.sum())
            arrays = model.arrays()
            for key, tensor in model.parameters.items():
                if tensor.grad is None:
                    continue
                gradient = tensor.grad.numpy()
                place = tuple(int(i) for i in np.unravel_index(np.abs(gradient).argmax(), gradient.shape))
                ends = []
                for sign in (1, -1):
                    twin = irregular(settings)
                    moved = arrays[key].copy()
                    moved[place] += sign * 1e-6
                    twin.load({**arrays, key: moved})
                    ends.append(sum(Plain(twin).loss(form, row, negative) for row in rows.tolist()))
                assert gradient[place] == pytest.approx((ends[0] - ends[1]) / 2e-6, rel=1e-4), (form, key)
    with pytest.raises(SettingError, match="no loss for 'empty'"):
        model.loss("empty", torch.zeros((1, 1), dtype=torch.int32))


def test_a_box_in_another_has_all_its_volume_there() -> None:
    model = irregular(SETTINGS[0], sizes=Sizes(60, 4))
    rows = random_rows("subclass", 600, np.random.default_rng(3), model.sizes)
    true = model.holds("subclass", rows, 0.0)
    shares = np.array([Plain(model).share("subclass", row) for row in rows.tolist()])
    assert 3 < true.sum() < 500
    np.testing.assert_array_equal(shares >= 1, true)


def test_truth_is_truth_of_the_points() -> None:
    model = irregular(SETTINGS[0], 2, Sizes(40, 4))
    plain = Plain(model)
    generator = np.random.default_rng(4)
    for form in ("conjunction", "existential", "left_existential", "disjoint"):
        rows = random_rows(form, 300, generator, model.sizes)
        found = model.holds(form, rows, 0.0)
        for row, true in zip(rows.tolist(), found, strict=True):
            if form == "disjoint":
                low, high = plain.common(plain.box(row[0]), plain.box(row[1]))
                assert true == bool((high <= low).any())
                continue
            (low, high), (left, right) = plain.sides(form, row)
            if (low > high).any():
                assert true
                continue
            corners = np.array(np.meshgrid(*zip(low, high, strict=True))).reshape(len(low), -1).T
            points = np.concatenate([corners, generator.uniform(low, high, (50, len(low)))])
            assert true == bool(((left <= points + 1e-12) & (points <= right + 1e-12)).all()), (form, row)
        assert 0 < found.sum() < len(found)


def test_a_role_is_one_map() -> None:
    model = irregular(SETTINGS[0])
    arrays = model.arrays()
    arrays["scalings"][2], arrays["translations"][2] = -arrays["scalings"][1], arrays["translations"][1]
    scale = np.abs(arrays["scalings"]) + SMALLEST
    arrays["scalings"][3] = scale[1] * scale[2] - SMALLEST
    arrays["translations"][3] = scale[2] * arrays["translations"][1] + arrays["translations"][2]
    model.load(arrays)
    assert model.holds("subrole", np.array([[1, 2], [2, 1], [1, 3]], np.int32), 1e-9).tolist() == [True, True, False]
    assert model.holds("chain", np.array([[1, 2, 3], [1, 2, 1]], np.int32), 1e-9).tolist() == [True, False]


@pytest.mark.parametrize("role", [None, 2])
def test_scores_are_logs_of_shares(role: int | None) -> None:
    model = irregular(SETTINGS[1])
    every = np.arange(SIZES.classes, dtype=np.int32)
    found = model.scorer().tails(every, role, every)
    form = "subclass" if role is None else "existential"
    for c in every.tolist():
        for d in every.tolist():
            row = [c, d] if role is None else [c, role, d]
            assert found[c, d] == pytest.approx(np.log(Plain(model).share(form, row)), rel=1e-9, abs=1e-11)


def test_boxes_far_apart_have_scores_that_are_numbers_and_differ() -> None:
    model = irregular(SETTINGS[0])
    arrays = model.arrays()
    arrays["corners"][3], arrays["corners"][4] = 500.0, 900.0
    model.load(arrays)
    few = np.array([5, 3, 4], np.int32)
    near, far, farther = model.scorer().tails(few[:1], None, few)[0]
    assert near > far > farther
    assert np.isfinite(farther)
    for c, shape in zip(few.tolist(), model.picture(few), strict=True):
        half = np.exp(arrays["deltas"][c]) / 2
        assert shape == pytest.approx((*(arrays["corners"][c] + half), *half, False))


@pytest.mark.parametrize("form", ["subclass", "left_existential"])
def test_boxes_far_apart_have_slopes_still(form: str) -> None:
    model = irregular(BoxElSettings(dimension=2), sizes=Sizes(3, 2))
    arrays = model.arrays()
    arrays["corners"][:] = [[0.1, 0.2], [0.3, 0.1], [900.0, 2000.0]]
    arrays["scalings"][:] = 1e-7  # a preimage is ten million times as large
    arrays["translations"][0] = [-3.0, 40.0]
    model.load(arrays)
    rows = torch.tensor([[0, 1], [0, 2], [2, 1]] if form == "subclass" else [[0, 0, 1], [0, 1, 2], [0, 2, 0]])
    for tensor in model.parameters.values():
        tensor.requires_grad_().grad = None
    for negative in (False, True):
        losses = model.loss(form, rows, negative)
        assert torch.isfinite(losses).all()
        torch.autograd.backward(losses.sum())
    found = [tensor.grad for tensor in model.parameters.values() if tensor.grad is not None]
    assert len(found) == (2 if form == "subclass" else 4)
    assert all(torch.isfinite(each).all() for each in found)


@pytest.mark.parametrize("width", [-800.0, -35.0, -29.9, -3.0, 0.4, 50.0])
def test_the_log_of_a_volume_and_its_slope_whatever_the_width(width: float) -> None:
    upper = torch.tensor([[width, 0.0]], dtype=torch.float64, requires_grad=True)
    volume = _log_volume((torch.zeros(1, 2, dtype=torch.float64), upper))
    torch.autograd.backward(volume.sum())
    soft = math.log1p(math.exp(width))
    exact, slope = (math.log(soft), 1 / (1 + math.exp(-width)) / soft) if soft else (width, 1.0)
    assert volume.item() == pytest.approx(exact + math.log(math.log(2)), rel=1e-12)
    assert upper.grad is not None
    assert upper.grad[0, 0].item() == pytest.approx(slope, rel=1e-9)
