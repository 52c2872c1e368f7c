"""The machine measured on: its facts, its load, what is wrong with it."""
