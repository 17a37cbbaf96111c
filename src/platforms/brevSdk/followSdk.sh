# Sends what the SDK's job of our job $1 writes, as frames.sh (which comes before this) says it: its log from byte $2 on,
# TAO's status.json from byte $3 on, and its end, when its exit code is there.
# shellcheck disable=SC2154 # frames.sh
dir=$HOME/.brev-jobs/$1
log_offset=$2
status_offset=${3-0}
idle=0
step=
status_file=
job=

finish() { # step, exit code, error
  result 0 "$(printf 'step=%s\nexit=%s\noom=false\nerror=%s' "$1" "$2" "$3")"
  exit 0
}
size_of() { stat -L -c %s "$1" 2>/dev/null || echo "$2"; }
exit_code() { cat "$dir/exit" 2>/dev/null || cat "/tmp/tao-job-$job.exit" 2>/dev/null; }
launcher() {
  local pid
  read -r pid 2>/dev/null <"$dir/launched/pid" || return
  tr '\0' ' ' 2>/dev/null <"/proc/$pid/cmdline" | grep -qF "tao-job-$job"
}
container() { [ "$(docker inspect --type container --format '{{.State.Running}}' "tao-job-$job" 2>/dev/null)" = true ]; }
# how a job ended whose exit code is known; 125 is docker's own, with its words in the log
judge() {
  [ ! -e "$dir/cancelled" ] || finish cancel "$1" ''
  local words
  words=$(tail -n 5 "$dir/log" 2>/dev/null | grep -a '^docker: ' | tail -n 1)
  if [ "$1" = 125 ] && [ -n "$words" ]; then
    if docker image inspect "$(cat "$dir/image")" >/dev/null 2>&1; then finish create 125 "$words"; fi
    finish pull 125 "$words"
  fi
  finish run "$1" ''
}
# neither an exit code nor a launcher: docker may know of the container, else nobody saw how it ended
orphaned() {
  container && return
  # it may have ended between the two looks
  [ -z "$(exit_code)" ] || return
  [ ! -e "$dir/cancelled" ] || finish cancel '' ''
  if [ "$(cat "$dir/boot" 2>/dev/null)" != "$(cat /proc/sys/kernel/random/boot_id)" ]; then
    finish interrupted '' 'the instance was stopped or rebooted'
  fi
  finish lost '' 'the launcher of the job is gone without an exit code'
}

[ -d "$dir" ] || finish lost '' 'the folder of the job is gone'
# inputs of calls that were cut off long ago
find "$HOME" -maxdepth 1 -name '.brev-input-*' -mmin +60 -delete 2>/dev/null
printf '\n'
while :; do
  if [ -z "$job" ] && read -r job 2>/dev/null <"$dir/sdk-job" && [ -e "/tmp/tao-job-$job.sudo" ]; then
    docker() { sudo -n docker "$@"; }
  fi
  # looked at before the files: what was written before the exit code is sent before it
  ended=
  [ -z "$job" ] || ended=$(exit_code)
  now=launch
  [ -z "$job" ] || now=pull
  [ ! -s "/tmp/tao-job-$job.cid" ] || now=run
  if [ "$now" != "$step" ] && [ -z "$ended" ]; then
    step=$now
    beat 0 "$step"
  fi
  send 0 log "$dir/log" "$log_offset" "$(size_of "$dir/log" "$log_offset")"
  log_offset=$((log_offset + sent))
  moved=$sent
  if [ -z "$status_file" ] && { [ -n "$ended" ] || [ "$((idle % 10))" -eq 0 ]; }; then
    # the SDK's runner puts a level between: results/<job>/results_dir/train
    for file in "$dir"/results/status.json "$dir"/results/*/status.json "$dir"/results/*/*/status.json \
      "$dir"/results/*/*/*/status.json; do
      if [ -f "$file" ]; then status_file=$file && break; fi
    done
  fi
  if [ -n "$status_file" ]; then
    send 0 status "$status_file" "$status_offset" "$(size_of "$status_file" "$status_offset")"
    status_offset=$((status_offset + sent))
    moved=$((moved + sent))
  fi
  if [ "$moved" -gt 0 ]; then
    idle=0
    continue
  fi
  if [ -n "$ended" ]; then
    judge "$ended"
  fi
  if [ "$((idle % 20))" -eq 19 ]; then
    if [ -n "$job" ]; then
      launcher || orphaned
    elif [ "$idle" -ge 100 ]; then
      # a launch that comes now finds the folder and does nothing
      mkdir "$dir/launched" 2>/dev/null && rm -rf "$dir/secrets" "$dir/registry.password" && finish launch '' 'it was never launched'
      [ ! -d "$dir/launched" ] || [ "$idle" -lt 200 ] || finish launch '' 'it was never launched'
    fi
    beat 0 "$step"
  fi
  idle=$((idle + 1))
  pause
done
