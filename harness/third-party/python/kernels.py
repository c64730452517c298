"""PTX kernels that have the operands of a variant in their text, and store the results."""

from variants import BITS, types, words

# Results lie so many bytes apart, whatever their width.
STRIDE = 8
# How many lines stand before the first kernel of a module.
HEAD = 3


def register(kind):
    """The type of a register: of its width alone, so that it takes whatever an instruction gives."""
    return "pred" if kind == "pred" else f"b{BITS[kind]}"


def constant(kind, name, bits):
    """Fills a register. Bits are moved, so that nothing is read as a decimal number and rounded."""
    if kind == "pred":
        return f"mov.pred {name}, {bits};"
    # No `mov` has registers of 8 bits.
    return f"{'cvt.u8.u16' if BITS[kind] == 8 else f'mov.b{BITS[kind]}'} {name}, {bits:#x};"


def stored(kind, name, place):
    """Stores a result. The store is volatile, so that it is where its instruction was."""
    at = f"[%out+{place}]"
    if kind == "pred":
        return f"selp.b32 %one, 1, 0, {name};\nst.volatile.global.b8 {at}, %one;"
    return f"st.volatile.global.b{BITS[kind]} {at}, {name};"


def kernel(variant, rows, name):
    """A kernel that executes a variant for each row of operands. Result r of row i of a variant with n
    results goes to place (i·n + r)·STRIDE."""
    operands, results = types(variant)
    given = [f"%a{place}" for place in range(len(operands))]
    taken = [f"%d{place}" for place in range(len(results))]
    lines = [f".visible .entry {name}(.param .u64 results)", "{"]
    lines += [f".reg .{register(kind)} {each};" for kind, each in zip(operands, given)]
    lines += [f".reg .{register(kind)} {each};" for kind, each in zip(results, taken)]
    lines += [".reg .b32 %one;", ".reg .b64 %out;", "ld.param.u64 %out, [results];"]
    instruction = f"{'.'.join(words(variant))} {'|'.join(taken)}, {', '.join(given)};"
    place = 0
    for row in rows:
        lines += map(constant, operands, given, row)
        lines.append(instruction)
        for kind, each in zip(results, taken):
            lines.append(stored(kind, each, place))
            place += STRIDE
    return "\n".join([*lines, "ret;", "}"])


def module(version, target, kernels):
    """A module of kernels."""
    head = f".version {version}\n.target {target}\n.address_size 64\n"
    return head + "\n".join(kernels) + "\n"
