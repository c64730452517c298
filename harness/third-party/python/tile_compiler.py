#!/usr/bin/env python3
"""cuTile and tileiras, NVIDIA's compiler from a tile of Python to machine code, as a compiler of the suite's.
See compilers.py."""

import io
import linecache
import os
import re
import tempfile

from compilers import Died, serve
from folder import Rejected
from installed import missing
from tools import disassembled, said

# What it compiled before it must not answer for what it compiles now.
os.environ["CUDA_TILE_CACHE_DIR"] = "off"
FILE = "source.py"


def loaded(source):
    """The kernel of a source and its signature."""
    # cuTile reads the text of a function again, by the name of its file.
    linecache.cache[FILE] = (len(source), None, source.splitlines(keepends=True), FILE)
    names = {"__name__": "source"}
    try:
        exec(compile(source, FILE, "exec"), names)
        return names["kernel"], names["signature"]
    except Exception as error:
        raise Rejected(f"{type(error).__name__}: {error}") from error


class Compiler:
    """cuTile and tileiras. Their options stand in the source."""

    name = "tile"
    languages = ["cutile"]
    gives = "code"
    remembers = False
    options = {}

    def __init__(self):
        # Files of cuTile's own, too, which it leaves to the end of its process.
        self.folder = tempfile.TemporaryDirectory()
        os.environ["CUDA_TILE_TEMP_DIR"] = self.folder.name
        try:
            from cuda.tile import compilation
        except ModuleNotFoundError:
            missing("cuda-tile")
        self.export = compilation.export_kernel
        self.release = re.search(r"V(\d[\d.]*)", said("tileiras", "--version"))[1]
        names = re.findall(r"=(sm_\d+) ", said("tileiras", "--help"))
        self.targets = dict.fromkeys(names, f"tileiras {self.release}")

    def compiled(self, source, options, target):
        """The machine code of a source that has a `kernel` and its `signature`, disassembled."""
        if options:
            raise Rejected(f"unknown option {options[0]}: options of cuTile stand in the source")
        kernel, signature = loaded(source)
        binary = io.BytesIO()
        try:
            self.export(kernel, [signature], binary, gpu_code=target, output_format="cubin")
        except OSError:
            # No word about the source.
            raise
        except Exception as error:
            died = getattr(error.__context__, "returncode", 1)
            if died < 0:
                raise Died(f"tileiras: signal {-died}") from error
            raise Rejected(" ".join(f"{type(error).__name__}: {error}".split())) from error
        return disassembled(binary.getvalue())


if __name__ == "__main__":
    serve(Compiler)
