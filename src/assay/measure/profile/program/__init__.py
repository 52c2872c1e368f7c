"""What executables hold: functions, their code, names and lines."""
