"""The SDK's launch script, so that the job goes on when the connection ends, and no secret stands on a command line."""

import re

# How the launch script of SDK 7.2.0 backgrounds its job; the last of them is its own, others are the program's text.
BACKGROUND = re.compile(r"\) > (/tmp/tao-job-([0-9a-f-]{36})\.log) 2>&1 & launcher_pid=\$!; ")
FOREGROUND = "(set +e; docker run "
JOB = re.compile(r"tao-job-([0-9a-f-]{36})")
# What the bridge tells the adapter through the container's environment: the job's folder, and its GPUs.
HINT = re.compile(r"-e BREV_INSTANCES_JOB=(\.brev-jobs/[A-Za-z0-9._-]+):(all|\d+) ")
HINT_EXPORT = re.compile(r"BREV_INSTANCES_JOB='[^']*' ?")

# Whoever makes the folder launches; a replay finds it and reports what the first one started.
LAUNCH = """\
umask 077
launch={launch}
if mkdir "$launch" 2>/dev/null; then
{prepare}{before}
cat >"$launch/run" <<'{end}'
{run}
{end}
if ! docker version >/dev/null 2>&1 && sudo -n docker version >/dev/null 2>&1; then : >/tmp/tao-job-{job}.sudo; fi
setsid bash "$launch/run" tao-job-{job} >{log} 2>&1 </dev/null &
printf '%s\\n' "$!" >"$launch/pid.new" && mv -f "$launch/pid.new" "$launch/pid"
elif [ ! -d "$launch" ]; then
echo 'the folder of the job is not there' >&2
exit 1
fi
attempt=0
while [ ! -s "$launch/pid" ] && [ "$attempt" -lt 50 ]; do attempt=$((attempt + 1)); sleep 0.1; done
launcher_pid=$(cat "$launch/pid") || exit 1
{report}"""

# The log lies in the home directory: /tmp is emptied when the instance starts again.
PREPARE = """\
dir=$HOME/{folder}
mkdir -p "$dir/results" "$dir/secrets"
printf '%s\\n' {job} >"$dir/sdk-job"
cat /proc/sys/kernel/random/boot_id >"$dir/boot" 2>/dev/null
ln -sfn "$dir/log" {log}
"""

# Secrets are in the job's folder, put there over another channel; the pull's are gone before the container runs.
RUN = """\
dir=$HOME/{folder}
ended() {{
  rm -rf "$dir/secrets/env" "$dir/registry.password" "$dir/docker.login"
  cat /tmp/tao-job-{job}.exit >"$dir/exit.new" 2>/dev/null && mv -f "$dir/exit.new" "$dir/exit"
}}
trap ended EXIT
image=$(cat "$dir/image")
if [ -s "$dir/registry.password" ] && ! docker image inspect "$image" >/dev/null 2>&1; then
  refused=$(docker --config "$dir/docker.login" login --username '$oauthtoken' --password-stdin nvcr.io <"$dir/registry.password" 2>&1) ||
    printf 'The login to nvcr.io was refused: %s\n' "$refused"
  rm -f "$dir/registry.password"
  docker --config "$dir/docker.login" pull "$image"
  rm -rf "$dir/docker.login"
fi
rm -f "$dir/registry.password"
[ ! -e "$dir/cancelled" ] || exit 143
"""

MOUNTS = (
    '--ipc=host --ulimit memlock=-1 --ulimit stack=67108864 '
    '-v "$HOME"/{folder}/secrets:/run/brev-secrets -v "$HOME"/{folder}/results:/results '
)

SUDO = """\
if [ -e /tmp/tao-job-{job}.sudo ]; then
  # the user must be able to read what docker writes
  umask 022
  docker() {{ sudo -n docker "$@"; }}
fi
"""

# The SDK looks for its launcher at once after the kill; a moment later it is gone.
PATIENT_KILL = """\
kill() {
  builtin kill "$@" || return
  local n=0
  while [ "$n" -lt 50 ] && ps -p "$1" -o args= 2>/dev/null | grep -F tao-job- >/dev/null; do n=$((n + 1)); sleep 0.1; done
}
"""


def launched_job(script: str) -> str | None:
    """The id of the job that a script launches; None for any other script of the SDK."""
    ends = list(BACKGROUND.finditer(script))
    return ends[-1].group(2) if ends and FOREGROUND in script else None


def detached(script: str) -> str:
    """The launch script with its job in a session of its own, started once however often this runs.

    The SDK's own `export … && (job) > log 2>&1 & …` puts the whole list into the background: that shell keeps the
    connection's stdout, so the launch blocks until the job has ended or is killed (tao.md part 1, defect 4).
    """
    end = list(BACKGROUND.finditer(script))[-1]
    log, job = end.groups()
    start = script.index(FOREGROUND)
    before = HINT_EXPORT.sub("", script[:start]).removesuffix(" && ")
    command = script[start + 1 : end.start()]
    launch, prepare = f"/tmp/tao-job-{job}.launch", ""
    hint = HINT.search(command)
    if hint is not None:
        folder, gpus = hint.groups()
        launch = f'"$HOME"/{folder}/launched'
        prepare = PREPARE.format(folder=folder, job=job, log=log)
        command = command[: hint.start()] + command[hint.end() :]
        # without GPUs docker has none to give
        some = "" if gpus == "0" else f"--gpus {gpus} "
        mounted = f"docker run {some}" + MOUNTS.format(folder=folder)
        command = RUN.format(folder=folder, job=job) + command.replace("docker run --gpus all ", mounted, 1)
    return LAUNCH.format(
        launch=launch,
        job=job,
        prepare=prepare,
        before=before,
        end=f"brev-{job}",
        run=SUDO.format(job=job) + command,
        log=log,
        report=script[end.end() :],
    )


def adapted(script: str) -> str:
    """Any other script about a job: with sudo where the launch needed it, and patient after a kill."""
    job = JOB.search(script)
    before = "" if job is None or "docker" not in script else SUDO.format(job=job.group(1))
    return before + (PATIENT_KILL if "docker stop --time " in script else "") + script
