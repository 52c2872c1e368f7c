"""Conditions of `assay overhead`: set up, proven, put back."""
