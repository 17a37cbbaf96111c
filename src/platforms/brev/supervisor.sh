#!/usr/bin/env bash
# Runs job $1 to its end: a container (container.args), or a plain command (command). The raw output goes to `log`, which
# only ever grows; `result` is written last, atomically. With $2 = adopt it takes over from a supervisor that died.
umask 077
job=$1
mode=${2-launch}
dir=$HOME/.brev-jobs/$job
cd "$dir" || exit 1
# the start time tells this process from a later one with the same number
started() { cut -d ' ' -f 22 "/proc/$1/stat" 2>/dev/null; }
# the dead supervisor's own children may still write the log; what the job runs has a session of its own
if [ "$mode" = adopt ] && read -r old _ 2>/dev/null <pid; then
  pkill -KILL -s "$old" 2>/dev/null
  while pgrep -s "$old" >/dev/null 2>&1; do sleep 0.05; done
fi
boot=$(cat /proc/sys/kernel/random/boot_id 2>/dev/null)
printf '%s %s\n' "$$" "$(started $$)" >pid.new && mv -f pid.new pid

step() { printf '%s\n' "$1" >step.new && mv -f step.new step; }
forget() { rm -rf registry.password docker.login secrets/env; }
trap forget EXIT
finish() { # step, exit code, out of memory, error
  forget
  printf 'step=%s\nexit=%s\noom=%s\nerror=%s\n' "$1" "$2" "$3" "$(printf '%s' "$4" | tr '\n' ' ')" >result.new
  sync result.new 2>/dev/null
  mv -f result.new result
  exit 0
}
stop_if_cancelled() {
  if [ -e cancelled ]; then finish cancel "${1-}" false ''; fi
}
rebooted() { [ -n "$boot" ] && [ -s boot ] && [ "$(cat boot)" != "$boot" ]; }
size() { stat -c %s "$1" 2>/dev/null || echo 0; }

# --- plain commands -------------------------------------------------------------------------------------------------
if [ -e command ]; then
  if [ "$mode" = launch ]; then
    step run
    printf '%s\n' "$boot" >boot
    # the shell in between notes the exit code itself, whatever becomes of this supervisor
    setsid bash -c '
      [ ! -e secrets/env ] || . secrets/env
      rm -f secrets/env
      cd "$HOME" && bash "$1/command"
      status=$?
      cd "$1" && printf "%s\n" "$status" >exit.new && mv -f exit.new exit' brev-instances "$dir" </dev/null >>log 2>&1 &
    printf '%s %s\n' "$!" "$(started $!)" >command.pid
  fi
  read -r pid start <command.pid
  while [ ! -e exit ] && [ "$(started "$pid")" = "$start" ] && [ -n "$start" ]; do sleep 0.2; done
  if [ ! -e exit ]; then
    stop_if_cancelled
    rebooted && finish interrupted '' false 'the instance was stopped or rebooted'
    finish lost '' false 'the command is gone without an exit code'
  fi
  status=$(cat exit)
  stop_if_cancelled "$status"
  finish run "$status" false ''
fi

# --- containers -----------------------------------------------------------------------------------------------------
before=$(cat step 2>/dev/null || echo docker)
[ "$mode" = launch ] && step docker
if ! command -v docker >/dev/null; then
  echo 'docker is not installed on this instance: TAO jobs need an instance in VM mode.' >>log
  finish docker 127 false 'docker is not installed'
fi
docker=(docker)
find_docker() {
  problem=$(docker version --format '{{.Server.Version}}' 2>&1) && return 0
  if sudo -n docker version >/dev/null 2>&1; then
    docker=(sudo -n docker)
    return 0
  fi
  return 1
}
# after a reboot, or while docker restarts, its daemon may come a little later
patience=1
[ "$mode" = adopt ] && patience=120
until find_docker; do
  patience=$((patience - 1))
  if [ "$patience" -le 0 ]; then
    printf '%s\n' "$problem" >>log
    if [ "$mode" = adopt ]; then finish lost '' false "docker does not answer: $problem"; fi
    finish docker 125 false "$problem"
  fi
  sleep 1
done

inspect() {
  "${docker[@]}" inspect --type container --format '{{.State.Status}}|{{.State.ExitCode}}|{{.State.OOMKilled}}|{{.State.Error}}' "$job" 2>&1
}
# What docker kept of the container's output, from where the log ends: after a lost client nothing is missing, though a
# progress bar comes late this way. The log before `run.offset` is the pull's.
catch_up() {
  local have
  have=$(($(size log) - $(cat run.offset 2>/dev/null || echo 0)))
  "${docker[@]}" logs --follow "$job" 2>&1 </dev/null | tail -c "+$((have + 1))" >>log
}
run_to_end() { # the container's state when it was looked at
  local state=$1
  while :; do
    case $state in
      running* | paused* | restarting*)
        step run
        catch_up
        sleep 0.2
        state=$(inspect)
        ;;
      *'Cannot connect to the Docker daemon'*)
        sleep 1
        patience=$((patience + 1))
        [ "$patience" -gt 120 ] && finish lost '' false 'the docker daemon went away'
        state=$(inspect)
        ;;
      *) break ;;
    esac
  done
  local code oom error
  case $state in
    exited* | dead*)
      [ -n "${2-}" ] && catch_up
      IFS='|' read -r _ code oom error <<<"$state"
      stop_if_cancelled "$code"
      if rebooted; then finish interrupted "$code" "$oom" 'the instance was stopped or rebooted'; fi
      finish run "$code" "$oom" "$error"
      ;;
    created*)
      IFS='|' read -r _ code oom error <<<"$state"
      stop_if_cancelled
      finish create "$code" "$oom" "$error"
      ;;
    *)
      stop_if_cancelled
      finish lost '' false "the container is gone: $state"
      ;;
  esac
}

if [ "$mode" = adopt ]; then
  state=$(inspect)
  case $state in
    created*) ;; # it was never started: go on below
    *'No such'*)
      stop_if_cancelled
      if [ "$before" = run ]; then finish lost '' false 'the container is gone: it was deleted'; fi
      if rebooted; then finish interrupted '' false 'the instance was stopped or rebooted before the container ran'; fi
      ;; # nothing had been created yet: go on below
    *) run_to_end "$state" caught ;;
  esac
fi

printf '%s\n' "$boot" >boot
mapfile -d '' -t arguments <container.args
arguments=("${arguments[@]//@HOME@/$HOME}")
arguments=("${arguments[@]//@JOB@/$dir}")
image=$(cat image)

if ! "${docker[@]}" image inspect "$image" >/dev/null 2>&1; then
  # a configuration of our own, gone after the pull: the key is not left behind in the user's
  config=()
  refused=
  if [ -s registry.password ]; then
    step login
    if refused=$("${docker[@]}" --config "$dir/docker.login" login --username '$oauthtoken' --password-stdin nvcr.io <registry.password 2>&1); then
      config=(--config "$dir/docker.login")
      refused=
    else
      refused=$(printf '%s' "$refused" | tail -n 1)
      printf 'The login to nvcr.io was refused: %s\nTrying without it.\n' "$refused" >>log
    fi
    rm -f registry.password
  fi
  step pull
  for try in 1 2; do
    "${docker[@]}" "${config[@]}" pull "$image" >pull.out 2>&1 &
    pulling=$!
    printf '%s\n' "$pulling" >pull.pid
    tail -f -n +1 --pid="$pulling" pull.out >>log 2>/dev/null
    wait "$pulling" && break
    problem=$(tail -n 1 pull.out)
    # the registry's own sign-in of nobody fails now and then (users.md F, triton #3805)
    if [ "$try" -eq 1 ] && grep -q 'failed to fetch anonymous token' pull.out; then
      continue
    fi
    stop_if_cancelled
    if [ -n "$refused" ]; then finish login 1 false "$refused"; fi
    finish pull 125 false "$problem"
  done
  rm -rf docker.login pull.pid
fi
rm -f registry.password
stop_if_cancelled

if ! "${docker[@]}" container inspect "$job" >/dev/null 2>&1; then
  step create
  if ! "${docker[@]}" create "${arguments[@]}" >container 2>create.err; then
    cat create.err >>log
    finish create 125 false "$(tail -n 1 create.err)"
  fi
fi
stop_if_cancelled

size log >run.offset
step run
# attached from the first byte on: `docker logs` would hold a progress bar back until a newline
"${docker[@]}" start --attach --sig-proxy=false "$job" >>log 2>&1 </dev/null
run_to_end "$(inspect)"
