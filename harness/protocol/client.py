#!/usr/bin/env python3
"""A client of the suite: put your own arithmetic into FUNCTIONS, and run

    cargo xtask conformance --impl 'exec:python3 client.py'

It speaks both dialects of README.md: frames of bytes without an argument, lines with one.
"""

import struct
import sys
from fractions import Fraction

NAME, VERSION = "python-client", "1"


def decode(bits):
    """The value of an f16 that is finite, as a fraction."""
    exponent, trailing = bits >> 10 & 31, bits & 1023
    significand = trailing if exponent == 0 else 1024 + trailing
    value = Fraction(significand) * Fraction(2) ** (max(exponent, 1) - 25)
    return -value if bits >> 15 else value


def is_nan(bits):
    return bits & 0x7FFF > 0x7C00


def mul_f16(a, b):
    """mul.f16: the product, rounded once to nearest, ties to even; every NaN is the canonical one."""
    if is_nan(a) or is_nan(b):
        return 0x7FFF
    sign = (a ^ b) & 0x8000
    infinite, zero = [any(x & 0x7FFF == y for x in (a, b)) for y in (0x7C00, 0)]
    if infinite:
        return 0x7FFF if zero else sign | 0x7C00
    # A double holds the product of two f16 exactly, and struct rounds it as it should be.
    product = float(abs(decode(a) * decode(b)))
    try:
        return sign | struct.unpack("<H", struct.pack("<e", product))[0]
    except OverflowError:
        return sign | 0x7C00


def less_f32(a, b):
    """setp.lt.f32: whether a < b, which it is not if one of them is NaN, and the opposite of that."""
    x, y = struct.unpack("<ff", struct.pack("<II", a, b))
    return int(x < y), int(not x < y)


# Of each variant: what computes its result from the operands' bits, several results being a tuple, and
# the hexadecimal digits of each.
FUNCTIONS = {
    "mul.f16": (mul_f16, [4]),
    "mul.rn.f16": (mul_f16, [4]),
    "setp.lt.f32": (less_f32, [2, 2]),
}

FORMATS = {1: "B", 2: "H", 4: "I", 8: "Q"}


def column(width, rows):
    return struct.Struct(f"<{rows}{FORMATS[width]}")


def exactly(stream, count):
    """So many bytes; a stream that ends before ends the program."""
    data = stream.read(count)
    if len(data) != count:
        sys.exit("the suite stopped in the middle of a message")
    return data


def compute(variant, operands):
    """The results of one vector, as a tuple."""
    function, digits = FUNCTIONS[variant]
    return function(*operands) if len(digits) > 1 else (function(*operands),)


def frames():
    """Answers frames of bytes until there are no more."""
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    for line in iter(source.readline, b""):
        match line.decode().split():
            case ["ptx-conformance", "1"]:
                sink.write(f"ptx-conformance 1 {NAME} {VERSION}\n".encode())
            case ["supports", variant]:
                has = variant in FUNCTIONS
                sink.write(b"yes\n" if has else b"no it is not among this client's functions\n")
            case ["run", variant, rows, operands, results]:
                operands = [column(int(width), int(rows)) for width in operands.split(",")]
                results = [column(int(width), int(rows)) for width in results.split(",")]
                columns = [each.unpack(exactly(source, each.size)) for each in operands]
                computed = [compute(variant, row) for row in zip(*columns)]
                sink.write(b"results\n")
                for each, values in zip(results, zip(*computed)):
                    sink.write(each.pack(*values))
            case _:
                sys.exit(f"this message is not of version 1 of the protocol: {line!r}")
        sink.flush()


def lines(variant):
    """Answers lines of digits."""
    _, digits = FUNCTIONS[variant]
    for line in sys.stdin:
        results = compute(variant, [int(word, 16) for word in line.split()])
        print(*(f"{bits:0{width}x}" for bits, width in zip(results, digits)))


if __name__ == "__main__":
    match sys.argv[1:]:
        case []:
            frames()
        case ["variants"]:
            print(*FUNCTIONS, sep="\n")
        case [variant]:
            lines(variant)
