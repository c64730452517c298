"""libnvvm: NVIDIA's compiler from LLVM's language to PTX, as a library."""

import ctypes
import re
import sysconfig
from pathlib import Path

from folder import Rejected
from installed import library

LAYOUT = (
    "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-"
    "v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
)


# Where a package of version 13 has its files, and where one of version 12 has them.
PACKAGES = Path(sysconfig.get_path("purelib"), "nvidia")


class Library:
    """The library."""

    def __init__(self):
        found = [*PACKAGES.glob("cu*/lib/libnvvm.so*"), *PACKAGES.glob("cuda_nvcc/nvvm/lib64/libnvvm.so")]
        self.library = library("NVVM", found, "libnvvm.so")
        parts = [ctypes.c_int() for _ in range(4)]
        self.library.nvvmIRVersion(*map(ctypes.byref, parts))
        self.dialect = [part.value for part in parts[:2]]

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
        return buffer.value.decode(errors="replace")

    def ptx(self, source, options, device=None):
        """The PTX of a module, a text in UTF-8 or bitcode; `device` is a library of functions that it may call."""
        words = (ctypes.c_char_p * len(options))(*map(str.encode, options))
        program = ctypes.c_void_p()
        self.library.nvvmCreateProgram(ctypes.byref(program))

        def add(name, text):
            size = ctypes.c_size_t(len(text))
            return getattr(self.library, f"nvvm{name}ToProgram")(program, text, size, name.encode())

        try:
            failed = add("AddModule", source)
            failed = failed or (device is not None and add("LazyAddModule", device))
            failed = failed or self.library.nvvmCompileProgram(program, len(options), words)
            if failed:
                raise Rejected(" ".join(self.text(program, "ProgramLog").split()))
            return self.text(program, "CompiledResult")
        finally:
            self.library.nvvmDestroyProgram(ctypes.byref(program))


def release(text):
    """The version of the library, which it tells only in what it compiles."""
    return re.search(r", V(\d[\d.]*)", text)[1]


class Compiler(Library):
    """The library, for one architecture."""

    name = "libnvvm"

    def __init__(self, architecture):
        super().__init__()
        self.architecture = architecture
        self.release = release(self.compiled(["define void @nothing() { ret void }"], []))

    def compiled(self, parts, options):
        """The PTX of a module of functions and declarations."""
        return self.ptx(self.module(parts).encode(), [f"-arch={self.architecture}", "-opt=3", *options])
