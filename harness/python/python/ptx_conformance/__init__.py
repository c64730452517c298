"""Bit-exact results of PTX floating-point instructions and low-precision formats, and a judge of anybody's own.

`compute` and `cast` give what is right, and `mma` what tensor cores give; `check` judges arrays, `run` functions of
arrays, and `judge` functions of PTX; `vectors` gives the operands that break implementations, and `explain` one vector
step by step. `variants` lists what there is. `cases`, and the fixture `conforms`, are for pytest.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ._native import VERSION as __version__

if TYPE_CHECKING:
    from ._compute import cast, compute
    from ._elements import Element
    from ._judge import Vectors, check, explain, judge, run, sweeps, vectors
    from ._matrix import mma
    from ._pytest import cases
    from ._report import MismatchClass, Report
    from ._variants import Variant, variant, variants

__all__ = [
    "Element",
    "MismatchClass",
    "Report",
    "Variant",
    "Vectors",
    "__version__",
    "cases",
    "cast",
    "check",
    "compute",
    "explain",
    "judge",
    "mma",
    "run",
    "sweeps",
    "variant",
    "variants",
    "vectors",
]

# The program starts processes of its own, which must not load NumPy; and pytest is needed for tests alone.
_MODULES = {
    "_compute": ("cast", "compute"),
    "_elements": ("Element",),
    "_judge": ("Vectors", "check", "explain", "judge", "run", "sweeps", "vectors"),
    "_matrix": ("mma",),
    "_pytest": ("cases",),
    "_report": ("MismatchClass", "Report"),
    "_variants": ("Variant", "variant", "variants"),
}


def __getattr__(name: str) -> Any:
    for module, names in _MODULES.items():
        if name in names:
            value = getattr(import_module(f".{module}", __name__), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
