"""An emulator of PTX in Python's standard library, written from emulators.md alone: copy it, and put your
arithmetic in the place of its own, which is `add`, `sub`, `mul` and `fma` of f32 and f64 in fractions.

    cargo xtask conformance --impl 'ptx,vectors=500:python3 harness/protocol/emulator.py' --only '*.f32'
"""

import re
import sys
from fractions import Fraction

FORMATS = {"f32": (24, 8), "f64": (53, 11)}  # bits of precision and of the exponent
BLOCK = 256


def decode(bits, form):
    """A number as its sign and its magnitude: a fraction, or infinity, or None for NaN."""
    precision, width = FORMATS[form]
    sign, exponent = bits >> (precision - 1 + width), bits >> (precision - 1) & (1 << width) - 1
    fraction = bits & (1 << (precision - 1)) - 1
    if exponent == (1 << width) - 1:
        return sign, None if fraction else float("inf")
    significand = fraction + (1 << (precision - 1) if exponent else 0)
    return sign, significand * Fraction(2) ** (max(exponent, 1) - (1 << (width - 1)) - precision + 2)


def encode(sign, magnitude, form, mods):
    """The bits of the number that a sign and an exact magnitude are rounded to."""
    precision, width = FORMATS[form]
    infinity, least = (1 << width) - 1 << (precision - 1), 2 - (1 << (width - 1))
    if magnitude is None:
        return 0 if "sat" in mods else infinity * 2 + (1 << precision) - 1 >> 1
    away = "rp" in mods and not sign or "rm" in mods and sign
    if magnitude in (0, float("inf")):
        bits = infinity if magnitude else 0
    else:
        exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
        exponent = max(exponent - (magnitude < Fraction(2) ** exponent), least)
        scaled = magnitude / Fraction(2) ** (exponent - precision + 1)
        units, rest = int(scaled), scaled - int(scaled)
        directed = {"rz", "rm", "rp"} & mods
        up = rest > 0 and away if directed else rest > Fraction(1, 2) or rest == Fraction(1, 2) and units & 1
        bits = (exponent - least << (precision - 1)) + units + up
        if bits >= infinity:
            bits = infinity - bool(directed and not away)
    if "ftz" in mods and bits < 1 << (precision - 1):
        bits = 0
    if "sat" in mods:
        one = (1 << (width - 1)) - 1 << (precision - 1)
        return 0 if sign else min(bits, one)
    return sign << (precision - 1 + width) | bits


def fused(a, b, c, form, mods):
    """a · b + c, rounded once."""
    numbers = [decode(each, form) for each in (a, b, c)]
    if "ftz" in mods:
        numbers = [(s, m * 0 if m and m < Fraction(2) ** -126 else m) for s, m in numbers]
    (a, x), (b, y), (c, z) = numbers
    infinite = float("inf") in (x, y)
    if None in (x, y, z) or infinite and 0 in (x, y):
        return encode(0, None, form, mods)
    sign, product = a ^ b, float("inf") if infinite else x * y
    if float("inf") in (product, z):
        invalid = product == z and sign != c
        return encode(c if z == float("inf") else sign, None if invalid else float("inf"), form, mods)
    total = (-product if sign else product) + (-z if c else z)
    if total == 0:
        return encode(sign if sign == c else int("rm" in mods), total, form, mods)
    return encode(int(total < 0), abs(total), form, mods)


def tested(words):
    """The function of an instruction under test."""
    name, form, mods = words[0], words[-1], set(words[1:-1])
    if form not in FORMATS or mods - {"rn", "rz", "rm", "rp", "ftz", "sat"}:
        return None
    one, negative = (0x3F800000, 1 << 31) if form == "f32" else (0x3FF << 52, 1 << 63)
    negative_zero = lambda a, b: decode(a, form)[0] ^ decode(b, form)[0] and negative
    return {
        "add": lambda a, b: fused(a, one, b, form, mods),
        "sub": lambda a, b: fused(b, one ^ negative, a, form, mods),
        "mul": lambda a, b: fused(a, b, negative_zero(a, b), form, mods),
        "fma": lambda a, b, c: fused(a, b, c, form, mods),
    }.get(name)


ROUTINE = {
    "mov": lambda a: a, "cvta": lambda a: a, "mad": lambda a, b, c: a * b + c, "add": lambda a, b: a + b,
    "mul": lambda a, b: a * b, "setp": lambda a, b: a >= b,
}


def load(text):
    """The steps of a kernel: guard, kind, function, operands; and its parameters."""
    parameters = re.findall(r"\.param \.\w+ (\w+)", text)
    steps, labels = [], {}
    for line in text[text.index("{") + 1 : text.rindex("}")].splitlines():
        line = line.split("//")[0].strip().rstrip(";")
        if line.endswith(":"):
            labels[line[:-1]] = len(steps)
        elif line and not line.startswith(".reg"):
            guard, line = line[1:].split(" ", 1) if line.startswith("@") else (None, line)
            opcode, _, operands = line.partition(" ")
            words, names = opcode.split("."), [each.strip(" []") for each in operands.split(",") if each]
            kind = words[0] + ("." + words[1] if words[0] in ("ld", "st") else "")
            plain = opcode in ("mov.u32", "cvta.to.global.u64", "mad.lo.s32", "mul.wide.u32", "add.s64", "setp.ge.u32")
            function = ROUTINE[words[0]] if plain else tested(words)
            if not function and kind not in ("ld.param", "ld.global", "st.global", "bra", "ret"):
                raise ValueError(f"{opcode} is not known")
            steps.append((guard, kind, function, names, int(words[-1][1:]) // 8 if kind[:3] in ("ld.", "st.") else 0))
    return parameters, steps, labels


def thread(kernel, row, values, columns):
    """Executes a kernel in the thread of a row. An address is 2^32 times a column's place and an offset."""
    parameters, steps, labels = kernel
    registers = {"%ctaid.x": row // BLOCK, "%ntid.x": BLOCK, "%tid.x": row % BLOCK}
    at = 0
    while steps[at][1] != "ret":
        guard, kind, function, names, width = steps[at]
        at += 1
        if guard and not registers[guard]:
            continue
        if kind == "bra":
            at = labels[names[0]]
        elif kind == "ld.param":
            registers[names[0]] = values[parameters.index(names[1])]
        elif kind == "ld.global":
            column, offset = divmod(registers[names[1]], 1 << 32)
            registers[names[0]] = int.from_bytes(columns[column][offset : offset + width], "little")
        elif kind == "st.global":
            column, offset = divmod(registers[names[0]], 1 << 32)
            columns[column][offset : offset + width] = registers[names[1]].to_bytes(width, "little")
        else:
            sources = [registers[name] if name.startswith("%") else int(name) for name in names[1:]]
            registers[names[0]] = function(*sources)


def main():
    read, write, kernel = sys.stdin.buffer, sys.stdout.buffer, None
    while line := read.readline().decode():
        words, data = line.split(), b""
        if words == ["ptx-emulator", "1"]:
            answer = "ptx-emulator 1 example.py 1"
        elif words[0] == "load":
            text = read.read(int(words[2])).decode()
            try:
                kernel, answer = load(text), "loaded"
            except ValueError as error:
                answer = f"no {error}"
        elif words[0] == "run":
            rows, widths = int(words[1]), [int(width) for width in words[2].split(",")]
            columns = [bytearray(read.read(rows * width)) for width in widths]
            values = [place << 32 for place in range(len(columns))] + [rows]
            for row in range(rows):
                thread(kernel, row, values, columns)
            answer, data = "results", b"".join(columns[: int(words[3])])
        else:
            sys.exit(f"{line.strip()} is not of the protocol")
        write.write(answer.encode() + b"\n" + data)
        write.flush()


if __name__ == "__main__":
    main()
