"""Version 1 of MMA-Sim, which takes whole tiles and computes one element after the other: its classes, called
as those of version 2 are. A tile has one row and one column here, so that it is one dot product."""

import importlib

import torch_stand_in

# What version 2 calls a class, and version 1.
CLASSES = {
    "MMA": "mma", "MMABlockScale": "mma_block_scale", "WGMMA": "wgmma",
    "TCGen05MMA": "tcgen05mma", "TCGen05MMABlockScale": "tcgen05mma_block_scale",
}  # fmt: skip


class Operation:
    """An instruction of an architecture."""

    def __init__(self, tile):
        self.tile = tile
        tile.m = tile.n = 1

    def dpa(self, a, b, c, *scales):
        """The dot product of each row."""
        found = [self.one(*operands) for operands in zip(a, b, c, *scales)]
        return torch_stand_in.cat(found, 0)

    def one(self, a, b, c, *scales):
        columns = [each.reshape(-1, 1) for each in (b, *scales[1:])]
        rows = [each.reshape(1, -1) for each in (a, *scales[:1])]
        operands = [rows[0], columns[0], c.reshape(1, 1), *rows[1:], *columns[1:]]
        return self.tile(*operands).reshape(1)


class Models:
    """Its module, with the names of version 2."""

    def __init__(self):
        self.module = importlib.import_module("mmasim.simulator.nv_ptx")

    def __getattr__(self, name):
        def operation(architecture, qualifier):
            words = [word for word in qualifier.split(".") if not word.startswith("kind::")]
            return Operation(getattr(self.module, CLASSES[name])(architecture, ".".join(words)))

        return operation
