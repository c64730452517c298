"""Builds the library whose path is given, against the headers of CUDA: those of CUDA_HOME if it is set,
or else of the packages in this interpreter's environment."""

import glob
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

HERE = Path(__file__).parent


def headers():
    """The folder that the headers are in."""
    if home := os.environ.get("CUDA_HOME"):
        return f"{home}/include"
    found = glob.glob(f"{sysconfig.get_path('purelib')}/nvidia/cu*/include")
    if not found:
        sys.exit("the headers of CUDA are missing: cargo xtask setup cuda_headers, or set CUDA_HOME")
    return found[0]


if __name__ == "__main__":
    command = [os.environ.get("CXX", "g++"), "-std=c++17", "-O2", "-shared", "-fPIC"]
    protocol = HERE.parent.parent / "protocol"
    sources = sorted(HERE.glob("*.cpp"))
    command += ["-I", headers(), "-I", protocol, "-o", sys.argv[1], *sources]
    sys.exit(subprocess.run(command).returncode)
