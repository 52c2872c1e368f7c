"""Local pages over the store of runs: `assay serve`."""
