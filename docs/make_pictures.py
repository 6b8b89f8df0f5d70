"""Runs the commands of `pictures.md` and keeps what they draw: `make pictures`."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from pathlib import Path

DOCS = Path(__file__).parent
INTO = DOCS / "images" / "pictures"


def main() -> None:
    text = (DOCS / "pictures.md").read_text(encoding="utf-8")
    INTO.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for block in re.findall(r"^```console\n(.*?)^```", text, re.M | re.S):
            for command in re.findall(r"^\$ (.*)$", block, re.M):
                subprocess.run(["bash", "-c", command], cwd=folder, check=True)
        for name in re.findall(r"\(images/pictures/(.+?\.svg)\)", text):
            shutil.copy(Path(folder, name), INTO / name)
            print(f"{INTO / name}: {(INTO / name).stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
