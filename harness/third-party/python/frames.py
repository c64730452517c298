"""The suite's protocol (harness/protocol/README.md), frames of bytes, for clients of NVIDIA's tools. It
needs nothing but Python."""

import array
import sys
from pathlib import Path

CODES = {1: "B", 2: "H", 4: "I", 8: "Q"}


class Unable(Exception):
    """Why there is no result."""


def missing(what):
    """Ends the program with the remedy for something that is not installed."""
    name = Path(sys.argv[0]).stem.removesuffix("_client")
    print(f"there is no {what}: `cargo xtask setup {name}` gets it", file=sys.stderr)
    sys.exit(2)


def exactly(stream, count):
    """So many bytes; a stream that ends before ends the program."""
    data = stream.read(count)
    if len(data) != count:
        sys.exit("the suite stopped in the middle of a message")
    return data


def column(stream, width, rows):
    """A column of operands, as integers."""
    return array.array(CODES[width], exactly(stream, width * rows))


def computed(run, stream, variant, rows, operands, results):
    """Has a batch computed: the message that answers it."""
    columns = [column(stream, int(width), int(rows)) for width in operands.split(",")]
    try:
        columns = zip(*run(variant, list(zip(*columns))))
    except Unable as reason:
        return f"failed {reason}\n".encode()
    codes = [CODES[int(width)] for width in results.split(",")]
    parts = [array.array(code, values) for code, values in zip(codes, columns, strict=True)]
    return b"results\n" + b"".join(part.tobytes() for part in parts)


def serve(title, supports, run):
    """Answers until there are no more messages. `title` is a name and a version; `supports` raises
    Unable for a variant that cannot be had; `run` gives a tuple of results for each tuple of operands,
    or raises Unable."""
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    for line in iter(source.readline, b""):
        match line.decode().split():
            case ["ptx-conformance", "1"]:
                answer = f"ptx-conformance 1 {title}\n".encode()
            case ["supports", variant]:
                try:
                    supports(variant)
                    answer = b"yes\n"
                except Unable as reason:
                    answer = f"no {reason}\n".encode()
            case ["run", *words]:
                answer = computed(run, source, *words)
            case _:
                sys.exit(f"this message is not of version 1 of the protocol: {line!r}")
        sink.write(answer)
        sink.flush()
