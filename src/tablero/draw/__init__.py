"""Pictures that know no puzzle: scenes, SVG, the terminal."""
