"""The tests, room by room as in `src`; helpers are imported by their place in here."""
