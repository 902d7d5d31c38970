"""What a model is to the rest of the house: parameters, a loss for each normal form, scores, truth.

Training talks to an `Engine`, evaluation to a `Scorer`; neither knows which geometry is behind them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Ids, Reals, Table
from elgeo.datasets.model import Dataset
from elgeo.deferred import torch
from elgeo.errors import SettingError
from elgeo.models.pictures import Shape
from elgeo.ontology.vocabulary import Kind
from elgeo.settings import NoSettings

Arrays = dict[str, NDArray[Any]]


class Scorer(Protocol):
    """Scores of target axioms; higher is better. Ids are class ids; `role` is None for C ⊑ D."""

    def pairs(self, heads: Ids, role: int | None, tails: Ids) -> NDArray[np.float64]:
        """Exact scores of (heads[i], tails[i])."""

    def tails(self, heads: Ids, role: int | None, tails: Ids) -> Reals:
        """Scores of every head against every tail, shape (heads, tails); see `tolerance`."""

    def heads(self, heads: Ids, role: int | None, tails: Ids) -> Reals:
        """Scores of every tail against every head, shape (tails, heads)."""

    tolerance: float
    """How far `tails` and `heads` may be from `pairs`, absolutely; 0 where they are exact. Whoever counts ranks
    recomputes with `pairs` what lies within it."""


def steps_taken(state: Mapping[str, NDArray[Any]]) -> int:
    """The number of steps that the saved state of an engine has behind it."""
    steps = int(state["step"])
    if steps < 0:
        raise SettingError(f"an engine cannot have taken {steps} steps: its saved state is damaged")
    return steps


class Batch(NamedTuple):
    """Rows of one normal form for one step, and the weight of that form in the total loss."""

    positives: Table
    negatives: Table | None
    weight: float
    shares: tuple[float, float] = (1.0, 1.0)
    """Which part of the positives and of the negatives of the step these are, where other processes have the rest."""


class Engine(Protocol):
    """Takes optimisation steps on a model's parameters; read `model.parameters` anew after a step."""

    def step(self, batch: Mapping[str, Batch], learning_rate: float) -> dict[str, float]:
        """One Adam step on Σ weight · (mean positive + mean negative loss).

        Returns the mean losses before the step: `{"existential": …, "existential-": …}`, negatives with a minus.
        A table without rows has loss 0.
        """

    def gradients(self, batch: Mapping[str, Batch]) -> tuple[dict[str, float], Arrays]:
        """The mean losses of a batch, and the gradient of Σ weight · losses by each parameter; nothing moves.

        What a model asks beside the axioms, its `penalty`, is not in them. The arrays may be written over by the next
        call.
        """

    def state(self) -> Arrays:
        """What must be saved beside the parameters so that training goes on to the same bits (Adam's moments …)."""

    def load_state(self, state: Mapping[str, NDArray[Any]]) -> None: ...


@dataclass(frozen=True)
class Sizes:
    """How many classes and roles there are to place, and which classes are individuals."""

    classes: int
    roles: int
    individuals: tuple[int, ...] = ()
    share: float = 0.0
    """How many of all classes are individuals; of all, too, where these are the classes of one process."""

    @staticmethod
    def of(dataset: Dataset) -> Sizes:
        names = dataset.vocabulary
        individuals = np.flatnonzero(names.class_kinds == Kind.INDIVIDUAL).tolist()
        return Sizes(names.n_classes, names.n_roles, tuple(individuals), len(individuals) / names.n_classes)


class Reason(NamedTuple):
    """A part of a score: what it comes from, in words, and how much of the score it is."""

    words: str
    share: float


REGISTRY: dict[str, type[Predictor]] = {}
"""Every predictor that has a name, from the moment its class exists; see `elgeo.models.find`."""


class Predictor(ABC):
    """Anything that can rank target axioms: a geometric model or a baseline.

    A subclass that sets `name` registers itself under it, in this package or in a user's own module.
    """

    name: ClassVar[str]
    paper: ClassVar[str]
    """Where it was published, for `elgeo models`."""
    Settings: ClassVar[type[Any]] = NoSettings
    """Its settings: a frozen dataclass of `elgeo.settings.setting` fields."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        name = cls.__dict__.get("name")
        if name is None:
            return
        other = REGISTRY.get(name)
        if other is not None and (other.__module__, other.__qualname__) != (cls.__module__, cls.__qualname__):
            raise SettingError(f"{cls.__qualname__} cannot be called {name!r}: {other.__qualname__} already is")
        REGISTRY[name] = cls

    @abstractmethod
    def scorer(self) -> Scorer: ...

    def told_scorer(self) -> Scorer:
        """Scores by which told axioms can be ranked: nothing is held against an axiom for following already."""
        return self.scorer()

    def explain(self, head: int, tail: int) -> Sequence[Reason]:
        """What the score of a target axiom is a sum of, largest share first; nothing where it cannot say."""
        return ()

    def explain_with(self, others: Sequence[Predictor], head: int, tail: int) -> Sequence[Reason]:
        """What the mean of the scores of this predictor and others is a sum of.

        Each says what its own is; what several say in the same words is said once.
        """
        shares: dict[str, float] = {}
        for member in (self, *others):
            for reason in member.explain(head, tail):
                shares[reason.words] = shares.get(reason.words, 0.0) + reason.share / (1 + len(others))
        return sorted((Reason(*each) for each in shares.items()), key=lambda reason: -reason.share)


class Baseline(Predictor):
    """A predictor that is counted from the training axioms, not optimised."""

    @classmethod
    @abstractmethod
    def fit(cls, dataset: Dataset) -> Self: ...


class Fitted(Predictor):
    """A predictor that is made from a whole dataset at once, with settings and a seed, and has something to keep."""

    @classmethod
    @abstractmethod
    def fit(cls, dataset: Dataset, settings: Any, generator: np.random.Generator, say: Callable[[str], None]) -> Self:
        """Make it from the training axioms, choosing by the validation axioms at most; `say` tells a person how far."""

    @abstractmethod
    def arrays(self) -> Arrays:
        """What `restore` needs beside the dataset and the settings, as contiguous arrays for safetensors."""

    @classmethod
    @abstractmethod
    def restore(cls, dataset: Dataset, settings: Any, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """The predictor that `arrays` came from, to the same bits; arrays that do not fit are a `SettingError`."""

    def findings(self) -> dict[str, Any]:
        """What fitting found, for the record of the run: plain values that TOML can say."""
        return {}


class Geometry(Predictor):
    """A predictor with a place for every class, among which axioms are true or false."""

    @property
    @abstractmethod
    def judged_forms(self) -> tuple[str, ...]:
        """The normal forms it can tell the truth of."""

    @abstractmethod
    def holds(self, form: str, rows: Table, tolerance: float = 1e-4) -> NDArray[np.bool_]:
        """Whether each axiom is true in the geometric model; borders may be crossed by `tolerance`."""

    @abstractmethod
    def embeddings(self) -> Arrays:
        """What `elgeo export` writes: arrays `class_…` with a row for each class id, `role_…` for each role id."""

    def picture(self, classes: Ids) -> list[Shape]:
        """How some classes are drawn in the plane, one shape each; nothing where there is no way to draw them."""
        return []


class Model(Geometry):
    """A geometric model: parameters placed by minimising a loss for each normal form.

    To write one: name it, list its forms, and give `initial`, `loss`, `holds` and `scorer`.
    """

    positive_forms: ClassVar[tuple[str, ...]]
    """The normal forms it has a loss for."""
    negative_forms: ClassVar[tuple[str, ...]]
    """The normal forms it has a loss for corrupted axioms of."""

    advised: ClassVar[Mapping[str, Any]] = {}
    """Settings of training that suit it better than what suits most."""

    _arrays: Arrays | None
    """The parameters as long as nobody has asked for tensors."""
    _lent: bool = False
    """Whether these arrays are another's: who may move parameters has some of their own."""
    _tensors: dict[str, torch.Tensor]

    def __init__(self, sizes: Sizes, settings: Any = None, generator: np.random.Generator | None = None) -> None:
        """A model at its initial place; only a model whose parameters are loaded next may do without a generator."""
        self.sizes = sizes
        self.settings = self.Settings() if settings is None else settings
        if not isinstance(self.settings, self.Settings):
            raise SettingError(
                f"{self.name} takes {self.Settings.__qualname__}, not {type(self.settings).__qualname__}"
            )
        if generator is None:
            generator = np.random.default_rng(0)
        self._arrays = self.initial(generator)

    @property
    def parameters(self) -> dict[str, torch.Tensor]:
        """What training moves. Tensors are made when they are first asked for: who only scores does without torch."""
        if self._arrays is not None:
            given = {name: array.copy() if self._lent else array for name, array in self._arrays.items()}
            self.parameters = {name: torch.from_numpy(array) for name, array in given.items()}
        return self._tensors

    @parameters.setter
    def parameters(self, tensors: dict[str, torch.Tensor]) -> None:
        self._tensors, self._arrays = tensors, None

    @abstractmethod
    def initial(self, generator: np.random.Generator) -> Arrays:
        """Initial parameters by name, float32."""

    @abstractmethod
    def loss(self, form: str, rows: torch.Tensor, negative: bool = False) -> torch.Tensor:
        """The loss of each row, differentiable by autograd: the definition every faster kernel is tested against."""

    def penalty(self) -> torch.Tensor | None:
        """What is added to the loss of every step, whatever the axioms in it; nothing for most models.

        Of the tables of classes it may have means over their rows, and nothing that joins rows: they may lie in several
        processes.
        """
        return None

    @property
    def judged_forms(self) -> tuple[str, ...]:
        return self.positive_forms

    def embeddings(self) -> Arrays:
        return self.arrays()

    def engine(self, device: str = "cpu") -> Engine:
        """The quickest way to train it on a device."""
        from elgeo.models.engines.torch_engine import TorchEngine

        return TorchEngine(self, device)

    def arrays(self) -> Arrays:
        """The parameters as contiguous arrays of their own, ready for safetensors."""
        return {name: np.array(array, order="C") for name, array in self.views().items()}

    def views(self) -> Arrays:
        """The parameters as they lie in memory, or in a file they are mapped from: to be looked at, not to be kept."""
        if self._arrays is not None:
            return dict(self._arrays)
        return {name: tensor.detach().cpu().numpy() for name, tensor in self._tensors.items()}

    def load(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take saved parameters; make the engine afterwards."""
        shapes = {name: array.shape for name, array in self.views().items()}
        self._check(arrays, shapes)
        self._arrays, self._lent = {name: np.array(arrays[name], order="C") for name in shapes}, False

    @classmethod
    def restored(cls, sizes: Sizes, settings: Any, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """A model with saved parameters. None are drawn before; what is mapped from a file is not read into memory."""
        few, more = (cls(Sizes(classes, sizes.roles), settings) for classes in (3, 5))
        if set(vars(few)) - {"sizes", "settings", "_arrays", "_tensors"}:  # more of it may hang on how many there are
            made = cls(sizes, settings)
            made.load(arrays)
            return made
        shapes, larger = {}, more.views()
        for name, table in few.views().items():
            both = zip(table.shape, larger[name].shape, strict=True)
            shapes[name] = tuple(size + (grown - size) // 2 * (sizes.classes - 3) for size, grown in both)
        few._check(arrays, shapes)
        few.sizes = sizes
        few._arrays, few._lent = {name: np.asarray(arrays[name], order="C") for name in shapes}, True
        return few

    def _check(self, arrays: Mapping[str, NDArray[Any]], shapes: Mapping[str, tuple[int, ...]]) -> None:
        if set(arrays) != set(shapes):
            raise SettingError(f"{self.name} has parameters {sorted(shapes)}, the file has {sorted(arrays)}")
        for name, shape in shapes.items():
            if arrays[name].dtype.kind != "f":
                raise SettingError(f"{name} of {self.name} has to be floats, in the file it is {arrays[name].dtype}")
            if shape != arrays[name].shape:
                raise SettingError(
                    f"{name} of {self.name} has shape {shape}, in the file it has {arrays[name].shape}:"
                    " were the weights trained on another dataset or dimension?"
                )

    def to(self, dtype: torch.dtype) -> Self:
        """The same model with parameters of another precision; make the engine afterwards."""
        self.parameters = {name: tensor.detach().to(dtype) for name, tensor in self.parameters.items()}
        return self
