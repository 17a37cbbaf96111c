# Cancels job $1: stops what it runs gracefully, then by force, and says whether anything of it is left. Whatever of a
# launch is still on its way finds the job cancelled.
exec 2>&1
umask 077
job=$1
dir=$HOME/.brev-jobs/$job
[ ! -d "$dir.never" ] || dir=$dir.never
if ! cd "$dir" 2>/dev/null; then
  echo gone
  exit 0
fi
: >cancelled
read -r container 2>/dev/null <container.name || container=$job
exec 8>>lock
# not launched, and never to be
if [ ! -e result ] && [ ! -d launched ] && flock -w 5 8; then
  if mkdir launched 2>/dev/null; then
    rm -rf registry.password secrets .brev-input-*
    if printf 'step=cancel\nexit=\noom=false\nerror=\n' >result.new && mv result.new result; then
      mv -T "$dir" "$dir.never"
      echo stopped
      exit 0
    fi
    # a full disk: what launches it will find it cancelled
    rm -f result.new
    rmdir launched
    echo running
    exit 1
  fi
  flock -u 8
fi

# whether process $1 is the one that started at $2, and not a later one with its number
is() {
  local stat
  read -ra stat 2>/dev/null <"/proc/$1/stat" && [ "${stat[21]}" = "$2" ]
}
docker=(docker)
docker version >/dev/null 2>&1 || docker=(sudo -n docker)
# whether anything runs, as far as can be seen
runs() {
  if [ -e command ]; then
    local pid start
    read -r pid start 2>/dev/null <command.pid || return 1
    # what it started may outlive it
    if [ -e "/proc/$pid" ]; then is "$pid" "$start"; else kill -0 -- "-$pid" 2>/dev/null; fi
    return
  fi
  [ -e run.offset ] || return 1
  case $("${docker[@]}" inspect --type container --format '{{.State.Status}}' "$container" 2>&1) in
    created | exited | dead | removing | *'No such'*) return 1 ;;
  esac
  command -v docker >/dev/null
}
terminate() { # signal
  if [ -e command ]; then
    local pid
    read -r pid _ 2>/dev/null <command.pid && kill "-$1" -- "-$pid" 2>/dev/null
  elif [ "$1" = TERM ]; then
    "${docker[@]}" stop -t 20 "$container" >/dev/null 2>&1
  else
    "${docker[@]}" kill "$container" >/dev/null 2>&1
  fi
}
end_pull() {
  local pid start
  if read -r pid start 2>/dev/null <pull.pid && is "$pid" "$start"; then
    kill -TERM "$pid" 2>/dev/null || sudo -n kill -TERM "$pid" 2>/dev/null
  fi
}
# nobody works on it any more: a new supervisor sees that it is cancelled, and what became of it. Its log gets whole too.
supervise() {
  flock -n 8 || return
  setsid bash "$dir/supervisor.sh" "$job" locked </dev/null >/dev/null 2>>"$dir/supervisor.err" &
  exec 8>&- 8>>lock
}
# waits for the result, which comes last; $1 tries
await() {
  local try
  for ((try = 1; try <= $1; try++)); do
    [ ! -e result ] || return
    end_pull
    if ! runs; then
      supervise
    elif [ "$try" -le 50 ]; then
      terminate TERM
    else
      terminate KILL
    fi
    sleep 0.2
  done
  [ -e result ]
}
if ! await 100 && read -r holder start <pid && is "$holder" "$start"; then
  # it hangs
  pkill -KILL -s "$holder" || sudo -n pkill -KILL -s "$holder"
  await 50
fi
rm -rf secrets/env
if runs || [ ! -e result ]; then
  echo running
  exit 1
fi
echo stopped
