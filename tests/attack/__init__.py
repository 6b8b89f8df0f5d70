"""An attack on everything that reads: texts, argument lists, job files.  `python -m tests.attack --help`."""
