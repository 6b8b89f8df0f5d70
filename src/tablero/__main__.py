"""The command line: `tablero`, and `python -m tablero`."""

import _signal as signal  # type: ignore[import-not-found]  # signal itself takes long enough to be interrupted

from tablero import interrupts


def main() -> None:
    # One that is started in the background may have been told to ignore Ctrl-C.
    heard = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if heard:
        signal.signal(signal.SIGINT, interrupts.end)
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:  # until the command line hears it, it ends as after Ctrl-C
        signal.signal(signal.SIGTERM, interrupts.end)
    from tablero import cli

    try:
        if heard:
            interrupts.listen()
        cli.main()
    except KeyboardInterrupt:  # just before a command, or just after it
        raise SystemExit(130) from None
    finally:
        if heard:
            signal.signal(signal.SIGINT, interrupts.end)
        signal.signal(signal.SIGTERM, interrupts.end)


if __name__ == "__main__":
    main()
