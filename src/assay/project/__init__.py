"""`assay.toml`: what a project says of its suites, its builds and its store."""
