"""Training steps: whatever geometry there is.

Takes a model and batches; moves its parameters. Begin at `torch_engine.py`, which trains any model by autograd
with the steps of `adam.py`; `pieces.py`, `lists.py`, `term_lists.py` and `moments.py` are what the fused engines on a
CPU are made of.
"""
