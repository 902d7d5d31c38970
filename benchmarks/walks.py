"""Walks and skip-gram of `owl2vec` beside gensim's Word2Vec on the same sentences: words a second, and what they learn.

    python benchmarks/walks.py [--data yeast|DATASET] [--negatives 5 25] [--walks 2] [--rounds 2] [--gensim PYTHON]

Processor time of reading all sentences once, the best of the rounds, one worker each (more would change gensim's result
from run to run; ours has one). gensim is taken from the Python given, or ELGEO_GENSIM, or mOWL's environment.
The last column is the share of training edges C ⊑ D whose ends are more alike than C and a class drawn at random.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np

from common import mowl_python
from elgeo.arrays import Floats
from elgeo.datasets import load
from elgeo.datasets.model import Dataset
from elgeo.models.walks.documents import Documents
from elgeo.models.walks.model import Owl2Vec, Owl2VecSettings, walked
from elgeo.models.walks.projection import SUBCLASS, Projection, project
from elgeo.models.walks.skip_gram import Reading, skip_gram
from elgeo.models.walks.walking import Sentences
from training import yeast

GENSIM = Path(__file__).parent / "_gensim.py"


class Text(NamedTuple):
    """What is read, and the graph behind it."""

    graph: Projection
    sentences: Sentences
    words: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default="yeast", help="yeast, or a dataset")
    parser.add_argument("--negatives", type=int, nargs="+", default=[5, 25])
    parser.add_argument("--walks", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--passes", type=int, default=1)
    parser.add_argument("--words", type=int, default=2_000_000, help="read so many at most (default 2,000,000)")
    parser.add_argument("--gensim", default=os.environ.get("ELGEO_GENSIM"), help="a Python that has gensim")
    options = parser.parse_args()
    text = read(yeast() if options.data == "yeast" else load(options.data), options.walks, options.words)
    python = options.gensim or mowl_python()
    n_words = len(text.sentences.tokens) * options.passes
    warm = Sentences(text.sentences.tokens[:1000], np.array([0, 1000]))
    skip_gram(warm, text.words, Reading(100, 5, 5, 1, 0.001), np.random.default_rng(0), lambda message: None)
    for negatives in options.negatives:
        reading = Reading(100, 5, negatives, options.passes, 0.001)
        rounds = [ours(text, reading) for _ in range(options.rounds)]
        seconds, vectors = min(rounds, key=lambda each: each[0])
        print(f"{negatives:2} of noise  elgeo   {n_words / seconds:10,.0f} words/s  {alike(text.graph, vectors):.3f}")
        if python is None:
            continue
        others = [gensim(python, text, reading) for _ in range(options.rounds)]
        theirs, found = min(others, key=lambda each: each[0])
        print(f"{negatives:2} of noise  gensim  {n_words / theirs:10,.0f} words/s  {alike(text.graph, found):.3f}")
        print(f"{theirs / seconds:.1f} times", flush=True)


def read(dataset: Dataset, walks: int, most: int) -> Text:
    """The sentences of `owl2vec`, with the time that walking takes."""
    settings, generator = Owl2VecSettings(walks=walks), np.random.default_rng(0)
    graph = project(dataset.forms, "owl2vec")
    walked(Projection(graph.edges[:1], graph.classes, graph.roles), settings, False, generator)
    started = time.process_time()
    found = walked(graph, settings, False, generator)
    seconds = time.process_time() - started
    print(f"{len(graph.edges):,} edges; {len(found.tokens):,} words of walks in {seconds:.2f} s")
    documents = Documents(dataset)
    sentences = Owl2Vec.read(documents, found, settings, generator, print)
    print(
        f"{len(sentences.start) - 1:,} sentences of {len(sentences.tokens):,} words with axioms and labels", flush=True
    )
    return Text(graph, some_of(sentences, most, generator), documents.n_words)


def some_of(sentences: Sentences, most: int, generator: np.random.Generator) -> Sentences:
    """Sentences drawn at random, up to so many words."""
    order = generator.permutation(len(sentences.start) - 1)
    lengths = np.diff(sentences.start)[order]
    order = np.sort(order[np.cumsum(lengths) <= most])
    chosen = np.repeat(np.isin(np.arange(len(sentences.start) - 1), order), np.diff(sentences.start))
    ends = np.cumsum(np.diff(sentences.start)[order])
    return Sentences(sentences.tokens[chosen], np.concatenate([np.zeros(1, np.int64), ends]))


def ours(text: Text, reading: Reading) -> tuple[float, Floats]:
    started = time.process_time()
    vectors = skip_gram(text.sentences, text.words, reading, np.random.default_rng(0), lambda message: None)
    return time.process_time() - started, vectors.astype(np.float64)


def gensim(python: str, text: Text, reading: Reading) -> tuple[float, Floats]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sentences.npz"
        np.savez(path, tokens=text.sentences.tokens, start=text.sentences.start)
        numbers = [reading.dimension, reading.window, reading.negatives, reading.passes, reading.sample, 1]
        command = [python, str(GENSIM), str(path), *map(str, numbers)]
        environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=environment)
        seconds, _ = json.loads(done.stdout)
        vectors = np.zeros((text.words, reading.dimension))
        with np.load(path) as arrays:
            vectors[arrays["words"]] = arrays["vectors"]
    return float(seconds), vectors


def alike(graph: Projection, vectors: Floats) -> float:
    """How often a class is more like one above it than like another."""
    edges = graph.edges[graph.edges[:, 1] == graph.roles + SUBCLASS]
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit = vectors / np.where(lengths > 0, lengths, 1)
    others = np.random.default_rng(1).choice(edges[:, 2], len(edges))
    told, drawn = (np.einsum("ij,ij->i", unit[edges[:, 0]], unit[tails]) for tails in (edges[:, 2], others))
    return float((told > drawn).mean())


if __name__ == "__main__":
    main()
