"""Why a program takes as long as it does: what tools that look inside it say."""
