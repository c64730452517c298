"""The suite's protocol for libraries of arrays: frames of bytes, whose columns become numpy arrays.

A client finds, for a variant, a function from the columns of operands to the column of results, all of
them arrays of unsigned integers, and calls `serve`. (harness/protocol/client.py is the client to copy:
it needs nothing but Python.)
"""

import functools
import importlib
import importlib.metadata
import sys
from pathlib import Path


def load(name):
    """Imports a package, or ends with the remedy."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        client = Path(sys.argv[0]).stem.removesuffix("_client")
        sys.exit(f"{error.name} is missing: cargo xtask setup {client}")


numpy = load("numpy")


def title(package):
    """What the report is to call a package that computes, which numpy has a part in."""
    versions = [importlib.metadata.version(name) for name in (package, "numpy")]
    return f"{package} {versions[0]} with numpy {versions[1]}"


def exactly(stream, count):
    """So many bytes; a stream that ends before ends the program."""
    data = stream.read(count)
    if len(data) != count:
        sys.exit("the suite stopped in the middle of a message")
    return data


def answer(find, source, words):
    """Computes a batch: the message that answers it."""
    variant, rows = words[0], int(words[1])
    operands, results = ([int(width) for width in words[at].split(",")] for at in (2, 3))
    columns = [
        numpy.frombuffer(exactly(source, rows * width), dtype=f"<u{width}") for width in operands
    ]
    try:
        column = find(variant)(*columns)
    except Exception as error:  # whatever the library raises is its answer
        return f"failed {type(error).__name__}: {' '.join(str(error).split())}\n".encode()
    assert [column.dtype.itemsize] == results and column.shape == (rows,), f"{variant}: {column.dtype}"
    return b"results\n" + column.tobytes()


def serve(package, find):
    """Answers until there are no more messages. `find` gives None for what the package lacks."""
    find = functools.cache(find)
    # Overflow and the like are what is asked about; nobody reads warnings.
    numpy.seterr(all="ignore")
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    for line in iter(source.readline, b""):
        word, *rest = line.decode().split()
        if word == "ptx-conformance":
            message = f"ptx-conformance 1 {title(package)}\n".encode()
        elif word == "supports":
            missing = f"no {package} has no function for it\n".encode()
            message = missing if find(rest[0]) is None else b"yes\n"
        elif word == "run":
            message = answer(find, source, rest)
        else:
            sys.exit(f"this message is not of version 1 of the protocol: {line!r}")
        sink.write(message)
        sink.flush()
