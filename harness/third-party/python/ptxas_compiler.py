#!/usr/bin/env python3
"""ptxas, NVIDIA's assembler from PTX to machine code, as a compiler of the suite's. See compilers.py."""

import re
import tempfile
from pathlib import Path

from compilers import serve
from tools import disassembled, said, tool


class Compiler:
    """ptxas, and nvdisasm, which reads what it has written."""

    name = "ptxas"
    languages = ["ptx"]
    gives = "code"
    remembers = False
    options = {
        "-O{0|1|2|3}": "the optimisation level (default: 3)",
        "-fmad={true|false}": "contract multiplications and additions (default: true)",
    }

    def __init__(self):
        tool("nvdisasm")
        self.folder = tempfile.TemporaryDirectory()
        self.release = re.search(r"V(\d[\d.]*)", said("ptxas", "--version"))[1]
        names = re.findall(r"'(sm_\w+)'", said("ptxas", "--help"))
        self.targets = dict.fromkeys(sorted(set(names)), f"ptxas {self.release}")

    def compiled(self, source, options, target):
        """The machine code of a module of PTX, disassembled."""
        with tempfile.TemporaryDirectory(dir=self.folder.name) as folder:
            ptx, cubin = Path(folder, "source.ptx"), Path(folder, "source.cubin")
            ptx.write_text(source)
            said("ptxas", *options, "--disable-warnings", f"-arch={target}", "-o", cubin, ptx)
            return disassembled(cubin.read_bytes())


if __name__ == "__main__":
    serve(Compiler)
