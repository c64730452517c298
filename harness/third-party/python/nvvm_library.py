"""libnvvm: NVIDIA's compiler from LLVM's language to PTX, as a library."""

import ctypes
import os
import re
import sysconfig
from pathlib import Path

from folder import Rejected
from frames import missing

LAYOUT = (
    "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-"
    "v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
)


def located():
    """The path of the library: of the environment variable, or of this environment's packages."""
    packages = Path(sysconfig.get_path("purelib"), "nvidia")
    for path in [os.environ.get("NVVM"), *packages.glob("cu*/lib/libnvvm.so*")]:
        if path and Path(path).is_file():
            return path
    return missing("libnvvm.so")


class Compiler:
    """The library, for one architecture."""

    name = "libnvvm"

    def __init__(self, architecture):
        self.library = ctypes.CDLL(str(located()))
        self.architecture = architecture
        parts = [ctypes.c_int() for _ in range(4)]
        self.library.nvvmIRVersion(*map(ctypes.byref, parts))
        self.dialect = [part.value for part in parts[:2]]
        # It tells its version only in what it compiles.
        empty = self.compiled(["define void @nothing() { ret void }"], [])
        self.release = re.search(r", V(\d[\d.]*)", empty)[1]

    def module(self, parts):
        """A module of functions and declarations."""
        major, minor = self.dialect
        return "\n".join(
            [f'target datalayout = "{LAYOUT}"', 'target triple = "nvptx64-nvidia-cuda"', *parts]
            + ["!nvvmir.version = !{!0}", f"!0 = !{{i32 {major}, i32 {minor}}}", ""]
        )

    def text(self, program, what):
        """Something that a program has as text."""
        size = ctypes.c_size_t()
        getattr(self.library, f"nvvmGet{what}Size")(program, ctypes.byref(size))
        buffer = ctypes.create_string_buffer(size.value)
        getattr(self.library, f"nvvmGet{what}")(program, buffer)
        return buffer.value.decode()

    def compiled(self, parts, options):
        """The PTX of a module."""
        source = self.module(parts).encode()
        options = [f"-arch={self.architecture}", "-opt=3", *options]
        words = (ctypes.c_char_p * len(options))(*map(str.encode, options))
        program = ctypes.c_void_p()
        self.library.nvvmCreateProgram(ctypes.byref(program))
        size = ctypes.c_size_t(len(source))
        try:
            failed = self.library.nvvmAddModuleToProgram(program, source, size, b"vectors")
            failed = failed or self.library.nvvmCompileProgram(program, len(options), words)
            if failed:
                raise Rejected(" ".join(self.text(program, "ProgramLog").split()))
            return self.text(program, "CompiledResult")
        finally:
            self.library.nvvmDestroyProgram(ctypes.byref(program))
