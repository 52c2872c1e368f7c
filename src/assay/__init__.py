"""Assay: did this get slower, by how much, how sure are we, and why?"""

__version__ = "0.1.0"
