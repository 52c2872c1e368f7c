"""What several verbs need to carry out their plan."""
