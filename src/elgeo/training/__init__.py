"""The loop, schedules, checkpoints.

Takes a `Dataset` and settings; gives a `Run`. Begin at `loop.py`: a `Trainer` takes the steps of models with losses,
`fitting.py` makes models that are made at once, `diary.py` writes while it goes. `record.py`, `history.py`,
`checkpoint.py` and `state.py` are the documents of a run, each with its door; `resume.py` says what a run may be
given when it goes on.
"""
