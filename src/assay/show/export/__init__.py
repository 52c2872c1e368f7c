"""Results for programs and pull requests."""
