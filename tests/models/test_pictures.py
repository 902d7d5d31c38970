"""Balls and boxes in the plane: their places, sizes and order, from one dimension to five."""

from __future__ import annotations

import numpy as np
import pytest

import elgeo
from elgeo.models import Geometry
from elgeo.models.pictures import balls_in_plane, boxes_in_plane


def distances(points: np.ndarray) -> np.ndarray:
    return np.linalg.norm(points[:, None] - points[None], axis=2)


@pytest.mark.parametrize("dimension", [1, 2])
def test_what_lies_in_the_plane_is_drawn_where_it_is(dimension: int) -> None:
    generator = np.random.default_rng(dimension)
    centres, sizes = generator.normal(size=(7, dimension)), generator.normal(size=(7, dimension))
    radii = generator.normal(size=7)
    balls, boxes = balls_in_plane(centres, radii), boxes_in_plane(centres, sizes)
    assert len(balls) == len(boxes) == 7
    for i in range(7):
        place = [*centres[i], 0.0][:2]
        assert [balls[i].x, balls[i].y] == pytest.approx(place)
        assert balls[i].width == balls[i].height == pytest.approx(abs(radii[i]))
        assert balls[i].round
        assert [boxes[i].x, boxes[i].y] == pytest.approx(place)
        assert [boxes[i].width, boxes[i].height] == pytest.approx([*abs(sizes[i]), 0.0][:2])
        assert not boxes[i].round


def test_balls_of_a_plane_in_space_keep_their_distances() -> None:
    """Points of a tilted plane: seen from in front nothing is lost."""
    generator = np.random.default_rng(3)
    flat = generator.normal(size=(9, 2))
    axes = np.linalg.qr(generator.normal(size=(5, 2)))[0]
    shapes = balls_in_plane(flat @ axes.T + generator.normal(size=5), np.ones(9))
    found = np.array([[shape.x, shape.y] for shape in shapes])
    assert distances(found) == pytest.approx(distances(flat))


def test_boxes_in_space_are_seen_along_the_two_axes_that_differ_most() -> None:
    generator = np.random.default_rng(4)
    centres = generator.normal(size=(30, 4)) * [1, 9, 0.1, 5]
    sizes = generator.random((30, 4))
    for shape, centre, size in zip(boxes_in_plane(centres, sizes), centres, sizes, strict=True):
        assert [shape.x, shape.y, shape.width, shape.height] == pytest.approx([centre[1], centre[3], size[1], size[3]])


@pytest.mark.parametrize("name", ["transe", "dl2vec"])
def test_vectors_are_drawn_as_points(name: str) -> None:
    run = elgeo.train("family", model=name, dimension=2, **({"epochs": 1} if name == "transe" else {"passes": 1}))
    model = run.predictor()
    assert isinstance(model, Geometry)
    classes = np.array([4, 9, 2], np.int32)
    vectors = model.embeddings()["class_vectors"][classes]
    assert [(shape.x, shape.y) for shape in model.picture(classes)] == [tuple(map(float, each)) for each in vectors]
    assert {shape.width for shape in model.picture(classes)} == {0}
