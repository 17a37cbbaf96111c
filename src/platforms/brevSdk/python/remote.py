"""One run of a script on an instance, in the one form of `brev exec` that every CLI understands."""

import base64
import gzip
import re
import secrets
import shlex

import cli

# It always exits 0 and tells the script's exit code in-band: any other exit would make the CLI run it a second time.
WRAPPER = """\
printf '@@brev-begin %s\\n' {token}
(eval "$(printf %s {script} | base64 -d | gzip -dc)") </dev/null
printf '\\n@@brev-end %s %s\\n' {token} "$?"
exit 0"""


def run(name: str, script: str, deadline: float) -> cli.Result:
    """Runs a bash script and gives its stdout as it was, without what the CLI adds, and its own exit code."""
    token = secrets.token_hex(8)
    # packed: quotes would grow at each of three shells, and an argument has 128 KB
    packed = base64.b64encode(gzip.compress(script.encode(), mtime=0)).decode()
    text = WRAPPER.format(token=token, script=packed)
    # SIGPIPE and the login shell don't matter: one word, for whatever shell is at the other end
    result = cli.run(["exec", name, f"bash -c {shlex.quote(text)}"], deadline)
    answers = re.findall(
        rb"@@brev-begin %b\n(.*?)\n@@brev-end %b (\d+)\n" % (token.encode(), token.encode()), result.out, re.S
    )
    if not answers:
        reason = result.err.strip() or "the connection broke before the answer was whole"
        return cli.Result(result.code or 255, b"", f"{reason}\n")
    out, code = answers[-1]
    return cli.Result(int(code), out, result.err)
