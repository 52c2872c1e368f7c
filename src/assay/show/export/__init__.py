"""Results for programs and for pull requests."""
