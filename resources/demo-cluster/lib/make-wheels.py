#!/usr/bin/python3
"""Makes the wheels that the lesson about pip's constraints installs: make-wheels.py FOLDER

Two versions of slipway-tensor, a slipway-vision that wants the newer one, and a slipway-trainer that is content with
either. They hold nothing but a version, so that the lesson takes seconds where the real packages take gigabytes; what
pip says about them is pip's own.
"""

import base64
import hashlib
import os
import sys
import zipfile

WHEELS = [
    # distribution, module, version, what it needs
    ("slipway-tensor", "slipway_tensor", "1.0+local", None),
    ("slipway-tensor", "slipway_tensor", "2.0", None),
    ("slipway-vision", "slipway_vision", "2.0", "slipway-tensor==2.0"),
    ("slipway-trainer", "slipway_trainer", "1.0", "slipway-tensor>=1.0"),
]


def write_wheel(folder, name, module, version, needs):
    info = f"{module}-{version}.dist-info"
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\nSummary: A stand-in of the Slipway demo cluster\n"
    if needs:
        metadata += f"Requires-Dist: {needs}\n"
    files = {
        f"{module}/__init__.py": f'__version__ = "{version}"\n',
        f"{info}/METADATA": metadata,
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: slipway\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = ""
    for path, text in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
        record += f"{path},sha256={digest},{len(text)}\n"
    files[f"{info}/RECORD"] = record + f"{info}/RECORD,,\n"
    with zipfile.ZipFile(os.path.join(folder, f"{module}-{version}-py3-none-any.whl"), "w") as wheel:
        for path, text in files.items():
            # A fixed time: the same wheels, byte for byte, at each build.
            wheel.writestr(zipfile.ZipInfo(path, (2026, 1, 1, 0, 0, 0)), text)


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    for wheel in WHEELS:
        write_wheel(folder, *wheel)


main()
