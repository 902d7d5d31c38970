"""Training in several processes, on one machine or on many, started by torchrun.

Takes what a training in one process takes, and the other processes; gives the same run. Begin at `sharded.py`: the
rows of the class tables and Adam's moments lie in turn with the processes, each takes its share of every batch, fetches
the rows in it and gives their gradients back (`rows.py`). `processes.py` is how processes speak with each other;
`diary.py` writes checkpoints in parts and the finished run as one process does.
"""
