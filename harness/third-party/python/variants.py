"""What the name of a variant says of its operands, and samples of those.

Only the shapes are known here of which a compiler of NVIDIA's folds something: scalars, pairs of f16,
bf16 and f32, and no arithmetic of mixed types.
"""

import random

# Bits of registers.
BITS = {f"{kind}{bits}": bits for kind in "bsu" for bits in (8, 16, 32, 64)}
BITS |= {"f16": 16, "bf16": 16, "tf32": 32, "f32": 32, "f64": 64}
BITS |= {"f16x2": 32, "bf16x2": 32, "f32x2": 64, "pred": 1}
# Of formats: bits of the exponent, and trailing bits of the significand.
FORMATS = {"f16": (5, 10), "bf16": (8, 7), "f32": (8, 23), "f64": (11, 52)}

OPERANDS = dict.fromkeys("abs neg testp rcp sqrt rsqrt sin cos lg2 ex2 tanh".split(), 1)
OPERANDS |= dict.fromkeys("add sub mul div min max copysign".split(), 2) | {"fma": 3, "mad": 3}
BOOLEAN = {"and", "or", "xor"}


def words(variant):
    """The parts of a variant's PTX text."""
    return variant.partition("(")[0].split(".")


def types(variant):
    """The types of a variant's operands and results; None where they are not known."""
    name, *rest = words(variant)
    last = rest[-1]
    predicate = ["pred"] if BOOLEAN & set(rest) else []
    if name == "cvt":
        operands, results = [last], [rest[-2]]
        if last == "f32" and rest[-2].endswith("x2"):
            operands = None if "rs" in rest else [last, last]
    elif name == "set":
        operands, results = [last, last, *predicate], [rest[-2]]
    elif name == "setp":
        one = last in ("f16", "bf16") or variant.endswith("(p)")
        results = ["pred"] if one else ["pred", "pred"]
        operands = [last, last, *predicate]
    elif name == "slct":
        operands, results = [rest[-2], rest[-2], last], [rest[-2]]
    elif len(rest) > 1 and rest[-2] in BITS:
        return None
    else:
        count = 3 if variant.endswith("(a,b,c)") else OPERANDS.get(name)
        operands, results = count and [last] * count, ["pred" if name == "testp" else last]
    if not operands or not BITS.keys() >= {*operands, *results}:
        return None
    return operands, results


def lanes(kind, lane):
    """The bits of a register of a type, each lane of which has some bits."""
    name, _, count = kind.partition("x")
    return sum(lane(*FORMATS[name]) << place * BITS[name] for place in range(int(count or 1)))


def ordinary(kind, source):
    """An operand near one, or any integer."""

    def near_one(exponent, trailing):
        sign = source.getrandbits(1) << exponent + trailing
        biased = (1 << exponent - 1) - 1 + source.randrange(-2, 4)
        return sign | biased << trailing | source.getrandbits(trailing)

    if kind.partition("x")[0] in FORMATS:
        return lanes(kind, near_one)
    return source.getrandbits(BITS[kind])


def special(kind):
    """Operands that a compiler may leave to the hardware."""
    if kind.partition("x")[0] not in FORMATS:
        every = (1 << BITS[kind]) - 1
        return [0, 1, every, every >> 1, every ^ every >> 1]

    def values(exponent, trailing):
        sign, one = 1 << exponent + trailing, (1 << exponent - 1) - 1 << trailing
        infinity, quiet = (1 << exponent) - 1 << trailing, 1 << trailing - 1
        zeros = [0, sign]
        finite = [1, sign | quiet, one, sign | one, one | quiet, infinity - 1, sign | infinity - 1]
        return zeros + finite + [infinity, sign | infinity, infinity | quiet | 1, sign | infinity | 1]

    count = len(values(*FORMATS["f32"]))
    return [lanes(kind, lambda *format: values(*format)[place]) for place in range(count)]


def samples(kinds):
    """Rows of operands of all sorts."""
    return easy(kinds) + hard(kinds)


def enough(done):
    """Whether at least half of such rows have results: less takes as long to test, and says little."""
    return 2 * done.count(None) <= len(done)


def easy(kinds):
    """A few rows of ordinary operands."""
    source = random.Random(0)
    return [tuple(ordinary(kind, source) for kind in kinds) for _ in range(8)]


def hard(kinds):
    """Rows of special operands: all pairs, and some that are special in one place."""
    source, rows = random.Random(1), []
    choices = [special(kind) for kind in kinds]
    for first in choices[0]:
        for second in choices[1] if len(kinds) > 1 else [0]:
            rest = [source.choice(choice) for choice in choices[2:]]
            rows.append((first, second, *rest)[: len(kinds)])
    for place, choice in enumerate(choices):
        for value in choice:
            row = [ordinary(kind, source) for kind in kinds]
            row[place] = value
            rows.append(tuple(row))
    return rows
