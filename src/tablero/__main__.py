"""The command line: `tablero`, and `python -m tablero`."""

from tablero import interrupts


def main() -> None:
    interrupts.install()
    from tablero import cli

    cli.main()


if __name__ == "__main__":
    main()
