"""The program: ``conformance`` and ``python -m ptx_conformance``."""

import os
import signal
import sys

from . import _native


def main() -> int:
    """Carries out the command line, and returns the exit code."""
    # The program has handlers of its own.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    script = os.path.abspath(sys.argv[0])
    # `python -m` leaves no file that starts the program.
    supervisor = script if os.access(script, os.X_OK) else None
    return _native.main(sys.argv[1:], supervisor)


if __name__ == "__main__":
    sys.exit(main())
