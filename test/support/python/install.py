"""Makes a virtual environment with what a file pins: install.py FOLDER REQUIREMENTS.

The folder appears whole or not at all. Two test processes may come at once: the lock is the kernel's, so one that was
killed leaves none behind.
"""

import os
import shutil
import subprocess
import sys

target, requirements = map(os.path.abspath, sys.argv[1:])


def build(folder: str) -> None:
    try:
        import venv

        venv.EnvBuilder(with_pip=True, symlinks=os.name != "nt", clear=True).create(folder)
    except (ImportError, subprocess.CalledProcessError):
        sys.exit("python3 can't make virtual environments: install its venv package (Debian: apt install python3-venv)")
    python = os.path.join(folder, "Scripts" if os.name == "nt" else "bin", "python")
    pip = [python, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    done = subprocess.run([*pip, "install", "-r", requirements], stdin=subprocess.DEVNULL, stdout=sys.stderr)
    if done.returncode != 0:
        sys.exit(f"pip couldn't install what {requirements} pins")


def main() -> None:
    if sys.version_info < (3, 10):
        sys.exit(f"the tests need Python 3.10 or newer; {sys.executable} is {sys.version.split()[0]}")
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(target + ".lock", "w") as lock:
        if os.name != "nt":
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX)
        if os.path.exists(target):
            return
        building = target + ".building"
        shutil.rmtree(building, ignore_errors=True)
        build(building)
        # only `python -m` is used: the scripts in bin/ keep the old name
        os.rename(building, target)


main()
