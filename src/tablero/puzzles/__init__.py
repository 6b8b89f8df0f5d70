"""One room a family of puzzles."""
