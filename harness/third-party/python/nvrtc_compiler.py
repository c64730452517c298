#!/usr/bin/env python3
"""NVRTC, NVIDIA's compiler from CUDA C++ to PTX, as a compiler of the suite's. See compilers.py."""

from compilers import serve
from nvrtc_library import Library

if __name__ == "__main__":
    serve(Library)
