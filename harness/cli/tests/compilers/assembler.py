"""A compiler to machine code: of PTX, instruction by instruction, and of cuTile, of which it has nothing to say. It is
wrong as its arguments say: `drops=FTZ` (a modifier is lost), `contracts` (products and sums, whatever is written),
`dies` (of square roots of nothing: of every `fma`), `refuses` (whatever is asked, for want of memory), `loses` (the last kernel),
and `cutile accepts` or `cutile refuses=WORDS` (everything)."""

import json
import re
import sys

FAULTS = set(sys.argv[1:])
DROPPED = {word.partition("=")[2] for word in FAULTS if word.startswith("drops=")}
WORDS = [word.partition("=")[2] for word in FAULTS if word.startswith("refuses=")]
LETTERS = {"f32": "F", "f64": "D", "f16": "H", "f16x2": "H", "bf16": "H", "bf16x2": "H", "f32x2": "F"}
MODIFIERS = {"rz", "rm", "rp", "ftz", "sat", "relu", "oob", "NaN"}


def operation(name, kind, operands):
    """An instruction of machine code; those of pairs in their guises."""
    words = name.split(".")
    base = {"sub": "ADD", "min": "MNMX", "max": "MNMX"}.get(words[0], words[0].upper())
    modifiers = [word.upper() for word in words[1:] if word in MODIFIERS]
    tail = "".join(f".{word}" for word in modifiers if word not in DROPPED)
    two = "2" if kind.endswith("x2") or LETTERS[kind] == "H" else ""
    if LETTERS[kind] == "H":
        tail = f"{'.MMA' if kind.endswith('x2') else ''}{'.BF16_V2' if kind.startswith('bf') else ''}{tail}"
    if kind in ("f16x2", "bf16x2") and base in ("ADD", "MUL"):
        operands = {"ADD": "R0, 1, 1, R5", "MUL": "R0, R5, -RZ"}[base]
        base = "FMA"
    return f"{LETTERS[kind]}{base}{two}{tail} R5, {operands}"


def instructions(text):
    """Those of a kernel."""
    lines = re.findall(r"^(mul|add|sub|fma|min|max)([\w.]*)\.(\w+) ", text, re.MULTILINE)
    if "contracts" in FAULTS and [line[0] for line in lines][:1] == ["mul"] and len(lines) == 2:
        lines = [("fma", lines[1][1], lines[1][2])]
    for name, modifiers, kind in lines:
        yield operation(name + modifiers, kind, "R0, R5, R7" if name == "fma" else "R0, R5")
    yield "STG.E [R2], R5"


def outcome(request):
    source = request["source"]
    if request["language"] == "cutile":
        return {"refused": WORDS[0]} if WORDS else {"code": ".text.kernel:\n /*0000*/ FADD R1, R2, R3 ;\n"}
    if "refuses" in FAULTS:
        return {"refused": "out of memory"}
    if "dies" in FAULTS and "\nfma" in source:
        return {"died": "signal 11"}
    kernels = re.findall(r"\.entry (\w+)(.*?)\n}", source, re.DOTALL)
    if "loses" in FAULTS:
        kernels.pop()
    listing = []
    for name, body in kernels:
        listing += [f".text.{name}:"] + [f"        /*0000*/    {each} ;" for each in instructions(body)]
    return {"code": "\n".join(listing) + "\n"}


assert json.loads(input()) == {"protocol": "ptx-compiler 1"}
introduction = {
    "protocol": "ptx-compiler 1",
    "name": "assembler",
    "version": "1",
    "languages": ["cutile" if "cutile" in FAULTS else "ptx"],
    "targets": [{"name": "sm_90", "compiler": "assembler"}],
    "options": [],
}
print(json.dumps(introduction), flush=True)
for line in sys.stdin:
    request = json.loads(line)
    print(json.dumps({"id": request["id"], **outcome(request)}), flush=True)
