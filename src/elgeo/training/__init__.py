"""The loop, schedules, and what a run keeps.

Takes a `Dataset` and settings; gives a `Run`. Begin at `loop.py`: a `Trainer` takes the steps of models with losses,
`workshop.py` is where their parameters lie, `fitting.py` makes models that are made at once, `diary.py` writes while it
goes. The files of a run are in `folder/`, training in several processes in `distributed/`; `resume.py` says what a run
may be given when it goes on.
"""
