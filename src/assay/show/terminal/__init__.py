"""What the terminal shows: one file per verb."""
