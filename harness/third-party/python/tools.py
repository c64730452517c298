"""NVIDIA's programs, and what they say."""

import os
import subprocess
import sysconfig
import tempfile
from pathlib import Path

from compilers import Died
from folder import Rejected
from installed import located


def tool(name):
    """The path of a tool: of the environment variable of its name, or of this environment's packages."""
    packages = Path(sysconfig.get_path("purelib"), "nvidia")
    return located(name.upper(), packages.glob(f"cu*/bin/{name}"), name, os.X_OK)


def said(name, *arguments):
    """What a tool prints. What it refuses is rejected in its words."""
    done = subprocess.run([tool(name), *arguments], capture_output=True, text=True)
    if done.returncode < 0:
        raise Died(f"{name}: signal {-done.returncode}")
    if done.returncode:
        raise Rejected(" ".join((done.stdout + done.stderr).split()))
    return done.stdout


def disassembled(binary):
    """The machine code of a binary as text: only of binaries that were just made from sources of the suite's."""
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(binary)
        file.flush()
        try:
            # Nobody reads what it finds out about the flow of data.
            return said("nvdisasm", "-c", "-ndf", file.name)
        except Rejected as rejected:
            # The source was taken.
            raise Died(f"nvdisasm: {rejected}") from rejected
