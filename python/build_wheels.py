#!/usr/bin/env python3
"""Builds the wheels of oomdoc: one a platform, with the program in its scripts folder. No network, nothing but the
standard library and Go. The same commit gives the same bytes.

    python3 python/build_wheels.py --out build/wheels
    python3 python/build_wheels.py --out build/wheels --platform linux_amd64 --binary ./oomdoc
"""

import argparse
import base64
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import zipfile

HERE = pathlib.Path(__file__).resolve().parent

# The program is linked statically on Linux, so that it runs on glibc and on musl; Go 1.26 wants macOS 12.
PLATFORMS = {
    "linux_amd64": "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
    "linux_arm64": "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
    "darwin_amd64": "macosx_12_0_x86_64",
    "darwin_arm64": "macosx_12_0_arm64",
    "windows_amd64": "win_amd64",
    "windows_arm64": "win_arm64",
}

METADATA = """\
Metadata-Version: 2.3
Name: oomdoc
Version: {version}
Summary: Find out why memory failed in a vLLM or PyTorch log, and what helps
License-Expression: Apache-2.0
Requires-Python: >=3.9
Project-URL: Source, https://github.com/oomdoc/oomdoc
Classifier: Environment :: Console
Classifier: Environment :: GPU
Classifier: Framework :: Pytest
Classifier: Intended Audience :: Developers
Classifier: Topic :: Software Development :: Debuggers
Description-Content-Type: text/markdown

"""

ENTRY_POINTS = """\
[pytest11]
oomdoc = oomdoc.pytest_plugin
"""


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--out", required=True, type=pathlib.Path, help="directory for the wheels")
    p.add_argument("--version", help="default: the tag at HEAD, 0.0.0.dev0 where there is none")
    p.add_argument("--platform", action="append", choices=sorted(PLATFORMS), help="default: all")
    p.add_argument("--binary", type=pathlib.Path, help="take this program instead of building one; with one --platform")
    a = p.parse_args()
    platforms = a.platform or list(PLATFORMS)
    if a.binary and len(platforms) != 1:
        p.error("--binary goes with one --platform")
    version = a.version or tagged()
    a.out.mkdir(parents=True, exist_ok=True)
    for name in platforms:
        with tempfile.TemporaryDirectory() as tmp:
            binary = a.binary or build(name, pathlib.Path(tmp))
            print(wheel(a.out, version, name, binary.read_bytes()))


def tagged():
    """The version that the tag at HEAD names."""
    done = subprocess.run(["git", "describe", "--tags", "--exact-match"], cwd=HERE, capture_output=True, text=True, check=False)
    tag = done.stdout.strip()
    # v1.2.3-rc.1 is 1.2.3rc1 here.
    m = re.fullmatch(r"v(\d+\.\d+\.\d+)(?:-(a|b|rc|alpha|beta)\.?(\d+))?", tag)
    if not m:
        return "0.0.0.dev0"
    return m[1] + ({"alpha": "a", "beta": "b"}.get(m[2], m[2]) + m[3] if m[2] else "")


def build(platform, tmp):
    goos, goarch = platform.split("_")
    out = tmp / "oomdoc"
    subprocess.run(
        ["go", "build", "-trimpath", "-buildvcs=true", "-ldflags=-s -w", "-o", str(out), "./cmd/oomdoc"],
        cwd=HERE.parent, check=True, env={**os.environ, "CGO_ENABLED": "0", "GOOS": goos, "GOARCH": goarch},
    )
    return out


def wheel(out, version, platform, program):
    tag = PLATFORMS[platform]
    info, data = "oomdoc-%s.dist-info" % version, "oomdoc-%s.data" % version
    script = "oomdoc.exe" if platform.startswith("windows") else "oomdoc"
    files = {"oomdoc/" + f.name: f.read_bytes() for f in sorted((HERE / "oomdoc").glob("*.py"))}
    files["oomdoc/py.typed"] = b""
    files["%s/scripts/%s" % (data, script)] = program
    files[info + "/licenses/LICENSE"] = (HERE.parent / "LICENSE").read_bytes()
    files[info + "/METADATA"] = METADATA.format(version=version).encode() + (HERE / "README.md").read_bytes()
    files[info + "/WHEEL"] = "".join(
        ["Wheel-Version: 1.0\nGenerator: oomdoc\nRoot-Is-Purelib: false\n"] + ["Tag: py3-none-%s\n" % t for t in tag.split(".")]
    ).encode()
    files[info + "/entry_points.txt"] = ENTRY_POINTS.encode()
    record = "".join("%s,sha256=%s,%d\n" % (n, digest(b), len(b)) for n, b in files.items())
    files[info + "/RECORD"] = (record + info + "/RECORD,,\n").encode()

    path = out / ("oomdoc-%s-py3-none-%s.whl" % (version, tag))
    stamp = time.gmtime(max(int(os.environ.get("SOURCE_DATE_EPOCH", 0)), 315532800))[:6]  # a zip begins in 1980
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as z:
        for name, text in files.items():
            entry = zipfile.ZipInfo(name, stamp)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            entry.external_attr = (0o100755 if "/scripts/" in name else 0o100644) << 16
            z.writestr(entry, text)
    return path


def digest(text):
    return base64.urlsafe_b64encode(hashlib.sha256(text).digest()).rstrip(b"=").decode()


if __name__ == "__main__":
    sys.exit(main())
