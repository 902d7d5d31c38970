"""Run by the Python of an environment with mOWL: epochs of its ball module the way its ELEmPPI does them.

usage: python _mowl_training.py TABLES.npz DIMENSION EPOCHS; prints the seconds of the quickest epoch.
"""

import sys
import time

import mowl
import numpy as np

mowl.init_jvm("8g")

import torch  # noqa: E402
from mowl.nn import ELEmModule  # noqa: E402

tables = np.load(sys.argv[1])
dimension, epochs = int(sys.argv[2]), int(sys.argv[3])
kinds = tables["kinds"]
module = ELEmModule(len(kinds), int(tables["roles"]), 0, embed_dim=dimension)
adam = torch.optim.Adam(module.parameters(), lr=0.01)
names = {"gci0": "subclass", "gci1": "conjunction", "gci2": "existential", "gci3": "left_existential"}
data = {name: torch.from_numpy(tables[form].astype(np.int64)) for name, form in names.items()}
proteins = np.flatnonzero(kinds == int(tables["protein"]))
seconds = []
for _ in range(epochs):
    started = time.perf_counter()
    loss = 0
    # mOWL takes each table whole, whatever batch size is asked for
    for name, rows in data.items():
        loss = loss + module(rows, name).mean()
        if name == "gci2":
            drawn = torch.from_numpy(np.random.choice(proteins, len(rows)))  # noqa: NPY002
            loss = loss + module(torch.cat([rows[:, :2], drawn[:, None]], dim=1), name, neg=True).mean()
    adam.zero_grad()
    loss.backward()
    adam.step()
    seconds.append(time.perf_counter() - started)
print(min(seconds))
