#!/usr/bin/env python3
"""libnvvm, NVIDIA's compiler from LLVM's language to PTX, as an implementation: what it makes of
operations whose operands it knows. See folder.py.

    cargo xtask conformance --impl nvvm
    cargo xtask conformance --impl 'exec,deadline=120:python3 nvvm_client.py --arch compute_120'
"""

from folder import main
from nvvm_library import Compiler

if __name__ == "__main__":
    # Architectures before this one are compiled from another dialect.
    main(Compiler, "compute_100", "compute_120")
