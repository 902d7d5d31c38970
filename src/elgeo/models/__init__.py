"""Geometry, the models made of it, the baselines."""
