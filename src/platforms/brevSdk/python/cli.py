"""Runs the installed brev for the adapter, and reads its lists."""

import json
import os
import re
import signal
import subprocess
import tempfile
import time
from typing import NamedTuple

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,62}")
ON = ("RUNNING", "UNHEALTHY")

# spinner frames, colours and the traces of Go's errors (brev-cli.md part 1)
NOISE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\[error\] \r?\n[^\n]*\r?\n[^\n]*:\d+\r?\n: ")


class Result(NamedTuple):
    code: int
    out: bytes
    err: str


class Refused(Exception):
    """What the adapter won't do, in words for the SDK's error."""


def installed() -> str:
    return os.environ["BREV_ADAPTER_CLI"]


def environment() -> dict:
    env = {name: value for name, value in os.environ.items() if not name.startswith("BREV_ADAPTER_")}
    # the CLI's ProxyCommand may name `brev`, which must be the real one
    own = os.path.join(os.environ["BREV_ADAPTER_HOME"], "bin")
    env["PATH"] = os.pathsep.join(each for each in env.get("PATH", "").split(os.pathsep) if each != own)
    env.pop("DEBUG_HTTP", None)
    env["DO_NOT_TRACK"] = "1"
    env["SSH_AUTH_SOCK"] = env.get("SSH_AUTH_SOCK") or "/dev/null"
    return env


def run(args: list, deadline: float) -> Result:
    """Runs the CLI to its own end. Its output goes to files: an ssh master that it leaves behind holds a pipe open."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = subprocess.Popen(
            [installed(), *args],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            env=environment(),
            # `brev start` looks for folders named as its argument (part 7)
            cwd=os.environ["BREV_ADAPTER_STATE"],
            start_new_session=True,
        )
        try:
            code = child.wait(max(deadline - time.monotonic(), 0.1))
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
            raise Refused(f"brev {args[0]} did not answer in time") from None
        out.seek(0)
        err.seek(0)
        return Result(code, out.read(), clean(err.read().decode("utf-8", "replace")))


def clean(text: str) -> str:
    lines = (line.rsplit("\r", 1)[-1] for line in NOISE.sub("", text).replace("\r\n", "\n").split("\n"))
    return "\n".join(lines)


def parse(out: bytes):
    """The JSON of an answer; warnings and prompts may stand before it (part 3)."""
    lines = out.decode("utf-8", "replace").split("\n")
    for number, line in enumerate(lines):
        if line.startswith(("{", "[")) or line == "null":
            try:
                return json.loads("\n".join(lines[number:]))
            except ValueError:
                continue
    raise ValueError("no JSON")


def ask(args: list, deadline: float):
    """What a read-only call answers, parsed. Raises Failed with the CLI's own words."""
    result = run(args, deadline)
    if result.code != 0 and "unexpected end of JSON input" in result.err:
        # it read its credentials while another process wrote them (part 11)
        result = run(args, deadline)
    if result.code != 0:
        raise Failed(result)
    try:
        return parse(result.out)
    except ValueError:
        raise Failed(result._replace(code=1, err=f"brev {args[0]} gave no JSON\n")) from None


class Failed(Exception):
    def __init__(self, result: Result):
        super().__init__(result.err)
        self.result = result


def instances(deadline: float) -> list | None:
    """The rows in either shape (part 14); None where the CLI says null, for no instances and for no answer alike."""
    answer = ask(["ls", "--json"], deadline)
    rows = answer.get("workspaces") if isinstance(answer, dict) else answer
    return rows if isinstance(rows, list) else None


def surely_none(deadline: float) -> bool:
    """Whether null really means no instances: behind a proxy's page the organisations are missing too."""
    args = ["orgs", "--json"] if re.search(r"^ +orgs\b", help_of([], deadline), re.M) else ["ls", "orgs", "--json"]
    return bool(ask(args, deadline))


def help_of(command: list, deadline: float) -> str:
    result = run([*command, "--help"], deadline)
    return result.out.decode("utf-8", "replace") + result.err


def has_flag(text: str, flag: str) -> bool:
    return re.search(rf"(?:^|[\s,]){flag}(?=[\s=,]|$)", text, re.M) is not None


def checked(name: str) -> str:
    """A name that is safe where the CLI hands it to a shell, unquoted (part 6)."""
    if NAME.fullmatch(name) is None:
        raise Refused(f"{name!r} is no name of an instance")
    return name


def require_on(name: str, deadline: float) -> None:
    """Refuses an instance that a fresh list doesn't show as on: exec would start it, which bills."""
    row = next((row for row in instances(deadline) or [] if row.get("name") == name), None)
    status = "not in the list" if row is None else str(row.get("status"))
    if status not in ON:
        raise Refused(f"{name} is {status}: nothing was run on it, because exec could start it")
