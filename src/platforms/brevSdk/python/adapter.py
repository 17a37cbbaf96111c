"""`brev` as TAO SDK 7.2.0 expects it, first on the SDK's PATH: passes its calls to the installed CLI.

Python, by the interpreter that runs the SDK: it reads JSON and quotes for shells, and needs nothing else installed.
What differs between the two is in contracts: tao.md part 1, "Defects that matter", and brev-cli.md parts 6 and 17.
"""

import json
import os
import shlex
import sys
import time

import cli
import launching
import remote

# A little less than what the SDK gives a call: it kills this process alone, and what it started would go on.
LIST_SECONDS = 110
CREATE_SECONDS = 290
PROBE_SECONDS = 14
MESSAGE_SECONDS = 9
STATUS_SECONDS = 14
LONG_SECONDS = 28


def main(words: list) -> int:
    command, rest = (words[0], words[1:]) if words else ("", [])
    now = time.monotonic()
    if command == "ls":
        return ls(now + LIST_SECONDS)
    if command == "exec":
        return exec_(rest, now)
    if command == "create":
        return create(rest, now + CREATE_SECONDS)
    if command in ("login", "search", "delete", "stop"):
        return tell(cli.run(words, now + (LONG_SECONDS if command == "login" else LIST_SECONDS)))
    # start is among them: a job never starts an instance by itself
    raise cli.Refused(f"the adapter for the TAO SDK does not pass on `brev {command}`")


def ls(deadline: float) -> int:
    """The SDK takes a bare list only, as 0.6.317 to 0.6.322 print it."""
    print(json.dumps(cli.instances(deadline) or []))
    return 0


def exec_(words: list, now: float) -> int:
    """`NAME -- WORD…`, which the SDK means as one command and the CLI reads as more instances."""
    if len(words) < 3 or words[1] != "--":
        raise cli.Refused("exec is only known as NAME -- COMMAND")
    name = cli.checked(words[0])
    script = words[4] if words[2:4] == ["bash", "-c"] and len(words) == 5 else shlex.join(words[2:])
    deadline = now + seconds_for(words[2:], script)
    job = launching.launched_job(script)
    if job is not None:
        return launch(name, job, script, deadline)
    if "docker run --" in script:
        raise cli.Refused("this version of the TAO SDK launches jobs in a way that the adapter does not know")
    if "docker stop --time " in script and was_refused(script):
        # the SDK wants to know that nothing runs, and nothing ever did
        print("STOPPED_OBSERVED")
        return 0
    cli.require_on(name, deadline)
    return tell(remote.run(name, launching.adapted(script), deadline))


def launch(name: str, job: str, script: str, deadline: float) -> int:
    try:
        cli.require_on(name, deadline)
    except (cli.Refused, cli.Failed):
        claim(job, "cancel")
        raise
    if not claim(job, "launch"):
        raise cli.Refused(f"job {job} was cancelled before its launch")
    return tell(remote.run(name, launching.detached(script), deadline))


def seconds_for(words: list, script: str) -> int:
    if words == ["true"]:
        return PROBE_SECONDS
    if script.startswith("tail -1 "):
        return MESSAGE_SECONDS
    return STATUS_SECONDS if script.startswith("expected_id=") and "docker stop" not in script else LONG_SECONDS


def claim(job: str, decision: str) -> bool:
    """Decides whether a job is launched; whoever comes first, the launch or a cancel, has decided."""
    try:
        handle = os.open(claim_file(job), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        with open(claim_file(job), encoding="utf-8") as taken:
            return taken.read() == decision
    with os.fdopen(handle, "w") as file:
        file.write(decision)
    return True


def was_refused(script: str) -> bool:
    job = launching.JOB.search(script)
    try:
        with open(claim_file(job.group(1) if job else ""), encoding="utf-8") as taken:
            return taken.read() == "cancel"
    except OSError:
        # nobody claimed it: the script itself finds out
        return False


def claim_file(job: str) -> str:
    return os.path.join(os.environ["BREV_ADAPTER_STATE"], "claims", job)


def create(words: list, deadline: float) -> int:
    """Creates only what the bridge was asked for, once, and by its exact type.

    The SDK creates whatever its list doesn't show, and without a type the CLI goes up to the dearest (part 5).
    """
    name = cli.checked(words[0] if words else "")
    given = dict(zip(words[1::2], words[2::2]))
    rows = cli.instances(deadline)
    if rows is None and not cli.surely_none(deadline):
        raise cli.Refused(f"the list of instances can't be read, so {name} was not created")
    if any(row.get("name") == name for row in rows or []):
        raise cli.Refused(f"{name} exists already, so nothing was created")
    wish = os.path.join(os.environ["BREV_ADAPTER_STATE"], "wanted", name)
    try:
        with open(wish, encoding="utf-8") as file:
            wanted = json.load(file)
        os.unlink(wish)
    except FileNotFoundError:
        raise cli.Refused(f"{name} is not in the list, and nobody asked for a new instance") from None
    help_text = cli.help_of(["create"], deadline)
    args = ["create", name, *what(wanted, given.get("--gpu-name"), help_text, deadline)]
    for flag in ("--cloud-cred-id", "--workspace-group-id"):
        if flag in given and cli.has_flag(help_text, flag):
            args += [flag, given[flag]]
    if cli.has_flag(help_text, "--detached"):
        # the SDK waits by itself
        args.append("--detached")
    return tell(cli.run(args, deadline))


def what(wanted: dict, gpu: str | None, help_text: str, deadline: float) -> list:
    """How this CLI is told what to create."""
    count = int(wanted.get("gpu_count", 1))
    if not cli.has_flag(help_text, "--type"):
        if gpu and cli.has_flag(help_text, "--gpu"):
            return ["--gpu", f"{gpu}:{count}"]
        raise cli.Refused("this CLI can't be told what to create")
    if wanted.get("type"):
        return ["--type", str(wanted["type"])]
    if not gpu:
        raise cli.Refused("neither a type nor a GPU was named, so nothing was created")
    offers = [
        offer
        for offer in cli.ask(["search", "--gpu-name", gpu, "--json"], deadline)
        if offer["gpu_name"].lower() == gpu.lower() and offer["gpu_count"] == count
    ]
    if not offers:
        raise cli.Refused(f"there is no offer with {count} {gpu}")
    return ["--type", min(offers, key=lambda offer: offer["price_per_hour"])["type"]]


def tell(result: cli.Result) -> int:
    sys.stdout.buffer.write(result.out)
    sys.stderr.write(result.err)
    return result.code if result.code >= 0 else 128 - result.code


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except cli.Refused as refused:
        sys.exit(str(refused))
    except cli.Failed as failed:
        sys.exit(tell(failed.result) or 1)
