"""The suite's protocol (harness/protocol/README.md), frames of bytes, for the clients of this folder. It
needs nothing but Python. (harness/protocol/client.py is the client to copy.)"""

import array
import sys

CODES = {1: "B", 2: "H", 4: "I", 8: "Q"}


class Unable(Exception):
    """Why there is no result."""


def exactly(stream, count):
    """So many bytes; a stream that ends before ends the program."""
    data = stream.read(count)
    if len(data) != count:
        sys.exit("the suite stopped in the middle of a message")
    return data


def answer(batch, source, variant, rows, operands, results):
    """Has a batch computed: the message that answers it."""
    widths = ([int(width) for width in each.split(",")] for each in (operands, results))
    try:
        return batch(source, variant, int(rows), *widths)
    except Unable as reason:
        return f"failed {reason}\n".encode()


def serve(title, supports, batch):
    """Answers until there are no more messages. `title` is a name and a version. `supports` raises Unable
    for a variant that cannot be had. `batch` is given the stream, a variant, the number of rows, and the
    widths of operands and results; it reads the columns, and gives the message that answers them, or
    raises Unable."""
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    for line in iter(source.readline, b""):
        match line.decode().split():
            case ["ptx-conformance", "1"]:
                message = f"ptx-conformance 1 {title}\n".encode()
            case ["supports", variant]:
                try:
                    supports(variant)
                    message = b"yes\n"
                except Unable as reason:
                    message = f"no {reason}\n".encode()
            case ["run", *words]:
                message = answer(batch, source, *words)
            case _:
                sys.exit(f"this message is not of version 1 of the protocol: {line!r}")
        sink.write(message)
        sink.flush()


def by_rows(run):
    """A `batch` of integers: `run` is given a variant and a tuple of operands for each row, and gives a
    tuple of results for each, or None where there is none."""

    def batch(source, variant, count, operands, results):
        columns = [array.array(CODES[width], exactly(source, width * count)) for width in operands]
        rows = run(variant, list(zip(*columns)))
        without = array.array(CODES[4], (at for at, row in enumerate(rows) if row is None))
        # What stands in the place of a result that there is not is not read.
        columns = zip(*((0,) * len(results) if row is None else row for row in rows))
        parts = [array.array(CODES[width], each) for width, each in zip(results, columns, strict=True)]
        line = f"results but {len(without)}\n" if without else "results\n"
        return line.encode() + b"".join(part.tobytes() for part in [without, *parts])

    return batch
