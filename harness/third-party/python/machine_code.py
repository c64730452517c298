"""Finds the constants that machine code stores.

nvdisasm's text is read one instruction after the other. A register holds four bytes, one that is not
known being None. Only moves are understood, in the guises that ptxas gives them; what any other
instruction writes is not known, and where code may come from or go to elsewhere, at labels and behind
jumps, nothing is known any more. So a constant that is found here was computed by ptxas: this computes
nothing.
"""

import re
import struct

UNKNOWN, ZERO = (None,) * 4, (0,) * 4

KERNEL = re.compile(r"\.text\.(\w+):")
LABEL = re.compile(r"\s*[.$\w]+:\s*$")
INSTRUCTION = re.compile(r"\s*/\*[0-9a-f]{4,}\*/\s+(@!?U?P\w+ )?\s*(\S+?)(?:\s+(.*?))?\s*;")
ADDRESS = re.compile(r"\[U?R\d+(?:\.64)?(?:\+(0x[0-9a-f]+))?\], (\w+)$")
REGISTER = re.compile(r"(U?R)(\d+)$")
INTEGER = re.compile(r"-?0x[0-9a-f]+$")

JUMPS = set("EXIT BRA BRX CALL RET JMP JMX BREAK BSSY BSYNC WARPSYNC YIELD".split())
# What writes one register, unless its modifiers speak of 64 bits.
NARROW = set(
    "FADD FMUL FFMA FMNMX FSEL FSET HADD2 HMUL2 HFMA2 HMNMX2 HSET2 MUFU F2F F2FP F2I I2F I2FP FRND "
    "IADD3 IMAD LEA LOP3 MOV PRMT SEL SHF UMOV ULOP3 USEL".split()
)
# How many bytes of its register a store takes, by its modifiers.
STORED = {"U8": 1, "U16": 2, "64": 8}


def integer(text):
    """The bytes of an integer of the text."""
    return tuple((int(text, 16) & 0xFFFFFFFF).to_bytes(4, "little"))


def half(text):
    """The bytes of an f16 in decimal, all of whose digits are printed. Of a NaN they are not; but
    whichever is added to a number, the sum is the canonical one."""
    if text in ("+QNAN", "-QNAN", "+SNAN", "-SNAN"):
        return (0xFF, 0x7F)
    return tuple(struct.pack("<e", float(text)))


def permuted(low, selector, high):
    """PRMT: each digit of the selector chooses one of eight bytes, or copies of its sign."""
    source, result = low + high, []
    for place in range(4):
        digit = selector >> 4 * place & 15
        byte = source[digit & 7]
        if digit & 8 and byte is not None:
            byte = 0xFF if byte & 0x80 else 0
        result.append(byte)
    return tuple(result)


class Kernel:
    """What the registers hold on the way through a kernel, and what it has stored where."""

    def __init__(self):
        self.registers = {}
        self.stored = {}

    def read(self, operand):
        """The bytes of a register or an integer."""
        operand = operand.removesuffix(".reuse")
        if operand in ("RZ", "URZ"):
            return ZERO
        return integer(operand) if INTEGER.match(operand) else self.registers.get(operand, UNKNOWN)

    def moved(self, opcode, sources):
        """What a move gives its register; None if the instruction is no move."""
        match opcode, sources:
            case "MOV" | "MOV32I" | "UMOV", [source, *_]:
                return self.read(source)
            case "IMAD.MOV.U32" | "IMAD.U32", ["RZ", "RZ", source]:
                return self.read(source)
            # -0 · 0 is -0, and -0 added to any number leaves it as it is.
            case "HFMA2" | "HFMA2.MMA", ["-RZ", "RZ", high, low]:
                return half(low.strip()) + half(high.strip())
            case "PRMT" | "UPRMT", [low, selector, high] if INTEGER.match(selector):
                return permuted(self.read(low), int(selector, 16), self.read(high))
        return None

    def write(self, opcode, destination, sources):
        """What an instruction does to the registers; `sources` is None where that is uncertain."""
        if not (register := REGISTER.match(destination)):
            return
        letters, index = register[1], int(register[2])
        value = self.moved(opcode, sources) if sources else None
        if value is not None:
            self.registers[destination] = value
        elif opcode == "CS2R" and sources == ["SRZ"]:
            self.registers |= {f"R{index}": ZERO, f"R{index + 1}": ZERO}
        else:
            wide = "64" in opcode or "WIDE" in opcode or opcode.split(".")[0] not in NARROW
            for each in range(index, index + (4 if wide else 1)):
                self.registers.pop(f"{letters}{each}", None)

    def store(self, predicate, opcode, operands):
        """Notes the constant that a store stores, or None."""
        if not (address := ADDRESS.search(operands)):
            return
        place, source = int(address[1] or "0", 16), address[2]
        value = self.read(source)
        if register := REGISTER.match(source):
            value += self.read(f"{register[1]}{int(register[2]) + 1}")
        else:
            value += ZERO
        [count] = [STORED[word] for word in opcode.split(".") if word in STORED] or [4]
        known = None
        if not predicate and None not in value[:count]:
            known = int.from_bytes(bytes(value[:count]), "little")
        # Of two stores to one place it would not be known which is which.
        self.stored[place] = None if place in self.stored else known

    def step(self, predicate, opcode, operands):
        """Reads an instruction."""
        name = opcode.split(".")[0]
        if name in JUMPS:
            self.registers.clear()
        elif name == "STG":
            self.store(predicate, opcode, operands)
        elif operands:
            destination, *sources = operands.split(", ")
            self.write(opcode, destination, None if predicate else sources)


def constants(listing):
    """Of each kernel in a listing: the constants that it stores, by where it stores them. What is
    stored and not known is None."""
    kernels, current = {}, None
    for line in listing.splitlines():
        if name := KERNEL.search(line):
            current = Kernel()
            kernels[name[1]] = current.stored
        elif current and (instruction := INSTRUCTION.match(line)):
            current.step(*instruction.groups())
        elif current and LABEL.match(line):
            current.registers.clear()
    return kernels
