"""Which function's own change explains a difference in work."""
