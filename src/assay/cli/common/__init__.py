"""What several verbs share: options, exit codes, writing the results."""
