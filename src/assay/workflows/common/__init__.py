"""Parts of workflows that several verbs use."""
