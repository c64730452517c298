"""What is installed beside a client: files of packages, and what to do where they are not."""

import ctypes
import os
import sys
from pathlib import Path


def missing(what):
    """Ends the program with the remedy for something that is not installed."""
    name = Path(sys.argv[0]).stem.removesuffix("_client").removesuffix("_compiler")
    sys.exit(f"{what} is missing: run `cargo xtask setup {name}`")


def located(variable, packaged, what, right=os.R_OK):
    """The path of a file: what an environment variable names, or else the first of a package's."""
    named = os.environ.get(variable)
    if named and not (Path(named).is_file() and os.access(named, right)):
        kind = "program" if right == os.X_OK else "library"
        sys.exit(f"{variable} is set to {named}, which is not a {kind}")
    return named or next((str(path) for path in packaged if path.is_file()), None) or missing(what)


def library(variable, packaged, what):
    """A library, loaded."""
    path = located(variable, packaged, what)
    try:
        return ctypes.CDLL(path)
    except OSError as error:
        sys.exit(f"{path} cannot be loaded as a library: {error}")
