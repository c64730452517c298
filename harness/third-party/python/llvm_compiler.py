#!/usr/bin/env python3
"""LLVM's own compiler from its language to PTX as a compiler of the suite's. See compilers.py."""

import re

from compilers import serve
from folder import Rejected
from llvm_library import RELEASE, TRIPLE, emitted, llvm, machine

TARGETS = [f"sm_{number}" for number in [75, 80, 86, 87, 88, 89, 90, 100, 101, 103, 110, 120, 121]]
# The oldest version of PTX, which a target gets that LLVM does not know.
UNKNOWN = ".version 3.2\n"
OPTIONS = {
    "-O{0|1|2|3}": "the level of optimisation (default: -O3)",
    "-nvptx-prec-divf32={0|1|2}": "f32 division: .approx, .full, as IEEE 754 has it (default: 2)",
    "-nvptx-prec-sqrtf32={0|1}": "f32 square root: .approx, as IEEE 754 has it (default: 1)",
    "-nvptx-fma-level={0|1|2}": "contract without a flag: no, yes, wherever possible (default: 0)",
}
# They are written with alternatives.
PATTERNS = [re.sub(r"\{(.*)\}", r"(\1)", option) for option in OPTIONS]


class Compiler:
    """LLVM."""

    name = "llvm"
    gives = "ptx"
    languages = ["llvm-ir", "llvm-bitcode"]
    release = RELEASE
    # Once an option is set, LLVM takes no other value of it, without a word.
    remembers = True
    options = OPTIONS

    def __init__(self):
        self.targets, self.given = {}, set()
        for target in TARGETS:
            try:
                self.compiled("", [], target)
            except Rejected:
                continue
            self.targets[target] = f"LLVM {RELEASE}"

    def compiled(self, source, options, target):
        """The PTX of a module of functions and declarations."""
        level = 3
        for option in options:
            if not any(re.fullmatch(pattern, option) for pattern in PATTERNS):
                raise Rejected(f"unknown option {option}: there are {', '.join(self.options)}")
            if option.startswith("-O"):
                level = int(option[2:])
            elif option not in self.given:
                llvm.set_option("", option)
                self.given.add(option)
        try:
            if isinstance(source, str):
                source = f'target triple = "{TRIPLE}"\n{source}'
            text = emitted(source, machine(target, level), level)
        except RuntimeError as error:
            raise Rejected(" ".join(str(error).split())) from error
        if UNKNOWN in text:
            raise Rejected(f"unknown target {target}")
        return text


if __name__ == "__main__":
    serve(Compiler)
