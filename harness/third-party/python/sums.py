"""Matrix instructions: what the name of a variant says of one dot product, and the elements in its columns.
The columns are those of docs/what/matrices.md."""

import re
from dataclasses import dataclass

import numpy

# What a format's name looks like, and neither a kind's nor that of a block, a layout or a rounding.
FORMAT = re.compile(r"(b|t|)f\d+|u?e\dm\d")
# Elements of fewer than eight bits, each in a byte: how many bits it has, and how many are below it.
NARROW = {"e2m3": (6, 0), "e3m2": (6, 0), "e2m1": (4, 2)}
# Of these kinds two elements share a byte.
PACKED = {"mxf4", "mxf4nvf4"}
# Elements that a block of scales is for, by what the instruction says, and where it says nothing.
BLOCKS = {"1X": 1, "2X": 2, "4X": 4}
UNSAID = {"mxf8f6f4": 32, "mxf4": 32}


@dataclass(frozen=True)
class Sum:
    """A dense dot product d = sum of a[k] * b[k], and c: formats, the number of products, and what else
    there is. `shape` is as PTX writes it, `m16n8k16`; it is empty where only a descriptor has it."""

    family: str
    shape: str
    d: str
    a: str
    b: str
    c: str
    k: int
    words: tuple
    kind: str | None = None
    scale: str | None = None
    block: int | None = None

    @property
    def controls(self):
        """Whether there is a column that says what is added and what is negated."""
        return self.family in ("wgmma", "tcgen05")


def parsed(variant):
    """The sum of a variant, None for a variant that is no dense matrix instruction."""
    text, _, descriptor = variant.partition("(")
    words = tuple(text.split("."))
    family = words[0]
    if family not in ("mma", "wmma", "wgmma", "tcgen05") or any(word.startswith("sp") for word in words):
        return None
    shape = next((word for word in words if re.fullmatch(r"m\d+n\d+k\d+", word)), "")
    scaled = "block_scale" in words
    if family == "tcgen05":
        _, types, size = descriptor.rstrip(")").split(",")
        types, k = types.split("."), int(size[1:])
        types[3:3] = types[:1]
    else:
        behind = words.index(shape) + 1
        types, k = [word for word in words[behind:] if FORMAT.fullmatch(word)], int(shape.split("k")[1])
        if family == "wgmma":
            types.append(types[0])
        elif len(types) == 2:
            # wmma of f16 names D and C alone.
            types[1:1] = ["f16", "f16"]
    kind = next((word.removeprefix("kind::") for word in words if word.startswith("kind::")), None)
    scale = types[4] if scaled else None
    block = block_of(words, kind, k) if scaled else None
    return Sum(family, shape, *types[:4], k, words, kind, scale, block)


def block_of(words, kind, k):
    """How many elements have a scale together."""
    for word in words:
        if word.startswith("scale_vec::"):
            return k // BLOCKS[word.removeprefix("scale_vec::")]
        if re.fullmatch(r"block\d+", word):
            return int(word.removeprefix("block"))
    return UNSAID[kind]


def rows_of(column, dtype):
    """The elements of a column in two dimensions, a row for each vector, as numbers of a type."""
    rows = len(column)
    flat = numpy.ascontiguousarray(column).view("u1").reshape(rows, -1)
    return flat.view(dtype)


def bare(column, name):
    """The elements of a column of a format of less than eight bits, each in the low bits of a byte."""
    bits, below = NARROW[name]
    return rows_of(column, "u1") >> numpy.uint8(below) & numpy.uint8((1 << bits) - 1)
