"""`python -m tablero` is the command line."""

from tablero.cli import main

if __name__ == "__main__":  # processes that commands start import this module as well
    main()
