"""The losses, scores and truths of box models a second time: one row at a time, straight from the formulas."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from elgeo.models.box_models.model import BoxModel

Box = tuple[np.ndarray, np.ndarray]


def norm(x: np.ndarray) -> float:
    return float(np.sqrt(np.dot(x, x)))


class PlainBoxes:
    """A box model read row by row; `margin` has its sign, + on the loose side."""

    def __init__(self, model: BoxModel) -> None:
        self.name, self.s = model.name, model.settings
        self.a = {name: array.astype(np.float64) for name, array in model.arrays().items()}
        self.margin = self.s.margin * (1 if self.s.margin_side == "loose" else -1)

    def cls(self, c: int) -> Box:
        return self.a["centres"][c], np.abs(self.a["offsets"][c])

    def role(self, r: int) -> Box:
        return self.a["role_centres"][r], np.abs(self.a["role_offsets"][r])

    def end(self, which: str, r: int) -> Box:
        return self.a[f"{which}_centres"][r], np.abs(self.a[f"{which}_offsets"][r])

    def pairs(self, form: str, row: Sequence[int]) -> list[tuple[Box, Box]]:
        """Which boxes have to lie in which, for the forms that say such a thing."""

        def moved(box: Box, by: np.ndarray) -> Box:
            return box[0] + by, box[1]

        def spread(one: Box, two: Box) -> Box:
            return one[0] + two[0], one[1] + two[1]

        if form == "subclass":
            return [(self.cls(row[0]), self.cls(row[1]))]
        match self.name, form:
            case "elbe", "existential":
                c, r, d = row
                return [(moved(self.cls(c), self.a["role_vectors"][r]), self.cls(d))]
            case "elbe", "left_existential":
                r, c, d = row
                return [(moved(self.cls(c), -self.a["role_vectors"][r]), self.cls(d))]
            case "box2el", "existential":
                c, r, d = row
                bumps = self.a["bumps"]
                return [
                    (moved(self.cls(c), bumps[d]), self.end("head", r)),
                    (moved(self.cls(d), bumps[c]), self.end("tail", r)),
                ]
            case "box2el", "left_existential":
                r, c, d = row
                return [(moved(self.end("head", r), -self.a["bumps"][c]), self.cls(d))]
            case "box2el", "subrole":
                return [(self.end(end, row[0]), self.end(end, row[1])) for end in ("head", "tail")]
            case "box2el", "chain":
                r, s, t = row
                return [(self.end("head", r), self.end("head", t)), (self.end("tail", s), self.end("tail", t))]
            case "transbox", "existential":
                c, r, d = row
                return [(self.cls(c), spread(self.cls(d), self.role(r)))]
            case "transbox", "left_existential":
                r, c, d = row
                return [(spread(self.cls(c), self.role(r)), self.cls(d))]
            case "transbox", "subrole":
                return [(self.role(row[0]), self.role(row[1]))]
            case "transbox", "chain":
                r, s, t = row
                return [(spread(self.role(r), self.role(s)), self.role(t))]
        raise AssertionError((self.name, form))

    def inclusion(self, a: Box, b: Box, margin: float) -> float:
        return norm(np.maximum(np.abs(a[0] - b[0]) + a[1] - b[1] - margin, 0))

    def common(self, row: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
        c, d = self.cls(row[0]), self.cls(row[1])
        return np.maximum(c[0] - c[1], d[0] - d[1]), np.minimum(c[0] + c[1], d[0] + d[1])

    def positive(self, form: str, row: Sequence[int]) -> float:
        return self._positive(form, row) + self._sphere(form, row)

    def _positive(self, form: str, row: Sequence[int]) -> float:
        margin = self.margin
        if form == "conjunction":
            lower, upper = self.common(row)
            middle, half = (lower + upper) / 2, np.abs(upper - lower) / 2
            e, width = self.cls(row[2])
            x = np.maximum(np.abs(middle - e) + half - width - margin, 0)
            if self.name == "transbox":
                x[lower > upper] = 0
            return (norm(x) + norm(np.maximum(lower - upper, 0))) ** 2
        if form == "disjoint":
            (c, o_c), (d, o_d) = self.cls(row[0]), self.cls(row[1])
            return norm(np.maximum(o_c + o_d - np.abs(c - d) - margin, 0)) ** 2
        if form == "empty" or (form == "empty_existential" and self.name != "box2el"):
            return float(np.sum(self.cls(row[-1])[1] ** 2))
        if form == "empty_existential":
            return float(np.sum(self.end("head", row[0])[1] ** 2))
        pairs = self.pairs(form, row)
        if form == "left_existential" and getattr(self.s, "left_existential", "") == "overlap":
            ((a, o_a), (b, o_b)) = pairs[0]
            return norm(np.maximum(np.abs(a - b) - o_a - o_b - margin, 0)) ** 2
        if form == "existential" and getattr(self.s, "existential", "") == "enhanced":
            (c, o_c), (d, o_d), (r, o_r) = self.cls(row[0]), self.cls(row[2]), self.role(row[1])
            return norm(np.maximum(np.abs(c - d - r) + o_c + o_d - o_r - margin, 0)) ** 2
        return float(np.mean([self.inclusion(a, b, margin) for a, b in pairs])) ** 2

    def negative(self, form: str, row: Sequence[int]) -> float:
        return self._negative(form, row) + self._sphere(form, row)

    def _negative(self, form: str, row: Sequence[int]) -> float:
        how, depth = self.s.refutation, self.s.depth
        if form == "conjunction":
            lower, upper = self.common(row)
            middle, half = (lower + upper) / 2, np.abs(upper - lower) / 2
            e, width = self.cls(row[2])
            hollow = norm(np.maximum(lower - upper, 0))
            if how == "dimension":
                farthest = float(np.max(np.abs(middle - e) + half - width))
                return max(depth - farthest, 0.0) ** 2 + hollow**2
            return (hollow + norm(np.maximum(-np.abs(middle - e) + half + width + self.s.margin, 0))) ** 2
        pairs = self.pairs(form, row)
        if how == "gap":
            gaps = [norm(np.maximum(np.abs(a - b) - o_a - o_b + self.margin, 0)) for (a, o_a), (b, o_b) in pairs]
            return float(sum((self.s.distance - each) ** 2 for each in gaps))
        if how == "overlap":
            shared = [norm(np.maximum(o_a + o_b - np.abs(a - b) + self.s.margin, 0)) for (a, o_a), (b, o_b) in pairs]
            return float(np.mean(shared)) ** 2
        farthest = max(float(np.max(np.abs(a - b) + o_a - o_b)) for (a, o_a), (b, o_b) in pairs)
        return max(depth - farthest, 0.0) ** 2

    def _sphere(self, form: str, row: Sequence[int]) -> float:
        if not getattr(self.s, "on_sphere", False):
            return 0.0
        places = {"existential": (0, 2), "left_existential": (1, 2), "empty_existential": (1,)}
        places |= {"subrole": (), "chain": ()}
        classes = [row[i] for i in places.get(form, range(len(row)))]
        return sum(abs(norm(self.cls(c)[0]) - 1) for c in classes)

    def score(self, form: str, row: Sequence[int], by_centres: bool) -> float:
        pairs = self.pairs(form, row)
        apart = float(np.mean([norm(a - b) for (a, _), (b, _) in pairs]))
        outside = float(np.mean([self.inclusion(a, b, 0.0) for a, b in pairs]))
        if by_centres:
            return -apart
        return -outside if outside > 0 else 1 / (1 + apart)
