"""The package as it is installed: its files, its program, its speed of loading."""

from __future__ import annotations

import doctest
import importlib.metadata
import pkgutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import ptx_conformance

MODULES = ["ptx_conformance", *(f"ptx_conformance.{m.name}" for m in pkgutil.iter_modules(ptx_conformance.__path__))]


@pytest.mark.parametrize("name", [name for name in MODULES if not name.endswith(("_native", "__main__"))])
def test_examples_of_docstrings(name: str) -> None:
    module = __import__(name, fromlist=["_"])
    failed, _ = doctest.testmod(module)
    assert failed == 0


def test_examples_of_the_page() -> None:
    page = (Path(__file__).parent.parent / "README.md").read_text()
    blocks = page.split("```python\n")[1:]
    assert len(blocks) == 5
    ones = np.ones(3, ml_dtypes.bfloat16)
    matrix = np.ones((16, 16), np.float16)
    space: dict[str, Any] = {"a": ones, "b": ones, "c": ones}
    space |= {"A": matrix, "B": matrix, "C": np.ones((16, 16), np.float32)}
    for block in blocks:
        exec(block.split("```")[0], space)
    assert callable(space["test_my_cast"])


def test_files() -> None:
    files = {
        str(file) for file in importlib.metadata.files("ptx-conformance") or []
        if "__pycache__" not in str(file) and not str(file).startswith("..")
    }
    own = {file.split("/", 1)[1] for file in files if file.startswith("ptx_conformance/")}
    assert own == {
        "__init__.py", "__main__.py", "_compute.py", "_elements.py", "_judge.py", "_matrix.py", "_native.abi3.so", "_native.pyi",
        "_pytest.py", "_report.py", "_variants.py", "py.typed",
    }
    about = {file.split("/", 1)[1] for file in files if ".dist-info/" in file}
    made_by_pip = {"INSTALLER", "REQUESTED", "direct_url.json"}
    assert about - made_by_pip == {
        "METADATA", "RECORD", "WHEEL", "entry_points.txt",
        "licenses/licenses/LICENSE-APACHE", "licenses/licenses/LICENSE-MIT",
        "licenses/licenses/gmp-mpfr/COPYING", "licenses/licenses/gmp-mpfr/COPYING.LESSER",
        "licenses/licenses/gmp-mpfr/NOTICE",
        "sboms/gmp-mpfr.cdx.json", "sboms/ptx-conformance-python.cyclonedx.json",
    }


def program(*words: str) -> subprocess.CompletedProcess[str]:
    """Runs the program of the package."""
    path = Path(sys.executable).parent / "conformance"
    return subprocess.run([path, *words], capture_output=True, text=True, timeout=300)


def test_the_program_is_there(tmp_path: Path) -> None:
    assert ptx_conformance.__version__ in program("--version").stdout
    wrong = program("conformance", "--impl", "nothing")
    assert wrong.returncode == 2 and "nothing" in wrong.stderr
    out = str(tmp_path / "run")
    green = program("conformance", "--only", "neg.f16", "--out", out)
    assert green.returncode == 0, green.stderr
    red = program("conformance", "--impl", "canary", "--only", "fma.rn.bf16", "--out", out)
    assert red.returncode == 1 and "double rounding" in red.stdout


def test_the_program_starts_clients_and_survives_them(tmp_path: Path) -> None:
    client = tmp_path / "client.py"
    client.write_text(
        "import sys\n"
        "if sys.argv[-1] == 'variants':\n"
        "    print('neg.f16')\n"
        "else:\n"
        "    for line in sys.stdin:\n"
        "        bits = int(line, 16)\n"
        "        print(f'{0x7fff if bits & 0x7fff > 0x7c00 else bits ^ 0x8000:04x}')\n"
    )
    words = ["--only", "neg.f16", "--out", str(tmp_path / "run")]
    right = program("conformance", "--impl", f"text,vectors=500:{sys.executable} {client}", *words)
    assert right.returncode == 0, right.stdout + right.stderr
    client.write_text(client.read_text().replace("    for line", "    sys.exit(3)\n    for line"))
    broken = program("conformance", "--impl", f"text,vectors=500:{sys.executable} {client}", *words)
    assert broken.returncode == 1, broken.stdout + broken.stderr


def test_processes_of_the_program_load_no_numpy() -> None:
    code = "import sys, ptx_conformance.__main__; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_names_are_those_of_all() -> None:
    assert dir(ptx_conformance) == sorted(ptx_conformance.__all__)
    for name in ptx_conformance.__all__:
        assert getattr(ptx_conformance, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = ptx_conformance.nothing  # type: ignore[attr-defined]
