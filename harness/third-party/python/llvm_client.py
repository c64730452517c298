#!/usr/bin/env python3
"""LLVM's own compiler from its language to PTX, by way of the package llvmlite, as an implementation:
what it makes of operations whose operands it knows. See folder.py.

    cargo xtask conformance --impl llvm
    cargo xtask conformance --impl 'exec,deadline=120:python3 llvm_client.py --arch sm_90'
"""

import os

from folder import Rejected, main
from frames import missing

try:
    from llvmlite import binding as llvm
except ModuleNotFoundError:
    missing("llvmlite")


class Compiler:
    """LLVM, for one architecture."""

    name = "LLVM"

    def __init__(self, architecture):
        llvm.initialize_all_targets()
        llvm.initialize_all_asmprinters()
        target = llvm.Target.from_triple("nvptx64-nvidia-cuda")
        self.machine = target.create_target_machine(cpu=architecture, opt=3)
        self.architecture = architecture
        self.release = ".".join(map(str, llvm.llvm_version_info))

    def module(self, parts, options):
        """A module of functions and declarations."""
        flushes = "preserve-sign,preserve-sign" if "-ftz=1" in options else "ieee,ieee"
        marked = [
            part.replace(" {", " #0 {") if part.startswith("define") else part for part in parts
        ]
        attributes = f'attributes #0 = {{ "denormal-fp-math-f32"="{flushes}" }}'
        return "\n".join([f'target triple = "{self.machine.triple}"', *marked, attributes])

    def emitted(self, source):
        """The PTX of a module. What LLVM cannot select ends the process."""
        module = llvm.parse_assembly(source)
        tuning = llvm.create_pipeline_tuning_options(speed_level=3)
        builder = llvm.create_pass_builder(self.machine, tuning)
        builder.getModulePassManager().run(module, builder)
        return self.machine.emit_assembly(module)

    def compiled(self, parts, options):
        """The PTX of a module, compiled by a process of its own."""
        source = self.module(parts, options)
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            with os.fdopen(writer, "w") as sink:
                try:
                    sink.write(self.emitted(source))
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
