#!/usr/bin/env bash
# A docker for one machine, in $FAKE_DOCKER: containers are folders, their program is $FAKE_DOCKER/program.
# Files named after a subcommand make it fail: fail.SUB holds the text (for good), fail-once.SUB (the first time only);
# their first line is the exit code.
state=$FAKE_DOCKER
printf '%s\0' "$@" | tr '\n\0' ' \n' | paste -sd ' ' >>"$state/calls"
while [ "${1-}" = --config ]; do shift 2; done
sub=$1
shift
for fault in "fail.$sub" "fail-once.$sub"; do
  if [ -e "$state/$fault" ] && { [ ! -e "$state/only-without-sudo" ] || [ -z "${FAKE_SUDO-}" ]; }; then
    code=$(head -n 1 "$state/$fault")
    tail -n +2 "$state/$fault" >&2
    case $fault in fail-once.*) rm -f "$state/$fault" ;; esac
    exit "$code"
  fi
done
container() { printf '%s/containers/%s' "$state" "$1"; }
none() { echo "Error response from daemon: No such container: $1" >&2; exit 1; }
last() { echo "${!#}"; }
fields() { # folder
  printf '%s|%s|%s|%s\n' "$(cat "$1/status")" "$(cat "$1/exit" 2>/dev/null || echo 0)" \
    "$(cat "$1/oom" 2>/dev/null || echo false)" "$(cat "$1/error" 2>/dev/null)"
}
begin() { # folder, name
  if [ -e "$state/no-gpu" ]; then
    text='could not select device driver "" with capabilities: [[gpu]]'
    echo 128 >"$1/exit"
    echo "$text" >"$1/error"
    echo "Error response from daemon: $text" >&2
    exit 1
  fi
  echo running >"$1/status"
  echo x >>"$1/starts"
  setsid bash -c '
    exec 8>&- 9>&-
    setsid bash "$2/program" "$1" >>"$1/output" 2>&1 </dev/null &
    echo $! >"$1/pid"
    wait $!
    echo $? >"$1/exit.new"; mv "$1/exit.new" "$1/exit"
    echo exited >"$1/status.new"; mv "$1/status.new" "$1/status"' bash "$1" "$state" </dev/null >/dev/null 2>&1 &
}
output() { # folder: all of it, until the container has ended
  while [ ! -e "$1/output" ] && [ "$(cat "$1/status")" = running ]; do sleep 0.01; done
  local sent=0 size ended
  while :; do
    ended=
    [ "$(cat "$1/status")" = running ] || ended=1
    size=$(stat -c %s "$1/output" 2>/dev/null || echo 0)
    if [ "$size" -gt "$sent" ]; then
      tail -c "+$((sent + 1))" "$1/output" | head -c "$((size - sent))" || exit 1
      sent=$size
    elif [ -n "$ended" ]; then
      return
    else
      sleep 0.02
    fi
  done
}
case $sub in
  version) echo 28.2.2 ;;
  info) echo ok ;;
  login)
    cat >"$state/password"
    ;;
  image)
    [ -e "$state/image" ] || { echo 'Error: No such image' >&2; exit 1; }
    ;;
  pull)
    echo '7.1.0-pyt: Pulling from nvidia/tao'
    if [ -e "$state/slow-pull" ]; then
      touch "$state/pulling"
      while [ -e "$state/slow-pull" ]; do sleep 0.02; done
    fi
    echo 'Status: Downloaded newer image'
    touch "$state/image"
    ;;
  create)
    name=
    for ((index = 1; index <= $#; index++)); do
      if [ "${!index}" = --name ]; then next=$((index + 1)) && name=${!next}; fi
    done
    folder=$(container "$name")
    if ! mkdir -p "$state/containers" || ! mkdir "$folder" 2>/dev/null; then
      echo "Error response from daemon: Conflict. The container name \"/$name\" is already in use" >&2
      exit 125
    fi
    printf '%s\0' "$@" >"$folder/args"
    echo created >"$folder/status"
    echo 0123456789abcdef
    ;;
  start)
    name=$(last "$@")
    folder=$(container "$name")
    [ -d "$folder" ] || none "$name"
    if [ "$(cat "$folder/status")" != running ]; then begin "$folder" "$name"; fi
    case " $* " in
      *' --attach '* | *' -a '*)
        output "$folder"
        exit "$(cat "$folder/exit")"
        ;;
      *) echo "$name" ;;
    esac
    ;;
  attach | logs)
    folder=$(container "$(last "$@")")
    [ -d "$folder" ] || none "$(last "$@")"
    output "$folder"
    ;;
  inspect | container)
    folder=$(container "$(last "$@")")
    [ -d "$folder" ] || none "$(last "$@")"
    case "$*" in
      *ExitCode*) fields "$folder" ;;
      *) cat "$folder/status" ;;
    esac
    ;;
  stop | kill)
    folder=$(container "$(last "$@")")
    [ -d "$folder" ] || none "$(last "$@")"
    if [ "$(cat "$folder/status")" = running ]; then
      [ "$sub" = stop ] && kill -TERM -- "-$(cat "$folder/pid")"
      for _ in 1 2 3 4 5 6 7 8 9 10; do
        if [ "$sub" = kill ] || [ "$(cat "$folder/status")" != running ]; then break; fi
        sleep 0.05
      done
      while [ "$(cat "$folder/status")" = running ]; do
        kill -KILL -- "-$(cat "$folder/pid")" 2>/dev/null
        sleep 0.02
      done
    fi
    ;;
  wait)
    folder=$(container "$(last "$@")")
    output "$folder" >/dev/null
    cat "$folder/exit"
    ;;
  rm)
    rm -rf "$(container "$(last "$@")")"
    ;;
  *)
    echo "fake docker: not known: $sub $*" >&2
    exit 64
    ;;
esac
