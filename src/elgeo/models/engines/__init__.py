"""Training steps: whatever geometry there is.

Takes a model and batches; moves its parameters. `torch_engine.py` trains any model by autograd; `pieces.py`,
`lists.py` and `moments.py` are what the fused engines on a CPU are made of.
"""
