"""Skip-gram by gensim over sentences in a file, for `walks.py`; runs in an environment that has gensim."""

from __future__ import annotations

import json
import sys
import time
from itertools import pairwise

import numpy as np
from gensim.models import Word2Vec


def main() -> None:
    path, dimension, window, negatives, passes, sample, workers = sys.argv[1:]
    with np.load(path) as arrays:
        tokens, start = arrays["tokens"].astype(str), arrays["start"]
    sentences = [tokens[a:b].tolist() for a, b in pairwise(start)]
    model = Word2Vec(
        vector_size=int(dimension),
        window=int(window),
        negative=int(negatives),
        sample=float(sample),
        sg=1,
        min_count=1,
        workers=int(workers),
        seed=0,
    )
    model.build_vocab(sentences)
    processor, wall = time.process_time(), time.perf_counter()
    model.train(sentences, total_examples=len(sentences), epochs=int(passes))
    processor, wall = time.process_time() - processor, time.perf_counter() - wall
    words = np.array(model.wv.index_to_key, np.int64)
    np.savez(path, words=words, vectors=model.wv.vectors)
    print(json.dumps([processor, wall]))


if __name__ == "__main__":
    main()
