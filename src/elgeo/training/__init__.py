"""The loop, schedules, checkpoints."""
