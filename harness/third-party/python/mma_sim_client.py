"""MMA-Sim, models of the matrix instructions of GPUs: its own files, unmodified, from the folder that the
command line names, with torch_stand_in.py in the place of torch. Every row of operands goes to its method
`dpa`, dot products of vectors, of the class that has the instruction on an architecture."""

import argparse
import hashlib
import importlib
import re
import subprocess
import sys
import tempfile
from importlib import metadata
from pathlib import Path

from frames import Unable
from protocol import load, numpy, serve
from sums import PACKED, parsed, rows_of

ml_dtypes = load("ml_dtypes")
import torch_stand_in  # noqa: E402: it needs what `load` finds

ARCHITECTURES = {
    "volta": "Volta", "turing": "Turing", "ampere": "Ampere", "ada": "Ada Lovelace", "hopper": "Hopper",
    "blackwell": "Blackwell", "rtx_blackwell": "RTX Blackwell",
}  # fmt: skip
# Of the formats that are not here, and of those that share a byte, it takes bytes.
NUMBERS = {
    "f64": "f8", "f32": "f4", "tf32": "f4", "f16": "f2", "bf16": ml_dtypes.bfloat16,
    "e4m3": ml_dtypes.float8_e4m3fn, "e5m2": ml_dtypes.float8_e5m2,
    "ue8m0": ml_dtypes.float8_e8m0fnu, "ue4m3": ml_dtypes.float8_e4m3fn,
}  # fmt: skip
# The column of controls of a sum whose addend is added, with nothing negated.
PLAIN = 1


def models(folder):
    """MMA-Sim's module of NVIDIA's instructions; `folder` contains the package `mmasim`."""
    source = Path(__file__).with_name("fused.c")
    sys.path.insert(0, str(folder))
    with tempfile.TemporaryDirectory() as scratch:
        library = Path(scratch) / "fused.so"
        command = ["cc", "-O2", "-ffp-contract=off", "-shared", "-fPIC", "-o", library, source, "-lm"]
        try:
            # Standard output is the protocol's.
            subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=sys.stderr)
        except (OSError, subprocess.CalledProcessError) as error:
            sys.exit(f"a C compiler, cc, is needed, and it failed: {error}")
        torch_stand_in.install(library)
        try:
            if (folder / "mmasim/simulator").is_dir():
                return importlib.import_module("mma_sim_old").Models()
            return importlib.import_module("mmasim.nv_ptx.sim")
        except Exception as error:  # somebody's files: whatever is wrong with them
            sys.exit(f"the MMA-Sim in {folder} cannot be used: {type(error).__name__}: {error}")


def version(folder):
    """What it calls its version, and a digest of its files, which tells apart what has the same number."""
    files = sorted((folder / "mmasim").rglob("*.py"))
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()[:12]
    found = [each.version for each in metadata.distributions(name="mmasim", path=[str(folder)])]
    project = folder / "pyproject.toml"
    if not found and project.is_file():
        found = re.findall(r'(?m)^version\s*=\s*"([^"]+)"', project.read_text())
    return f"{' '.join(found[0].split()) if found else 'without a number'} (files {digest})"


def named(form):
    """What MMA-Sim calls an instruction: its class, and the rest."""
    kind = [f"kind::{form.kind}"] if form.kind else []
    block = [f"block{form.block}"] if form.scale else []
    scale = [form.scale] if form.scale else []
    if form.family == "mma" and not {"rz", "rm", "rp"} & set(form.words):
        types = [form.d, form.a, form.b, form.c]
        return "MMABlockScale" if form.scale else "MMA", [form.shape, *kind, *block, *types, *scale]
    if form.family == "wgmma":
        return "WGMMA", [form.shape, form.d, form.a, form.b]
    if form.family == "tcgen05" and "cta_group::1" in form.words and "ws" not in form.words:
        # Rows and columns of a tile make no difference to one of its elements.
        types = [f"m128n8k{form.k}", *kind, *block, form.d, form.a, form.b, *scale]
        return "TCGen05MMABlockScale" if form.scale else "TCGen05MMA", types
    raise Unable("MMA-Sim has no such instruction")


def finder(sim, architecture):
    """What finds the function of a variant on an architecture."""

    def find(variant):
        form = parsed(variant)
        if form is None:
            raise Unable("MMA-Sim has dense matrix instructions alone")
        kind, words = named(form)
        try:
            model = getattr(sim, kind)(architecture, ".".join(words))
        except AssertionError as reason:
            raise Unable(str(reason).splitlines()[0]) from reason
        types = [form.a, form.b, form.c] + [form.scale] * 2 * (form.scale is not None)

        def compute(*columns):
            rows = len(columns[0])
            operands = []
            for column, name in zip(columns, types):
                packed = form.kind in PACKED and name == "e2m1"
                numbers = rows_of(column, "u1" if packed else NUMBERS.get(name, "u1"))
                operands.append(torch_stand_in.tensor_of(numbers))
            operands[2] = operands[2].reshape(rows)
            bits = numpy.asarray(model.dpa(*operands))
            results = bits.view(f"<u{bits.dtype.itemsize}")
            # It always adds, and never negates.
            return numpy.ma.array(results, mask=columns[-1] != PLAIN) if form.controls else results

        return compute

    return find


def main():
    parser = argparse.ArgumentParser(description="MMA-Sim as an implementation")
    parser.add_argument("folder", type=Path, help="that contains its package, mmasim")
    parser.add_argument("--arch", default="hopper", choices=ARCHITECTURES)
    arguments = parser.parse_args()
    architecture = ARCHITECTURES[arguments.arch]
    sim = models(arguments.folder)
    title = f"mma-sim {version(arguments.folder)}, {architecture}, with numpy {metadata.version('numpy')}"
    serve("MMA-Sim", finder(sim, architecture), title)


if __name__ == "__main__":
    main()
