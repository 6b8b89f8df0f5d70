"""The command line: `tablero`, and `python -m tablero`."""

import _signal as signal  # type: ignore[import-not-found]  # signal itself takes long enough to be interrupted
from os import _exit


def main() -> None:
    # Where nobody is there to hear it, Ctrl-C just ends the process: no traceback out of the midst of imports.
    heard = signal.getsignal(signal.SIGINT)
    alone = (lambda *_: _exit(130)) if heard is signal.default_int_handler else heard
    signal.signal(signal.SIGINT, alone)
    from tablero import cli

    try:
        signal.signal(signal.SIGINT, heard)
        cli.main()
    except KeyboardInterrupt:  # just before a command, or just after it
        raise SystemExit(130) from None
    finally:
        signal.signal(signal.SIGINT, alone)


if __name__ == "__main__":
    main()
