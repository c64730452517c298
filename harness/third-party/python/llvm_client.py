#!/usr/bin/env python3
"""LLVM's own compiler from its language to PTX, by way of the package llvmlite, as an implementation:
what it makes of operations whose operands it knows. See folder.py.

    cargo xtask conformance --impl llvm
    cargo xtask conformance --impl 'exec,deadline=120:python3 llvm_client.py --arch sm_90'
"""

import os

from folder import Rejected, main
from llvm_library import RELEASE, TRIPLE, emitted, machine


class Compiler:
    """LLVM, for one architecture."""

    name = "LLVM"

    def __init__(self, architecture):
        self.machine = machine(architecture)
        self.architecture = architecture
        self.release = RELEASE

    def module(self, parts, options):
        """A module of functions and declarations."""
        flushes = "preserve-sign,preserve-sign" if "-ftz=1" in options else "ieee,ieee"
        marked = [
            part.replace(" {", " #0 {") if part.startswith("define") else part for part in parts
        ]
        attributes = f'attributes #0 = {{ "denormal-fp-math-f32"="{flushes}" }}'
        return "\n".join([f'target triple = "{TRIPLE}"', *marked, attributes])

    def compiled(self, parts, options):
        """The PTX of a module, compiled by a process of its own."""
        source = self.module(parts, options)
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            with os.fdopen(writer, "w") as sink:
                try:
                    sink.write(emitted(source, self.machine))
                except RuntimeError:
                    os._exit(1)
            os._exit(0)
        os.close(writer)
        with os.fdopen(reader) as answer:
            text = answer.read()
        _, status = os.waitpid(child, 0)
        if status != 0:
            raise Rejected("LLVM does not take it")
        return text


if __name__ == "__main__":
    main(Compiler, "sm_100", "sm_90")
