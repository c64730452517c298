#!/usr/bin/env python3
"""A client of the suite for matrix instructions, in exact fractions: put your own arithmetic into `dot`, and run

    cargo xtask conformance --impl 'exec:python3 dots.py' --only 'mma*'

A row is one dot product (docs/what/matrices.md): a column of K elements of A, one of B, and the addend. It has the
dense `mma` without scales, and each sum is rounded once, to nearest, ties to even.
"""

import struct
import sys
from fractions import Fraction

NAME, VERSION = "python-dots", "1"

# Of each format: bits of the exponent field and of the trailing significand, what an exponent of ones means
# (IEEE's infinity and NaN, NaN where all is ones, numbers), bytes of an element, and bits below it in those.
FORMATS = {
    "f16": (5, 10, "ieee", 2, 0),
    "bf16": (8, 7, "ieee", 2, 0),
    "tf32": (8, 10, "ieee", 4, 13),
    "f32": (8, 23, "ieee", 4, 0),
    "e5m2": (5, 2, "ieee", 1, 0),
    "e4m3": (4, 3, "ones", 1, 0),
    "e3m2": (3, 2, "none", 1, 0),
    "e2m3": (2, 3, "none", 1, 0),
    "e2m1": (2, 1, "none", 1, 2),
}


def decode(name, bits):
    """The value of a datum as a fraction, "nan", or "inf" or "-inf"."""
    exponent_bits, trailing_bits, specials, _, below = FORMATS[name]
    bits = bits >> below & (1 << 1 + exponent_bits + trailing_bits) - 1
    ones = (1 << exponent_bits) - 1
    negative = bits >> exponent_bits + trailing_bits
    exponent, trailing = bits >> trailing_bits & ones, bits & (1 << trailing_bits) - 1
    if specials == "ieee" and exponent == ones:
        return "nan" if trailing else "-inf" if negative else "inf"
    if specials == "ones" and exponent == ones and trailing == (1 << trailing_bits) - 1:
        return "nan"
    significand = trailing + (1 << trailing_bits if exponent else 0)
    unit = max(exponent, 1) - (ones >> 1) - trailing_bits
    value = Fraction(significand) * Fraction(2) ** unit
    return -value if negative else value


def encode(name, value):
    """The nearest datum, of two the even one; beyond the largest number infinity."""
    exponent_bits, trailing_bits, _, _, _ = FORMATS[name]
    lowest = 2 - (1 << exponent_bits - 1)
    sign, value = int(value < 0) << exponent_bits + trailing_bits, abs(value)
    exponent = lowest
    while value >= Fraction(2) ** (exponent + 1):
        exponent += 1
    # The carry of a rounding goes on into the exponent.
    units = round(value / Fraction(2) ** (exponent - trailing_bits))
    bits = (exponent - lowest << trailing_bits) + units
    return sign | min(bits, (1 << exponent_bits) - 1 << trailing_bits)


def dot(formats, a, b, c):
    """d = sum of a[k] * b[k], and c: lists of bits, and bits."""
    d_name, a_name, b_name, c_name = formats
    exponent_bits, trailing_bits, _, _, _ = FORMATS[d_name]
    nan = (1 << exponent_bits + trailing_bits) - 1
    infinity = nan >> trailing_bits << trailing_bits
    total, infinite = Fraction(0), set()
    terms = [(decode(a_name, x), decode(b_name, y)) for x, y in zip(a, b)]
    for x, y in terms + [(decode(c_name, c), Fraction(1))]:
        if "nan" in (x, y):
            return nan
        if isinstance(x, str) or isinstance(y, str):
            if 0 in (x, y):
                return nan
            negative = [v == "-inf" if isinstance(v, str) else v < 0 for v in (x, y)]
            infinite.add(negative[0] != negative[1])
        else:
            total += x * y
    if infinite:
        return nan if len(infinite) > 1 else infinity | int(infinite.pop()) << exponent_bits + trailing_bits
    return encode(d_name, total)


def formats_of(variant):
    """The formats of D, A, B and C; nothing of what this client does not have."""
    words = variant.split(".")
    dense = words[0] == "mma" and words[1] == "sync" and "block_scale" not in words
    formats = words[-4:]
    return formats if dense and all(name in FORMATS for name in formats) else None


def elements(row, width):
    """The elements of a row, the first in its first bytes."""
    return struct.unpack(f"<{len(row) // width}{' BH I'[width]}", row)


def exactly(stream, count):
    """So many bytes; a stream that ends before ends the program."""
    data = stream.read(count)
    if len(data) != count:
        sys.exit("the suite stopped in the middle of a message")
    return data


def main():
    """Answers frames of bytes until there are no more."""
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    for line in iter(source.readline, b""):
        match line.decode().split():
            case ["ptx-conformance", "1"]:
                sink.write(f"ptx-conformance 1 {NAME} {VERSION}\n".encode())
            case ["supports", variant]:
                sink.write(b"yes\n" if formats_of(variant) else b"no it is not among this client's forms\n")
            case ["run", variant, rows, operands, _]:
                rows, widths = int(rows), [int(width) for width in operands.split(",")]
                formats = formats_of(variant)
                columns = [exactly(source, rows * width) for width in widths]
                sink.write(b"results\n")
                for row in range(rows):
                    a, b, c = [
                        elements(column[row * width : (row + 1) * width], FORMATS[name][3])
                        for column, width, name in zip(columns, widths, formats[1:])
                    ]
                    sink.write(dot(formats, a, b, c[0]).to_bytes(FORMATS[formats[0]][3], "little"))
            case _:
                sys.exit(f"this message is not of version 1 of the protocol: {line!r}")
        sink.flush()


if __name__ == "__main__":
    main()
