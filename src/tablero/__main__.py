"""The command line: `tablero`, and `python -m tablero`."""

import _signal as signal  # type: ignore[import-not-found]  # signal itself takes long enough to be interrupted


def main() -> None:
    # Until there is somebody to hear it, Ctrl-C just ends the process: no traceback out of the midst of imports.
    heard = signal.getsignal(signal.SIGINT)
    if heard is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from tablero import cli

    signal.signal(signal.SIGINT, heard)
    cli.main()


if __name__ == "__main__":
    main()
