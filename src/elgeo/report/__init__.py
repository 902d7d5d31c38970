"""Tables, plots, pages for people."""
