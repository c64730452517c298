"""Which variants a variant is asked about with: those that differ from it in modifiers alone.

ptxas and nvdisasm take longer to start than to work, and the suite asks about one variant after the
other. Not all of these are legal; ptxas says which.
"""

import itertools

from variants import BITS, BOOLEAN, words

COMPARISONS = "eq ne lt le gt ge equ neu ltu leu gtu geu num nan".split()
CLASSES = "finite infinite number notanumber normal subnormal".split()
ROUNDINGS = ["", "rn", "rz", "rm", "rp"]
TO_INTEGERS = ["rni", "rzi", "rmi", "rpi"]
FLUSH, CLAMP = ["", "ftz"], ["", "sat"]

ARITHMETIC = [ROUNDINGS, FLUSH, CLAMP]
QUOTIENT = [["approx", "full", *ROUNDINGS], FLUSH]
FUNCTION = [["approx"], FLUSH]
COMPARISON = [COMPARISONS, ["", *sorted(BOOLEAN)], FLUSH]
EXTREMUM = [FLUSH, ["", "NaN"], ["", "xorsign.abs"]]

# Of each instruction: the modifiers that may stand in each place, "" being none.
MODIFIERS = dict.fromkeys(["add", "sub", "mul", "fma", "mad"], ARITHMETIC)
MODIFIERS |= dict.fromkeys(["div", "rcp", "sqrt"], QUOTIENT)
MODIFIERS |= dict.fromkeys(["rsqrt", "sin", "cos", "lg2", "ex2", "tanh"], FUNCTION)
MODIFIERS |= dict.fromkeys(["set", "setp"], COMPARISON)
MODIFIERS |= dict.fromkeys(["min", "max"], EXTREMUM)
MODIFIERS |= dict.fromkeys(["abs", "neg", "slct"], [FLUSH])
MODIFIERS |= {"cvt": [[*ROUNDINGS, *TO_INTEGERS], FLUSH, CLAMP], "testp": [CLASSES]}


def siblings(variant):
    """The variant and what may be others."""
    name, *rest = words(variant)
    kinds = [word for word in rest if word in BITS]
    operands = variant[len(".".join([name, *rest])) :]
    choices = itertools.product(*MODIFIERS.get(name, []))
    grid = (".".join(filter(None, [name, *choice, *kinds])) + operands for choice in choices)
    return list(dict.fromkeys([variant, *grid]))
