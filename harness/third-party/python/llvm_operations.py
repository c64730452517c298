"""Which operations of LLVM's language may stand for a variant.

That one does is not taken from here: the client asks the compiler what becomes of it where its operands
are not known, and wants it to become the very instruction.
"""

from variants import BITS, types, words

# LLVM's types of PTX's; integers have the same with and without a sign.
TYPES = {"f16": "half", "bf16": "bfloat", "f32": "float", "f64": "double", "pred": "i1"}
TYPES |= {f"{name}x2": f"<2 x {TYPES[name]}>" for name in ("f16", "bf16", "f32")}
TYPES |= {name: f"i{BITS[name]}" for name in BITS if name[0] in "us"}
# What the names of LLVM's intrinsics end in, and those of NVIDIA's.
OVERLOADS = {"f16x2": "v2f16", "bf16x2": "v2bf16", "f32x2": "v2f32"}
SUFFIXES = {"f32": "f", "f64": "d"}

PREDICATES = {"eq": "oeq", "ne": "one", "num": "ord", "nan": "uno", "equ": "ueq", "neu": "une"}
PREDICATES |= {name: f"o{name}" for name in ("lt", "le", "gt", "ge")}
PREDICATES |= {f"{name}u": f"u{name}" for name in ("lt", "le", "gt", "ge")}
INTEGERS = {"s32": "i", "u32": "ui", "s64": "ll", "u64": "ull"}
FUNCTIONS = {"abs": "fabs", "fma": "fma", "sqrt": "sqrt", "min": "minnum", "max": "maxnum"}
WITH_NAN = {"min": "minimum", "max": "maximum"}
ROUNDINGS = {"rn", "rz", "rm", "rp"}
# Roundings to integral numbers, as LLVM and NVIDIA call them.
TO_INTEGRAL = {"rni": "rint round", "rzi": "trunc trunc", "rmi": "floor floor", "rpi": "ceil ceil"}

ARGUMENTS = ["$0", "$1", "$2"]


def call(function, given, result, arguments=ARGUMENTS):
    """Lines that call an intrinsic, and its declaration."""
    given = [TYPES[kind] for kind in given]
    taken = ", ".join(f"{kind} {name}" for kind, name in zip(given, arguments))
    declaration = f"declare {TYPES[result]} @{function}({', '.join(given)})"
    return [f"$d = call {TYPES[result]} @{function}({taken})"], declaration


def line(text):
    """What needs no declaration."""
    return [text], ""


def conversion(source, to):
    """The word for a conversion, which has the rounding that LLVM has."""
    if source[0] in "us":
        return f"{source[0]}itofp"
    return "fpext" if BITS[source] < BITS[to] else "fptrunc"


def of_language(name, modifiers, operands, result):
    """What LLVM has of itself."""
    first = operands[0]
    kind, overload = TYPES[first], OVERLOADS.get(first, first)
    match name:
        case "add" | "sub" | "mul" | "div":
            yield line(f"$d = f{name} {kind} $0, $1")
        case "neg":
            yield line(f"$d = fneg {kind} $0")
        case "setp":
            compare = f"$d = fcmp {PREDICATES[modifiers[0]]} {kind} $0, $1"
            yield [compare, "$e = xor i1 $d, true"], ""
        case "copysign":
            # PTX has the sign first.
            yield call(f"llvm.copysign.{overload}", operands, result, ["$1", "$0"])
        case "cvt" if first == result and set(modifiers) & TO_INTEGRAL.keys():
            yield call(f"llvm.{TO_INTEGRAL[modifiers[0]].split()[0]}.{overload}", operands, result)
        case "cvt" if len(operands) == 1 and first != result and result[0] not in "us":
            yield line(f"$d = {conversion(first, result)} {kind} $0 to {TYPES[result]}")
        case _ if name in FUNCTIONS:
            function = (WITH_NAN if "NaN" in modifiers else {}).get(name, FUNCTIONS[name])
            yield call(f"llvm.{function}.{overload}", operands, result)


def of_nvidia(name, modifiers, operands, result):
    """What NVIDIA has added, whose names follow those of PTX."""
    first = operands[0]
    suffix = SUFFIXES.get(first, first)
    tail = "".join(f".{modifier.lower()}" for modifier in modifiers)
    if name == "cvt":
        yield from conversions(tail, modifiers, operands, result)
    elif name in ("add", "sub", "mul") and not (modifiers and modifiers[0] in ROUNDINGS):
        # Such names are those of others, of more operands.
        return
    elif name == "sub":
        lines, declaration = call(f"llvm.nvvm.add{tail}.{suffix}", operands, result, ["$0", "$n"])
        yield [f"$n = fneg {TYPES[first]} $1", *lines], declaration
    else:
        prefix = "f" if name in ("min", "max") or (name, suffix) in (("abs", "f"), ("abs", "d")) else ""
        yield call(f"llvm.nvvm.{prefix}{name}{tail}.{suffix}", operands, result)


def conversions(tail, modifiers, operands, result):
    """The intrinsics of conversions."""
    [first] = operands[:1]
    rounded = tail.replace("i", "", 1) if result in INTEGERS else tail
    if modifiers and modifiers[0] in TO_INTEGRAL and first == result and first in SUFFIXES:
        flush = ".ftz" if "ftz" in modifiers else ""
        function = TO_INTEGRAL[modifiers[0]].split()[1]
        yield call(f"llvm.nvvm.{function}{flush}.{SUFFIXES[first]}", operands, result)
    elif "sat" in modifiers and first == result and first in SUFFIXES:
        yield call(f"llvm.nvvm.saturate{tail.replace('.sat', '')}.{SUFFIXES[first]}", operands, result)
    else:
        source, to = (SUFFIXES.get(kind) or INTEGERS.get(kind) for kind in (first, result))
        if source and to and len(operands) == 1:
            yield call(f"llvm.nvvm.{source}2{to}{rounded}", operands, result)


def operations(variant):
    """Lines, a declaration and the compiler's options of each operation that may stand for a variant:
    the lines compute `$d`, and `$e` where there are two results, of `$0`, `$1` and `$2`."""
    name, *rest = words(variant)
    operands, results = types(variant)
    if not TYPES.keys() >= {*operands, *results} or variant.endswith("(a,b,c)"):
        return
    modifiers = [word for word in rest if word not in BITS]
    options = ["-ftz=1"] if "ftz" in modifiers else []
    if name in ("add", "sub", "mul") and "rn" in modifiers:
        # Contraction into an fma would be allowed otherwise.
        options.append("-fma=0")
    for source in of_nvidia, of_language:
        for lines, declaration in source(name, modifiers, operands, results[0]):
            yield lines, declaration, options
