#!/usr/bin/env python3
"""libnvvm, NVIDIA's compiler from LLVM's language to PTX, as a compiler of the suite's. See compilers.py."""

import re

from compilers import serve
from folder import Rejected
from nvvm_library import PACKAGES, Library, release

# Those that some version has.
NUMBERS = [50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 88, 89, 90]
NUMBERS += [100, 101, 103, 107, 110, 120, 121]


class Compiler(Library):
    """libnvvm: in one library a compiler for targets up to compute_90, and another for later ones."""

    name = "nvvm"
    gives = "ptx"
    languages = ["nvvm-ir", "nvvm-bitcode"]
    remembers = False
    options = {
        "-ftz={0|1}": "flush subnormals of f32 to zero (default: 0)",
        "-prec-div={0|1}": "divisions and reciprocals of f32 as IEEE 754 has them (default: 1)",
        "-prec-sqrt={0|1}": "square roots of f32 as IEEE 754 has them (default: 1)",
        "-fma={0|1}": "contract multiplications and additions (default: 1)",
        "-opt={0|3}": "the level of optimisation (default: 3)",
        "-g": "for a debugger; takes -opt=0",
    }

    def __init__(self):
        super().__init__()
        found = [path for path in PACKAGES.glob("*/nvvm/libdevice/libdevice.*.bc")]
        self.device = found[0].read_bytes() if found else None
        self.targets = {}
        for target in (f"compute_{number}" for number in NUMBERS):
            try:
                text = self.compiled("define void @nothing() { ret void }", [], target)
            except Rejected:
                continue
            self.targets[target] = re.search(r"Based on (.+)", text)[1]
            self.release = release(text)

    def compiled(self, source, options, target):
        """The PTX of a module of functions and declarations, or of bitcode. It may call functions of libdevice."""
        options = [f"-arch={target}", *options]
        if isinstance(source, bytes):
            return self.ptx(source, options, self.device if b"__nv_" in source else None)
        device = self.device if "@__nv_" in source else None
        return self.ptx(self.module([source]).encode(), options, device)


if __name__ == "__main__":
    serve(Compiler)
