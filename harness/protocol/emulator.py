"""An interpreter of PTX for the kernels of emulators.md, in Python's standard library: copy it, and put your
own arithmetic in the place of fma, EXACT and Format. It computes exactly, in integers, and rounds once.

    cargo xtask conformance --impl 'ptx,vectors=500:python3 harness/protocol/emulator.py' --only add.f32
"""

import re
import sys

# A number is its sign, 0 or 1, and its magnitude in units of 2^-SCALE, of which every product is a multiple.
# The magnitude of a NaN is minus its payload; that of NAN is below all of these, and gives the canonical one.
SCALE = 2200
INFINITY, NAN, ONE = 1 << 4 * SCALE, -1 << 64, (0, 1 << SCALE)


def fma(modifiers, *numbers):
    (a_sign, a), (b_sign, b), (c_sign, c) = numbers
    sign = a_sign ^ b_sign
    if min(a, b, c) < 0 or INFINITY in (a, b) and (0 in (a, b) or c == INFINITY and c_sign != sign):
        return 0, NAN
    if INFINITY in (a, b, c):
        return c_sign if c == INFINITY else sign, INFINITY
    total = (-1) ** sign * (a * b >> SCALE) + (-1) ** c_sign * c
    if total == 0:
        return sign if sign == c_sign else int("rm" in modifiers), 0
    return int(total < 0), abs(total)


EXACT = {
    "add": lambda modifiers, a, b: fma(modifiers, a, ONE, b),
    "sub": lambda modifiers, a, b: fma(modifiers, a, ONE, (1 - b[0], b[1])),
    "mul": lambda modifiers, a, b: fma(modifiers, a, b, (a[0] ^ b[0], 0)),
    "fma": fma,
    "neg": lambda modifiers, a: (1 - a[0], a[1]),
    "abs": lambda modifiers, a: (0, a[1]),
}


class Format:
    def __init__(self, width, precision):  # the precision counts the hidden bit
        self.precision, self.hidden, self.sign = precision, 1 << precision - 1, 1 << width - 1
        self.infinity = self.sign - self.hidden
        self.one = self.infinity & self.infinity >> 1
        self.lowest = SCALE + 2 - self.one // self.hidden - precision  # the last place of subnormal numbers

    def decode(self, bits, modifiers):
        sign, exponent, fraction = bits // self.sign, bits & self.infinity, bits % self.hidden
        if exponent == self.infinity:
            return sign, -fraction or INFINITY
        if exponent == 0:
            return sign, 0 if "ftz" in modifiers else fraction << self.lowest
        return sign, fraction + self.hidden << self.lowest + exponent // self.hidden - 1

    def encode(self, sign, magnitude, modifiers):
        if magnitude < 0:
            bits = min(self.infinity - magnitude, self.sign - 1)  # the canonical NaN has all bits set
        else:
            nearest, away = not modifiers & {"rz", "rm", "rp"}, ("rm" if sign else "rp") in modifiers
            place = max(magnitude.bit_length() - self.precision, self.lowest)
            kept, rest = divmod(magnitude, 1 << place)
            up = rest + kept % 2 > 1 << place - 1 if nearest else away and rest > 0
            largest = self.infinity if nearest or away or magnitude == INFINITY else self.infinity - 1
            bits = min((place - self.lowest) * self.hidden + kept + up, largest)
        if "ftz" in modifiers and bits < self.hidden:
            bits = 0
        if "sat" in modifiers:
            return 0 if sign or bits > self.infinity else min(bits, self.one)
        return 0 if sign and "relu" in modifiers else sign * self.sign + bits


FORMATS = {"f16": Format(16, 11), "bf16": Format(16, 8), "f32": Format(32, 24), "f64": Format(64, 53)}
FLOATING = re.compile(r"(add|sub|mul|fma|neg|abs)((?:\.(?:rn|rz|rm|rp|ftz|sat|relu))*)\.(f16|bf16|f32|f64)")
STATEMENT = re.compile(r"(?<=[;:])\s*(?:@(%\w+)\s+)?([a-z][\w.]*)([^;]*);")
PLAIN = dict.fromkeys(["mov.u32", "ld.param.u32", "ld.param.u64", "cvta.to.global.u64"], lambda a: a) | {
    "mad.lo.s32": lambda a, b, c: a * b + c & 0xFFFFFFFF,
    "mul.wide.u32": lambda a, b: a * b,
    "add.s64": lambda a, b: a + b & 0xFFFFFFFFFFFFFFFF,
    "setp.ge.u32": lambda a, b: a >= b,
    "bra": lambda: None,  # where it is not taken
}


def meaning(opcode):
    """What an instruction computes, or how many bytes it loads or stores."""
    if opcode in PLAIN or opcode == "ret":
        return PLAIN.get(opcode)
    if known := re.fullmatch(r"(?:ld|st)\.global\.[bf](16|32|64)", opcode):
        return int(known[1]) // 8
    if known := FLOATING.fullmatch(opcode):
        exact, modifiers, form = EXACT[known[1]], {*known[2].split(".")}, FORMATS[known[3]]
        return lambda *operands: form.encode(
            *exact(modifiers, *[form.decode(bits, modifiers) for bits in operands]), modifiers)
    raise NotImplementedError(f"{opcode} is not implemented")


def parse(text):
    head, body = re.sub("//.*", "", text).split("{", 1)
    return re.findall(r"\.param \.u\d+ (\w+)", head), [
        (guard, opcode, meaning(opcode), re.findall(r"[%\w.]+", operands))
        for guard, opcode, operands in STATEMENT.findall(body)]


def run(kernel, rows, widths, memory):
    parameters, instructions = kernel
    columns = [rows * sum(widths[:index]) for index in range(len(widths))]  # their addresses
    for row in range(rows):
        registers = {"%ctaid.x": row, "%ntid.x": 1, "%tid.x": 0} | dict(zip(parameters, [*columns, rows]))
        for guard, opcode, what, operands in instructions:
            if opcode in ("bra", "ret") and registers.get(guard, True):  # all branches are to the end
                break
            target, *values = [int(name) if name.isdigit() else registers.get(name) for name in operands]
            if opcode.startswith("ld.global"):
                registers[operands[0]] = int.from_bytes(memory[values[0]:values[0] + what], "little")
            elif opcode.startswith("st.global"):
                memory[target:target + what] = values[0].to_bytes(what, "little")
            else:
                registers[operands[0]] = what(*values)


kernel = None
for line in sys.stdin.buffer:
    answer, (verb, *words) = b"ptx-emulator 1 example.py 1\n", line.decode().split()
    try:
        if verb == "load":
            kernel, answer = parse(sys.stdin.buffer.read(int(words[1])).decode()), b"loaded\n"
        elif verb == "run":
            rows, results, widths = int(words[0]), int(words[2]), [*map(int, words[1].split(","))]
            memory = bytearray(sys.stdin.buffer.read(rows * sum(widths)))
            run(kernel, rows, widths, memory)
            answer = b"results\n" + memory[:rows * sum(widths[:results])]
    except Exception as error:
        answer = f"{'no' if verb == 'load' else 'failed'} {error}\n".encode()
    sys.stdout.buffer.write(answer)
    sys.stdout.buffer.flush()
