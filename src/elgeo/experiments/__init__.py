"""Presets, the paper's tables, sweeps."""
