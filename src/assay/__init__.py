"""Assay: did this get slower, by how much, how sure are we, and why?"""

__version__ = "1.0.0"
