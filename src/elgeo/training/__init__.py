"""The loop, schedules, checkpoints.

Takes a `Dataset` and settings; gives a `Run`. Begin at `loop.py`: a `Trainer` takes the steps of models with losses,
`workshop.py` is where their parameters lie, `fitting.py` makes models that are made at once, `diary.py` writes while it
goes. `record.py`, `history.py`, `checkpoint.py` (with `parts.py` and `tensors.py`) and `state.py` are the documents of
a run, each with its door; `resume.py` says what a run may be given when it goes on.
"""
