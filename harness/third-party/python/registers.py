"""Registers, and the lanes in them. Lanes are a two-dimensional array: a row for each vector, and in it
lane 0 first."""

import re

from protocol import numpy

# The formats that have fewer bits than a register; each lane has the register to itself or its part.
BITS = {"e2m1": 4, "e2m3": 6, "e3m2": 6, "f16": 16, "bf16": 16, "tf32": 19, "f32": 32, "f64": 64}


def bits(name):
    """Width of a format; all that are not listed have 8."""
    return BITS.get(name, 8)


def split(name):
    """The format and the number of lanes of a type: e2m1 and 2 of `e2m1x2`."""
    name, lanes = re.fullmatch(r"(\w+?)(?:x([24]))?", name).groups()
    return name, int(lanes or 1)


def lanes_of(column, name):
    """The lanes of a column of registers of a type."""
    name, lanes = split(name)
    if bits(name) == 4 and lanes == 2:
        return numpy.stack([column & 15, column >> 4], axis=1)
    if name == "tf32":
        column = column >> numpy.uint32(13)
    return column.view(f"<u{column.dtype.itemsize // lanes}").reshape(-1, lanes)


def column_of(lanes, name):
    """The column of registers of a type that has these lanes: their bits, in any type of integers."""
    name, count = split(name)
    if bits(name) == 4 and count == 2:
        return (lanes[:, 0] | lanes[:, 1] << 4).astype(numpy.uint8)
    if name == "tf32":
        return lanes[:, 0].astype(numpy.uint32) << numpy.uint32(13)
    width = -(-bits(name) // 8)
    return numpy.ascontiguousarray(lanes.astype(f"<u{width}")).view(f"<u{width * count}")[:, 0]


def inputs(columns, name, lanes):
    """The lanes that a conversion converts. Where it packs numbers of registers of their own, the first
    goes to the upper lane."""
    if len(columns) == lanes and lanes > 1:
        return numpy.stack(columns[::-1], axis=1)
    return lanes_of(columns[0], name)
