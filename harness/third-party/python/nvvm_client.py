#!/usr/bin/env python3
"""libnvvm, NVIDIA's compiler from LLVM's language to PTX, as an implementation: what it makes of
operations whose operands it knows. See folder.py.

    cargo xtask conformance --impl nvvm
    cargo xtask conformance --impl 'exec,deadline=120:python3 nvvm_client.py --arch compute_120'
"""

import argparse

from folder import Folder
from frames import by_rows, serve
from nvvm_library import Compiler


def main():
    parser = argparse.ArgumentParser(description="libnvvm as an implementation")
    # Architectures before this one are compiled from another dialect.
    default = "compute_100"
    parser.add_argument("--arch", default=default, help=f"such as compute_120 (default: {default})")
    compiler = Compiler(parser.parse_args().arch)
    folder = Folder(compiler)
    serve(f"libnvvm {compiler.release} {compiler.architecture}", folder.operation, by_rows(folder.run))


if __name__ == "__main__":
    main()
