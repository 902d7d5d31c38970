"""Ranks, metrics, curves, semantic measures, faithfulness."""
