"""A compiler of LLVM's language for f32 alone, line by line, which is wrong as its arguments say: `reciprocal`
(a division by a constant is a product with its reciprocal), `flushed` (additions flush whatever is asked for),
`approximate` (divisions are `.full`), `unset` (sums read a register that nothing set), `endless` (sums of zero do not come to an end), `stuck` (sums
do not if a register that nothing set is not zero), `wide` (what a function takes has 64 bytes), `mistaken` (sums are products), `forgetful` (what is read from memory is one), `signless` (a product keeps its
sign where it should be turned), `contracted` (a product and a sum are fused whatever is asked for), `unrounded` (sums and products have no rounding modifier); `late` (all this from -O2 on, and not before), `restless` (divisions that may be
`.full` are that only if square roots are exact), `keeps` (what flushes does so with operands alone), `undecided` (those are one or the other by a register that nothing
set), `babbles` (answers with no PTX),
`unknown` (square roots become an instruction that does not exist), `refuses` (no division), `dies` (of a root), `wavers` (all this of
what it compiles for the first time, and not again). `ends=N` ends it after so many answers; `told=N=FILE` makes a file
then, and waits until it is gone."""

import json
import os
import re
import struct
import sys
import time

WANTED = set(sys.argv[1:])
FAULTS = set()
SEEN = set()
BINARY = {"fadd": "add.rn", "fsub": "sub.rn", "fmul": "mul.rn", "fdiv": "div.rn"}
CALLS = {"fma": "fma.rn", "sqrt": "sqrt.rn", "minnum": "min", "maxnum": "max", "fabs": "abs", "copysign": "copysign"}
RELATIONS = {"olt": "lt", "ole": "le", "ogt": "gt", "oge": "ge", "oeq": "eq", "une": "neu"}


class Refused(Exception):
    pass


def lines(body, z, constants, options):
    """The instructions of a body's operations."""
    products, bits_of, factors = set(), {}, {}
    for line in body.strip().splitlines():
        target, _, rest = re.sub(r"\b(nnan|ninf|nsz|arcp) ", "", line.strip()).partition(" = ")
        into = target.replace("%", "%f_")
        use = [word.replace("%", "%f_") for word in re.findall(r"%\w+", rest)]
        word = rest.split()[0] if rest else ""
        if line.strip().startswith("ret"):
            result = re.findall(r"%(\w+)", line)[0]
            yield f"st.param.f32 [func_retval0], %f_{result};"
        elif word == "load":
            address = use[0].replace("%f_", "%rd_")
            yield f"mov.f32 {into}, 0f3F800000;" if "forgetful" in FAULTS else f"ld.f32 {into}, [{address}];"
        elif word == "bitcast" and "%" in rest:
            # There and back, around an instruction of which a compiler knows nothing.
            bits_of[into] = use[0]
            if rest.endswith("float"):
                yield f"mov.f32 {into}, {bits_of[bits_of[use[0]]]};"
        elif word == "call" and " asm " in rest:
            bits_of[into] = use[0]
        elif word == "bitcast":
            bits = int(rest.split()[2]) & 0xFFFFFFFF
            constants[into] = bits
            yield f"mov.f32 {into}, 0f{bits:08X};"
        elif word in BINARY:
            if "float" not in rest:
                raise Refused("only float")
            if word == "fdiv" and "refuses" in FAULTS:
                raise Refused("no division")
            first, second = (["0f3F800000"] + use)[-2:]
            products |= {into} if word == "fmul" else set()
            if word == "fmul":
                factors[into] = f"{first}, {second}"
            term = first if first in factors else second
            if word == "fadd" and "contracted" in FAULTS and term in factors:
                other = second if term == first else first
                yield f"fma.rn{z}.f32 {into}, {factors[term]}, {other};"
                continue
            flush = ".ftz" if word == "fadd" and "flushed" in FAULTS else z
            if word == "fadd" and "unset" in FAULTS:
                first = "%f_unset"
            if word == "fadd" and "endless" in FAULTS:
                yield f"setp.eq.f32 %p_zero, {first}, 0f00000000;"
                yield f"$L_{target[1:]}: @%p_zero bra $L_{target[1:]};"
            if word == "fadd" and "stuck" in FAULTS:
                yield "setp.neu.f32 %p_any, %f_unset, 0f00000000;"
                yield f"$L_{target[1:]}: @%p_any bra $L_{target[1:]};"
            if word == "fadd" and "mistaken" in FAULTS:
                word = "fmul"
                flush = z
            if word == "fdiv" and "reciprocal" in FAULTS and second in constants:
                divisor = struct.unpack("f", struct.pack("I", constants[second]))[0]
                if divisor not in (0, float("inf"), -float("inf")) and divisor == divisor:
                    yield f"rcp.rn{z}.f32 %f_r, {second};"
                    yield f"mul.rn{z}.f32 {into}, {first}, %f_r;"
                    continue
            exact_roots = {"-nvptx-prec-divf32=1", "-nvptx-prec-sqrtf32=1"} <= options
            if word == "fdiv" and exact_roots and "undecided" in FAULTS:
                yield "setp.eq.f32 %p_any, %f_unset, 0f00000000;"
                yield f"div.full{z}.f32 %f_full, {first}, {second};"
                yield f"div.rn{z}.f32 {into}, {first}, {second};"
                yield f"selp.f32 {into}, %f_full, {into}, %p_any;"
                continue
            if word == "fdiv" and (exact_roots and "restless" in FAULTS or "approximate" in FAULTS):
                yield f"div.full{z}.f32 {into}, {first}, {second};"
                continue
            if z and "keeps" in FAULTS:
                flush = ""
                for at, use_of in enumerate((first, second)):
                    yield f"mul.rn.ftz.f32 %f_kept{at}, {use_of}, 0f3F800000;"
                first, second = "%f_kept0", "%f_kept1"
            opcode = BINARY[word].removesuffix(".rn") if word != "fdiv" and "unrounded" in FAULTS else BINARY[word]
            yield f"{opcode}{flush}.f32 {into}, {first}, {second};"
        elif word == "fneg":
            yield f"mov.f32 {into}, {use[0]};" if use[0] in products and "signless" in FAULTS else f"neg.f32 {into}, {use[0]};"
        elif word == "call":
            if "float @" not in rest:
                raise Refused("only float")
            name = re.search(r"@llvm\.(\w+)\.", rest)[1]
            if name not in CALLS:
                raise Refused(f"no {name}")
            if name == "sqrt" and "dies" in FAULTS:
                raise SystemExit
            if name == "copysign":
                use.reverse()
            plain = z if name not in ("fabs", "copysign") else ""
            opcode = "frobnicate" if name == "sqrt" and "unknown" in FAULTS else CALLS[name]
            yield f"{opcode}{plain}.f32 {into}, {', '.join(use)};"
        elif word == "fcmp":
            yield f"setp.{RELATIONS[rest.split()[1]]}{z}.f32 {target.replace('%', '%p_')}, {', '.join(use)};"
        elif word == "select":
            yield f"selp.f32 {into}, {use[1]}, {use[2]}, {use[0].replace('%f_', '%p_')};"
        else:
            raise Refused(f"cannot compile {line.strip()}")


def function(match, options):
    name, parameters, attributes, body = match.groups()
    if "half" in match[0] or "bfloat" in match[0] or "double" in match[0]:
        raise Refused("only float")
    if "wavers" in WANTED:
        FAULTS.clear()
        FAULTS.update(() if body in SEEN else WANTED)
        SEEN.add(body)
    z = ".ftz" if "preserve-sign" in attributes else ""
    names = re.findall(r"float %(\w+)", parameters)
    addresses = re.findall(r"float\* %(\w+)", parameters)
    each = ".b8 {}[64]" if "wide" in FAULTS else ".f32 {}"
    taken = [".param " + each.format(f"{name}_param_{at}") for at in range(len(names))]
    taken += [f".param .b64 {name}_param_{len(names) + at}" for at in range(len(addresses))]
    taken = ", ".join(taken)
    body = list(lines(body, z, {}, options))
    floats = sorted(set(re.findall(r"%f_\w+", "\n".join(body))) | {f"%f_{own}" for own in names})
    predicates = sorted(set(re.findall(r"%p_\w+", "\n".join(body))))
    text = [f".visible .func (.param .f32 func_retval0) {name}({taken})", "{"]
    text += [f".reg .f32 {', '.join(floats)};"] * bool(floats)
    text += [f".reg .pred {', '.join(predicates)};"] * bool(predicates)
    text += [f".reg .b64 {', '.join(f'%rd_{own}' for own in addresses)};"] * bool(addresses)
    text += [f"ld.param.f32 %f_{own}, [{name}_param_{at}];" for at, own in enumerate(names)]
    text += [f"ld.param.b64 %rd_{own}, [{name}_param_{len(names) + at}];" for at, own in enumerate(addresses)]
    return "\n".join([*text, *body, "ret;", "}", ""])


def outcome(source, options):
    functions = re.findall(r"define (?!float)\w+", source)
    if functions:
        return {"refused": "only float"}
    if "babbles" in FAULTS:
        return {"ptx": "what is no PTX"}
    found = re.finditer(r"define float @(\w+)\((.*?)\)(.*?)\{\n(.*?)\}", source, re.DOTALL)
    try:
        return {"ptx": ".version 8.0\n.target sm_90\n.address_size 64\n" + "".join(function(one, options) for one in found)}
    except Refused as refused:
        return {"refused": str(refused)}
    except SystemExit:
        return {"died": "signal 4"}


assert json.loads(input()) == {"protocol": "ptx-compiler 1"}
introduction = {
    "protocol": "ptx-compiler 1",
    "name": "tiny",
    "version": "1",
    "languages": ["llvm-ir"],
    "targets": [{"name": "sm_90", "compiler": "tiny"}],
    "options": [],
}
print(json.dumps(introduction), flush=True)
AFTER = [word.split("=", 2) for word in WANTED if "=" in word]
for number, line in enumerate(sys.stdin):
    for what, after, *file in AFTER:
        if number == int(after):
            if what == "ends":
                sys.exit()
            open(file[0], "w").close()
            while os.path.exists(file[0]):
                time.sleep(0.01)
    request = json.loads(line)
    options = set(request["options"])
    early = {"-O0", "-O1"} & options
    FAULTS = set() if "late" in WANTED and early else set(WANTED)
    print(json.dumps({"id": request["id"], **outcome(request["source"], options)}), flush=True)
