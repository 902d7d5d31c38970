"""Names are found by their parts, the best first, as by looking at each of them."""

from __future__ import annotations

import random

import pytest

from elgeo.serve.names import Names


def plain(names: list[tuple[str, int]], text: str, top: int) -> dict[int, str]:
    """Every name is looked at."""
    wanted, ranked = " ".join(text.casefold().split()), []
    for name, c in names:
        shown = " ".join(name.casefold().split())
        if wanted and wanted in shown:
            starts = [i for i in range(len(shown)) if shown.startswith(wanted, i)]
            tier = (
                0 if shown == wanted else 1 if 0 in starts else 2 if any(shown[i - 1] in " _:-" for i in starts) else 3
            )
            ranked.append((tier, len(shown), shown, c))
    found: dict[int, str] = {}
    for _, _, shown, c in sorted(ranked):
        found.setdefault(c, shown)
    return dict(list(found.items())[:top])


@pytest.mark.parametrize("seed", range(8))
def test_as_by_looking_at_each(seed: int) -> None:
    chance = random.Random(seed)
    letters = "abcAB ß-:_\n\té"

    def text(most: int) -> str:
        return "".join(chance.choices(letters, k=chance.randint(0, most)))

    names = [(text(12), chance.randrange(40)) for _ in range(120)]
    index, sizes = Names(names), set[int]()
    for _ in range(300):
        wanted, top = text(3), chance.choice([0, 1, 2, 5, 20, 500])
        found = index.find(wanted, top)
        assert list(found.items()) == list(plain(names, wanted, top).items()), (wanted, top)
        sizes.add(len(found))
    assert len(sizes) > 5


def test_what_there_is_none_of() -> None:
    assert Names([]).find("a", 5) == {}
    assert Names([("", 3)]).find("a", 5) == {}
    assert Names([("Nucleus", 3)]).find("\n", 5) == {}
    assert Names([("Nucleus", 3)]).find("nucleus\nnucleus", 5) == {}
    assert Names([("Nucleus", 3), ("nucleus", 3)]).find("NUCLEUS ", 5) == {3: "nucleus"}


def test_the_first_name_is_found_like_the_others() -> None:
    names = [("aorta", 1), ("mitral aorta", 2), ("xaorta", 3)]
    assert list(Names(names).find("aorta", 5)) == [1, 2, 3]
    assert list(Names(names).find("aor", 1)) == [1]
