"""How fast Assay itself is, and what it costs the measurement. Run by `./dev bench`."""
