#!/usr/bin/env python3
"""Builds the wheel of the Python package, with the licences of everything that is linked into it.

    python3 harness/python/build_wheel.py [--out FOLDER]

Needs Rust, a C compiler, Python 3.10 or newer and its packages: maturin is installed into a virtual environment under
`target/python`. The wheel is left in FOLDER, `target/python` unless another is named.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
MATURIN = "1.16.0"
#: What `pyproject.toml` names, made anew by each build.
LICENSES = HERE / "licenses"

NOTICE = """\
# GMP {gmp} and MPFR {mpfr}

The native module of this wheel is linked statically with the GNU MP library {gmp} and the GNU MPFR library {mpfr}. Both
are free software under the GNU Lesser General Public License, version 3 or, at your option, any later version. Its text
is in COPYING.LESSER, and that of the GNU General Public License, which it refers to, in COPYING.

The sources of both, unchanged, are in version {crate} of the Rust package gmp-mpfr-sys, whose SHA-256 is
{checksum}. They are also at gmplib.org and mpfr.org.

To link this module with another version of them, take the sources of ptx-conformance {suite}, set up the version of GMP
and MPFR that you want so that `pkg-config mpfr` finds it, and build the wheel again with

    python3 harness/python/build_wheel.py --system-mpfr
"""


def linked() -> tuple[Path, dict[str, str]]:
    """Returns the folder of the Rust package that has GMP and MPFR, and the versions of all that is told of them."""
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--manifest-path", str(ROOT / "Cargo.toml")]
    metadata = json.loads(subprocess.check_output(command))
    packages = {package["name"]: package for package in metadata["packages"]}
    package = packages["gmp-mpfr-sys"]
    folder = Path(package["manifest_path"]).parent
    lock = (ROOT / "Cargo.lock").read_text()
    checksum = re.search(r'name = "gmp-mpfr-sys"\n.*\n.*\nchecksum = "([0-9a-f]{64})"', lock)
    versions = {
        library: next(folder.glob(f"{library}-*-c")).name.split("-")[1] for library in ("gmp", "mpfr")
    }
    versions["crate"] = package["version"]
    versions["suite"] = packages["ptx-conformance-python"]["version"]
    versions["checksum"] = checksum[1] if checksum else "unknown"
    return folder, versions


def bill_of_materials(versions: dict[str, str]) -> dict[str, object]:
    """Returns what CycloneDX says of the two libraries, which the tree of Rust's packages does not know."""

    def component(name: str, title: str) -> dict[str, object]:
        return {
            "type": "library",
            "name": name,
            "version": versions[name],
            "description": title,
            "licenses": [{"license": {"id": "LGPL-3.0-or-later"}}],
            "purl": f"pkg:generic/{name}@{versions[name]}",
            "pedigree": {
                "notes": f"Built from the sources in the Rust package gmp-mpfr-sys {versions['crate']} and linked statically"
            },
            "hashes": [{"alg": "SHA-256", "content": versions["checksum"]}],
        }

    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "components": [component("gmp", "GNU MP"), component("mpfr", "GNU MPFR")],
    }


def write_licenses() -> None:
    """Writes the licences and the bill of materials where `pyproject.toml` names them."""
    folder, versions = linked()
    shutil.rmtree(LICENSES, ignore_errors=True)
    own = LICENSES / "gmp-mpfr"
    own.mkdir(parents=True)
    for name in ("LICENSE-MIT", "LICENSE-APACHE"):
        shutil.copy(ROOT / name, LICENSES / name)
    sources = folder / f"mpfr-{versions['mpfr']}-c"
    for name in ("COPYING", "COPYING.LESSER"):
        shutil.copy(sources / name, own / name)
    (own / "NOTICE").write_text(NOTICE.format(**versions))
    (HERE / "gmp-mpfr.cdx.json").write_text(json.dumps(bill_of_materials(versions), indent=2) + "\n")


def maturin(environment: Path) -> str:
    """Returns a maturin of the version that this wheel is built with."""
    program = environment / "bin" / "maturin"
    if not program.exists():
        venv.create(environment, with_pip=True)
        subprocess.run([environment / "bin" / "pip", "install", "--quiet", f"maturin=={MATURIN}"], check=True)
    return str(program)


def main() -> int:
    """Builds the wheel."""
    parser = argparse.ArgumentParser(description="Builds the wheel of the Python package.")
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve()
    parser.add_argument("--out", type=Path, default=target / "python", help="folder of the wheel [default: target/python]")
    parser.add_argument("--system-mpfr", action="store_true", help="link with the GMP and MPFR of the system")
    arguments = parser.parse_args()
    write_licenses()
    command = [maturin(target / "python" / "build"), "build", "--quiet", "--release", "--locked"]
    command += ["--manifest-path", str(HERE / "Cargo.toml"), "--out", str(arguments.out.resolve())]
    if arguments.system_mpfr:
        command += ["--features", "system-mpfr"]
    return subprocess.run(command).returncode


if __name__ == "__main__":
    sys.exit(main())
