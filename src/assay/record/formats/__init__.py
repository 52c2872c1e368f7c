"""Foreign file formats: one module for each, listed in `table`; all of them give a `Record`."""
