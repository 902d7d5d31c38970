"""The files of a run's folder, each with the door through which it is read and checked.

Takes what a training has come to; gives files without code, and the same back, or one message that names file and
field. Begin at `record.py` (`run.toml`: the settings and what was trained on); `history.py` is a line for each epoch,
`checkpoint.py` where a training may go on, `state.py` what it says beside arrays, `parts.py` its pieces when several
processes wrote it, `tensors.py` the file of arrays that weights and checkpoints are.
"""
