"""What a user may set about `atlas`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from elgeo.documents import shown
from elgeo.errors import SettingError
from elgeo.models.atlas.contexts.logic import ALL
from elgeo.settings import check, setting

DENSE = 8000


@dataclass(frozen=True)
class AtlasSettings:
    """Settings of `atlas`; whatever is not set is chosen on validation axioms."""

    contexts: str = setting("all", f"blocks of context to use: all, none, or some of {', '.join(ALL)}, with commas")
    dense: int = setting(
        DENSE, "tails with axioms up to which each is regressed on all others; beyond that, on the nearest", least=0
    )
    vectors: str = setting("none", "a file of vectors of classes (name, tab, numbers) as one more block, or none")
    geometry: str = setting("none", "folder of another model's run on this dataset, whose scores are evidence, or none")
    rerank: bool = setting(False, "whether a small net, taught on parts of training, ranks with all evidence at once")
    worth: bool = setting(False, "whether to leave out each block of context in turn, to see what held-out axioms lose")
    sample: int = setting(1000, "held-out axioms by which evidence is weighed", least=1)

    def __post_init__(self) -> None:
        check(self)
        if self.vectors != "none" and not Path(self.vectors).is_file():
            raise SettingError(f"vectors has to be a file, not {shown(self.vectors)}")
        if self.geometry != "none" and not Path(self.geometry).is_dir():
            raise SettingError(f"geometry has to be the folder of a run, not {shown(self.geometry)}")
        if unknown := [name for name in self.chosen if name not in ALL]:
            raise SettingError(f"contexts has {shown(unknown[0])}; there are {', '.join(ALL)}, all and none")
        for name in ("vectors", "geometry"):
            if (place := getattr(self, name)) != "none":  # a run is asked from other folders too
                object.__setattr__(self, name, str(Path(place).resolve()))

    @property
    def chosen(self) -> tuple[str, ...]:
        """The names of the blocks to use."""
        if self.contexts in ("all", "none"):
            return ALL if self.contexts == "all" else ()
        return tuple(name.strip() for name in self.contexts.split(","))
