"""NVRTC: NVIDIA's compiler from CUDA C++ to PTX, as a library."""

import ctypes
import re
import sysconfig
from pathlib import Path

from folder import Rejected
from installed import library

# Where a package of version 13 has its files, and where those of version 12 have theirs.
PACKAGES = Path(sysconfig.get_path("purelib"), "nvidia")
HEADERS = ["cu*/include", "cu*/include/cccl", "cuda_*/include"]


class Library:
    """The library."""

    name = "nvrtc"
    gives = "ptx"
    languages = ["cuda"]
    remembers = False
    options = {
        "--ftz={true|false}": "flush subnormals of f32 to zero (default: false)",
        "--prec-div={true|false}": "divisions and reciprocals of f32 as IEEE 754 has them (default: true)",
        "--prec-sqrt={true|false}": "square roots of f32 as IEEE 754 has them (default: true)",
        "--fmad={true|false}": "contract multiplications and additions (default: true)",
        "--use_fast_math": "--ftz=true --prec-div=false --prec-sqrt=false --fmad=true, and more",
        "--std=c++{11|14|17|20}": "the language",
        "--device-debug": "without optimisation, for a debugger",
    }

    def __init__(self):
        found = [*PACKAGES.glob("cu*/lib/libnvrtc.so.*"), *PACKAGES.glob("cuda_nvrtc/lib/libnvrtc.so.*")]
        self.library = library("NVRTC", found, "libnvrtc.so")
        headers = [path for pattern in HEADERS for path in sorted(PACKAGES.glob(pattern))]
        self.fixed = ["-rdc=true", *(f"-I{path}" for path in headers)]
        count = ctypes.c_int()
        self.library.nvrtcGetNumSupportedArchs(ctypes.byref(count))
        numbers = (ctypes.c_int * count.value)()
        self.library.nvrtcGetSupportedArchs(numbers)
        self.targets = {}
        for target in (f"compute_{number}" for number in numbers):
            text = self.compiled("", [], target)
            self.targets[target] = re.search(r"Based on (.+)", text)[1]
        # The library itself knows no more than 13.5.
        self.release = re.search(r", V(\d[\d.]*)", text)[1]

    def text(self, program, what):
        """Something that a program has as text."""
        size = ctypes.c_size_t()
        getattr(self.library, f"nvrtcGet{what}Size")(program, ctypes.byref(size))
        buffer = ctypes.create_string_buffer(size.value)
        getattr(self.library, f"nvrtcGet{what}")(program, buffer)
        return buffer.value.decode(errors="replace")

    def compiled(self, source, options, target):
        """The PTX of a module; its functions for the device are kept."""
        words = [f"--gpu-architecture={target}", *self.fixed, *options]
        words = (ctypes.c_char_p * len(words))(*map(str.encode, words))
        program = ctypes.c_void_p()
        self.library.nvrtcCreateProgram(
            ctypes.byref(program), source.encode(), b"source.cu", 0, None, None
        )
        try:
            if self.library.nvrtcCompileProgram(program, len(words), words):
                raise Rejected(" ".join(self.text(program, "ProgramLog").split()))
            return self.text(program, "PTX")
        finally:
            self.library.nvrtcDestroyProgram(ctypes.byref(program))
