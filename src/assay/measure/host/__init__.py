"""The machine that measures: facts about it, its load, and what disturbs measuring on it."""
