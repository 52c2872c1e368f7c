"""Indexes behind plug-ins."""
