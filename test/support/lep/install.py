"""Makes a virtual environment with what requirements.txt pins: install.py FOLDER.

The folder appears whole or not at all. Two test processes may come at once: the lock is the kernel's, so one that was
killed leaves none behind.
"""

import os
import shutil
import subprocess
import sys
import venv

target = os.path.abspath(sys.argv[1])
requirements = os.path.join(os.path.dirname(os.path.abspath(__file__)), "requirements.txt")


def build(folder: str) -> None:
    venv.EnvBuilder(with_pip=True, symlinks=True, clear=True).create(folder)
    pip = [os.path.join(folder, "bin", "python"), "-m", "pip", "--disable-pip-version-check", "--quiet"]
    # the pins are the whole closure: nothing is to be resolved
    done = subprocess.run(
        [*pip, "install", "--no-deps", "-r", requirements], stdin=subprocess.DEVNULL, stdout=sys.stderr
    )
    if done.returncode != 0:
        sys.exit("pip couldn't install what test/support/lep/requirements.txt pins")


def main() -> None:
    import fcntl

    os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(target + ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if os.path.exists(target):
            return
        building = target + ".building"
        shutil.rmtree(building, ignore_errors=True)
        build(building)
        # the scripts in bin/ keep the old name: only `python` is used
        os.rename(building, target)


main()
