"""What the terminal shows, mostly one file for each verb."""
