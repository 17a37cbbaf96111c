#!/usr/bin/env bash
# Runs job $1 to its end: a container (container.args), or a plain command (command). The raw output goes to `log`, which
# only ever grows; `result` is written last, atomically.
# It may die at any line and be started again: what is done already is read from the folder and from docker. Whoever works
# on the job holds `lock` by descriptor 8 (with $2 = locked launch.sh has handed it over), and so does what it started:
# while a docker client of a dead supervisor goes on, nobody takes over.
umask 077
job=$1
dir=$HOME/.brev-jobs/$job
cd "$dir" || exit 1
# the container of a job that was taken over is called as somebody else liked (adopt.sh)
read -r container 2>/dev/null <container.name || container=$job
[ "${2-}" = locked ] || exec 8>>lock
flock -w 5 8 || exit 0
[ ! -e result ] || exit 0

# writes $2 into file $1, whole or not at all; waits while the disk is full
note() {
  until { printf '%s\n' "$2" >"$1.new" && mv -f "$1.new" "$1"; } 2>/dev/null; do
    [ -d "$dir" ] || exit 1
    sleep 1
  done
}
step() { { printf '%s\n' "$1" >step.new && mv -f step.new step; } 2>/dev/null; }
finish() { # step, exit code, out of memory, error
  rm -rf registry.password docker.login secrets/env .brev-input-*
  if [ -s docker.err ] && mv docker.err docker.said; then cat docker.said >>log; fi
  sync -d log 2>/dev/null
  note result "step=$1"$'\n'"exit=$2"$'\n'"oom=$3"$'\n'"error=${4//$'\n'/ }"
  exit 0
}
stop_if_cancelled() {
  if [ -e cancelled ]; then finish cancel "${1-}" false ''; fi
}
rebooted() {
  local begun now
  now=$(cat /proc/sys/kernel/random/boot_id 2>/dev/null)
  # where one of them can't be read, nothing is known
  read -r begun 2>/dev/null <boot && [ -n "$now" ] && [ "$now" != "$begun" ]
}
# whether what ends now is being ended by the machine or by docker: the next supervisor will know
going_down() {
  [ "$(systemctl is-system-running 2>/dev/null)" = stopping ] ||
    [ "$(systemctl is-active docker 2>/dev/null)" = deactivating ]
}
# sets `bytes` to the length of the log
measure() { until bytes=$(stat -c %s log) && [ -n "$bytes" ]; do sleep 0.1; done; }

# the start time tells this process from a later one with the same number
read -ra own </proc/self/stat
note pid "${own[0]} ${own[21]}"

# --- plain commands -------------------------------------------------------------------------------------------------
if [ -e command ]; then
  if [ ! -e begun ]; then
    stop_if_cancelled
    if rebooted; then finish interrupted '' false 'the instance was stopped or rebooted before the command ran'; fi
    step run
    # the shell in between is the one that begins, and notes the exit code, whatever becomes of this supervisor
    # shellcheck disable=SC2016 # it expands its text itself
    setsid bash -c '
      cd "$1" || exit 1
      read -ra own </proc/self/stat
      printf "%s %s\n" "${own[0]}" "${own[21]}" >command.pid
      if [ -e cancelled ] || ! mkdir begun; then exit 1; fi
      (
        exec 8>&-
        # gone before they are read: no other program gets them into its environment
        if [ -e secrets/env ]; then
          exec 3<secrets/env && rm -f secrets/env && . /dev/fd/3 && exec 3<&- || exit 97
        fi
        cd "$HOME" && exec bash "$1/command"
      )
      status=$?
      until { printf "%s\n" "$status" >exit.code.new && mv -f exit.code.new exit.code; } 2>/dev/null; do sleep 1; done' \
      brev-instances "$dir" </dev/null >>log 2>&1 &
    wait "$!"
  fi
  if [ -e exit.code ]; then
    read -r status <exit.code
    stop_if_cancelled "$status"
    if [ "$status" -ne 0 ]; then
      if rebooted; then finish interrupted "$status" false 'the instance was stopped or rebooted'; fi
      if going_down; then exit 0; fi
    fi
    finish run "$status" false ''
  fi
  if rebooted; then finish interrupted '' false 'the instance was stopped or rebooted'; fi
  # the shell in between was killed; what it ran may go on
  if read -r shell _ 2>/dev/null <command.pid; then
    while kill -0 -- "-$shell" 2>/dev/null; do sleep 0.2; done
  fi
  stop_if_cancelled
  if going_down; then exit 0; fi
  finish lost '' false 'the shell of the command was killed, so that nobody knows its exit code'
fi

# --- containers -----------------------------------------------------------------------------------------------------
# run.offset is written before the container is started for the first time: where its output begins in the log
if [ ! -e run.offset ]; then
  stop_if_cancelled
  if rebooted; then finish interrupted '' false 'the instance was stopped or rebooted before the container ran'; fi
  step docker
fi
if ! command -v docker >/dev/null; then
  echo 'docker is not installed on this instance: TAO jobs need an instance in VM mode.' >>log
  finish docker 127 false 'docker is not installed'
fi
docker=(docker)
docker_answers() {
  local status try
  for try in 1 2 3; do
    problem=$(docker version --format '{{.Server.Version}}' 2>&1)
    status=$?
    # killed: that says nothing
    [ "$status" -ge 128 ] || break
  done
  [ "$status" -ne 0 ] || return 0
  if sudo -n docker version >/dev/null 2>&1; then
    docker=(sudo -n docker)
    return 0
  fi
  return 1
}
docker_was_away=
await_docker() {
  until docker_answers; do
    if [ ! -e run.offset ]; then
      printf '%s\n' "$problem" >>log
      finish docker 125 false "$problem"
    fi
    # nobody can know now what became of the container, but somebody may once docker is back
    docker_was_away=1
    step "unknown: docker does not answer: ${problem//$'\n'/ }"
    sleep 1
  done
}
await_docker

# --- the image
pull() {
  local config=() refused='' status pulling problem again stat try
  # a configuration of our own, gone after the pull: the key is not left behind in the user's
  if [ -s registry.password ]; then
    step login
    # ours even where docker runs by sudo, so that we can empty it
    mkdir -p docker.login
    for try in 1 2 3; do
      # shellcheck disable=SC2016 # the user is called so
      refused=$("${docker[@]}" --config "$dir/docker.login" login --username '$oauthtoken' --password-stdin nvcr.io \
        <registry.password 2>&1)
      status=$?
      # killed: nobody has refused anything
      [ "$status" -ge 128 ] || break
    done
    if [ "$status" -eq 0 ]; then
      config=(--config "$dir/docker.login")
      refused=
    else
      refused=$(printf '%s' "$refused" | tail -n 1)
      printf 'The login to nvcr.io was refused: %s\nTrying without it.\n' "$refused" >>log
    fi
  fi
  step pull
  for try in 1 2 3; do
    # there before tail looks: the pull's own redirection may come later than that
    : >pull.out
    "${docker[@]}" "${config[@]}" pull "$image" >>pull.out 2>&1 &
    pulling=$!
    read -ra stat <"/proc/$pulling/stat"
    printf '%s %s\n' "$pulling" "${stat[21]}" >pull.pid
    tail -s 0.1 -f -n +1 --pid="$pulling" pull.out >>log 2>/dev/null
    wait "$pulling"
    case $? in
      0) break ;;
      # killed
      129 | 13? | 14?) again=1 ;;
      # the registry's own sign-in of nobody fails now and then (users.md F, triton #3805)
      *)
        again=
        if grep -qE 'failed to fetch anonymous token|TLS handshake timeout|connection reset|unexpected EOF' pull.out; then
          again=1
        fi
        ;;
    esac
    stop_if_cancelled
    problem=$(tail -n 1 pull.out)
    if [ -z "$again" ] || [ "$try" -eq 3 ]; then
      if [ -n "$refused" ]; then finish login 1 false "$refused"; fi
      finish pull 125 false "$problem"
    fi
  done
  rm -rf docker.login pull.pid
}

# --- the container
inspect() {
  "${docker[@]}" inspect --type container --format '{{.State.Status}}|{{.State.ExitCode}}|{{.State.OOMKilled}}|{{.State.Error}}' "$container" 2>&1
}
create() {
  local arguments image
  image=$(<image)
  "${docker[@]}" image inspect "$image" >/dev/null 2>&1 || pull
  rm -f registry.password
  stop_if_cancelled
  step create
  mapfile -d '' -t arguments <container.args
  arguments=("${arguments[@]//@HOME@/$HOME}")
  arguments=("${arguments[@]//@JOB@/$dir}")
  "${docker[@]}" create "${arguments[@]}" >container 2>create.err
}
start() {
  if [ ! -e run.offset ]; then
    measure
    note run.offset "$bytes"
    step run
    # attached from the first byte on: `docker logs` would hold a progress bar back until a newline
    "${docker[@]}" start --attach --sig-proxy=false "$container" >>log 2>>docker.err </dev/null
  else
    # another client may have started it just now: then only `docker logs` tells where its output begins
    "${docker[@]}" start "$container" >/dev/null 2>>docker.err </dev/null
  fi
}
# What docker kept of the output, from where the log ends. After a lost client nothing is missing, though a progress bar
# comes late this way. Our containers have one stream only and a log driver that keeps bytes as they are (container.ts);
# of others' both streams are taken, which docker gives in the same order each time.
catch_up() {
  local offset
  read -r offset <run.offset
  measure
  if [ -e container.name ]; then
    "${docker[@]}" logs --follow "$container" 2>&1 </dev/null
  else
    "${docker[@]}" logs --follow "$container" 2>/dev/null </dev/null
  fi | tail -c "+$((bytes - offset + 1))" >>log
  case "${PIPESTATUS[*]}" in
    '0 0') return 0 ;;
    *' 0') return 1 ;;
    # the disk is full
    *) return 2 ;;
  esac
}
ended() { # what inspect told
  local code oom error try
  IFS='|' read -r _ code oom error <<<"$1"
  # whatever became of the client that was attached; for room on the disk it waits as long as it takes
  for ((try = 1; try <= 30; try++)); do
    catch_up && break
    [ "$?" -eq 1 ] || try=0
    case $(inspect) in *'No such'*) break ;; esac
    sleep 1
  done
  stop_if_cancelled "$code"
  if [ "$code" -ne 0 ]; then
    if rebooted; then finish interrupted "$code" "$oom" 'the instance was stopped or rebooted'; fi
    if [ -n "$docker_was_away" ]; then finish interrupted "$code" "$oom" 'docker was restarted on the instance'; fi
    if going_down; then exit 0; fi
  fi
  finish run "$code" "$oom" "$error"
}

creations=0
starts=0
while :; do
  state=$(inspect)
  case $state in
    created*)
      IFS='|' read -r _ code oom error <<<"$state"
      stop_if_cancelled
      if [ -e container.name ]; then
        # whose it is starts it
        sleep 1
        continue
      fi
      if [ -n "$error" ] || [ "$starts" -eq 5 ]; then finish create "$code" "$oom" "$error"; fi
      if rebooted; then finish interrupted '' false 'the instance was stopped or rebooted before the container ran'; fi
      starts=$((starts + 1))
      start
      ;;
    running* | paused* | restarting* | removing*)
      step run
      catch_up || sleep 1
      ;;
    exited* | dead*)
      ended "$state"
      ;;
    *'No such'*)
      stop_if_cancelled
      if [ -e run.offset ]; then finish lost '' false 'the container is gone: it was deleted'; fi
      if [ "$creations" -eq 5 ]; then
        cat create.err >>log
        finish create 125 false "$(tail -n 1 create.err)"
      fi
      creations=$((creations + 1))
      create || [ "$?" -ge 128 ] || creations=5
      ;;
    *)
      await_docker
      sleep 1
      ;;
  esac
done
