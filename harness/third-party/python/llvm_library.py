"""LLVM's own compiler from its language to PTX, by way of the package llvmlite."""

from installed import missing

try:
    from llvmlite import binding as llvm
except ModuleNotFoundError:
    missing("llvmlite")

llvm.initialize_all_targets()
llvm.initialize_all_asmprinters()
TRIPLE = "nvptx64-nvidia-cuda"
RELEASE = ".".join(map(str, llvm.llvm_version_info))


def machine(architecture, level=3):
    """What compiles for an architecture."""
    return llvm.Target.from_triple(TRIPLE).create_target_machine(cpu=architecture, opt=level)


def emitted(source, machine, level=3):
    """The PTX of a module, a text or bitcode. What LLVM cannot select ends the process."""
    if isinstance(source, bytes):
        module = llvm.parse_bitcode(source)
        module.triple = TRIPLE
    else:
        module = llvm.parse_assembly(source)
    tuning = llvm.create_pipeline_tuning_options(speed_level=level)
    builder = llvm.create_pass_builder(machine, tuning)
    builder.getModulePassManager().run(module, builder)
    return machine.emit_assembly(module)
