"""Pictures independent of any puzzle: scenes, SVG, PDF, the terminal, and HTML players."""
