#!/usr/bin/env python3
"""NVIDIA's assembler as an implementation: what it makes of instructions whose operands it knows.

    cargo xtask conformance --impl ptxas
    cargo xtask conformance --impl 'exec,deadline=120:python3 ptxas_client.py --opt 1'

It has the variants of which ptxas computes half the results or more itself. Where it leaves something to
the hardware, such as the NaN of a `div.approx`, there is no result.
"""

import argparse
import bisect
import itertools
import re
import subprocess
import tempfile
from pathlib import Path

import kernels
import machine_code
from frames import Unable, by_rows, serve
from siblings import siblings
from tools import tool
from variants import enough, samples, types

# The targets that a variant is tried for, in this order. An older one, sm_75, makes an f16 by converting
# a constant, of which one cannot see whether it is the result or an operand.
TARGETS = ["sm_80", "sm_90", "sm_100", "sm_107f"]
# The versions of PTX that are tried: the newest that ptxas reads has all variants that it knows.
VERSIONS = ["9.5", "9.4", "9.2", "9.0", "8.8", "8.6", "8.4", "8.0"]
# Where it may contract an add, sub or mul that has no rounding, ptxas folds it less often.
OPTIONS = ["--fmad=false", "--disable-warnings"]
# How many rows a kernel has, and how many kernels a module.
ROWS, KERNELS = 128, 64


class Refused(Exception):
    """What ptxas says of a module that it does not take; `lines` are those that it complains about."""

    def __init__(self, words):
        super().__init__(" ".join(words.split()))
        self.lines = {int(line) for line in re.findall(r", line (\d+); error", words)}

    def blamed(self, texts):
        """Which kernels of the module the lines belong to."""
        lengths = [text.count("\n") + 1 for text in texts]
        ends = list(itertools.accumulate(lengths, initial=kernels.HEAD))
        return {bisect.bisect_left(ends, line) - 1 for line in self.lines if line > kernels.HEAD}


class Assembler:
    """ptxas and nvdisasm."""

    def __init__(self, level):
        self.level = level
        self.ptxas, self.nvdisasm = tool("ptxas"), tool("nvdisasm")
        says = subprocess.run([self.ptxas, "--version"], capture_output=True, text=True).stdout
        self.release = re.search(r"V(\d[\d.]*)", says)[1]
        self.folder = tempfile.TemporaryDirectory()
        self.version = next(version for version in VERSIONS if self.knows(TARGETS[0], version))

    def assembled(self, target, texts, version):
        """Assembles a module of kernels; where the machine code is."""
        ptx, cubin = (Path(self.folder.name, name) for name in ("module.ptx", "module.cubin"))
        ptx.write_text(kernels.module(version, target, texts))
        command = [self.ptxas, *OPTIONS, f"-O{self.level}", f"-arch={target}", "-o", cubin, ptx]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise Refused(done.stdout + done.stderr)
        return cubin

    def knows(self, target, version):
        """Whether there are such a target and such a version of PTX."""
        try:
            return bool(self.assembled(target, [], version))
        except Refused:
            return False

    def folded(self, target, work):
        """Of each pair of a variant and rows of operands: the results of each row, or None if they are
        not all constants."""
        texts = [kernels.kernel(*pair, f"k{at}") for at, pair in enumerate(work)]
        # Nobody reads what it finds out about the flow of data.
        command = [self.nvdisasm, "-c", "-ndf", self.assembled(target, texts, self.version)]
        listing = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        stored = machine_code.constants(listing)
        return [results(stored.get(f"k{at}", {}), *pair) for at, pair in enumerate(work)]


def results(stored, variant, rows):
    """What a kernel has stored, in rows."""
    count = len(types(variant)[1])
    values = [stored.get(place * kernels.STRIDE) for place in range(len(rows) * count)]
    return [None if None in row else row for row in zip(*[iter(values)] * count)]


FEW = Unable("ptxas folds it for few of the operands that were tried, or none")


class Folder:
    """What ptxas folds."""

    def __init__(self, assembler, targets):
        self.assembler, self.targets = assembler, targets
        # Of each variant that was tried: the target for which it folds, or why there is none.
        self.known = {}

    def tried(self, target, work):
        """The results of each variant that ptxas takes; of the others there is nothing."""
        if not work:
            return {}
        try:
            return dict(zip([variant for variant, _ in work], self.assembler.folded(target, work)))
        except Refused as refused:
            wrong = refused.blamed([kernels.kernel(*pair, "k") for pair in work])
        if wrong:
            return self.tried(target, [pair for at, pair in enumerate(work) if at not in wrong])
        # It does not say which kernels it is about.
        middle = len(work) // 2
        parts = (work[:middle], work[middle:]) if middle else ()
        return {name: rows for part in parts for name, rows in self.tried(target, part).items()}

    def explore(self, variants):
        """Finds out what ptxas makes of some variants."""
        for target in self.targets:
            tried = [variant for variant in variants if variant not in self.known]
            done = self.tried(target, [(each, samples(types(each)[0])) for each in tried])
            self.known |= {each: target if enough(done[each]) else FEW for each in done}
        refused = [variant for variant in variants if variant not in self.known]
        self.known |= dict.fromkeys(refused, Unable("ptxas refuses it"))

    def supports(self, variant):
        if types(variant) is None:
            raise Unable("ptxas folds nothing of its shape in the versions that were tried")
        if variant not in self.known:
            self.explore(siblings(variant))
        if isinstance(self.known[variant], Unable):
            raise self.known[variant]

    def run(self, variant, rows):
        # Another process may have said that the variant is supported.
        targets = [self.known[variant]] if variant in self.known else self.targets
        computed = []
        for start in range(0, len(rows), ROWS * KERNELS):
            part = rows[start : start + ROWS * KERNELS]
            work = [(variant, part[at : at + ROWS]) for at in range(0, len(part), ROWS)]
            targets, done = self.first(targets, work)
            computed += itertools.chain.from_iterable(done)
        self.known[variant] = targets[0]
        return computed

    def first(self, targets, work):
        """Folds for the first target that ptxas takes it for: the targets from that one on, and the
        results."""
        try:
            return targets, self.assembler.folded(targets[0], work)
        except Refused as refused:
            if not targets[1:]:
                raise Unable(f"ptxas refuses it: {refused}") from refused
            return self.first(targets[1:], work)


def main():
    parser = argparse.ArgumentParser(description="ptxas as an implementation")
    parser.add_argument("--opt", type=int, choices=[1, 2, 3], default=3, help="ptxas's level")
    parser.add_argument("--target", help="such as sm_90 (default: the plainest that has the variant)")
    options = parser.parse_args()
    assembler = Assembler(options.opt)
    wanted = [options.target] if options.target else TARGETS
    targets = [target for target in wanted if assembler.knows(target, assembler.version)]
    if not targets:
        parser.error(f"ptxas {assembler.release} does not know {options.target}")
    folder = Folder(assembler, targets)
    serve(f"ptxas {assembler.release} -O{options.opt}", folder.supports, by_rows(folder.run))


if __name__ == "__main__":
    main()
