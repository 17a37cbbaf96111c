"""Runs `lep` for each line of stdin, a JSON array of arguments; answers with a line `{"exitCode", "output"}`.

Importing lep takes a second, so it is done once, and each run is a fork: the real program from its entry on, in a
process of its own.
"""

import json
import os
import signal
import sys
import tempfile

from leptonai.cli import lep

# lep may try again for more than a minute
TIMEOUT_SECONDS = 60


def run(arguments: list[str], output: int) -> None:
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    signal.alarm(TIMEOUT_SECONDS)
    sys.argv = ["lep", *arguments]
    code = 1
    try:
        lep()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    except BaseException:
        sys.excepthook(*sys.exc_info())
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


for line in sys.stdin:
    with tempfile.TemporaryFile() as output:
        pid = os.fork()
        if pid == 0:
            run(json.loads(line), output.fileno())
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        output.seek(0)
        text = output.read().decode("utf8", "replace")
    print(json.dumps({"exitCode": code, "output": text}), flush=True)
