"""Rows of tables, for the terminal and for pages."""
