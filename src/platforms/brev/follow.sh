# Sends what jobs write until all have ended, as frames.sh (which comes before this) says it: for each three arguments, its
# id and the bytes that are known of its log and of TAO's status.json.
# shellcheck disable=SC2154 # frames.sh
ids=() dirs=() log_offsets=() status_offsets=() idles=() steps=() status_files=() open=()
while [ "$#" -gt 0 ]; do
  open+=("${#ids[@]}")
  ids+=("$1") log_offsets+=("$2") status_offsets+=("$3") idles+=(0) steps+=('') status_files+=('')
  dirs+=("$HOME/.brev-jobs/$1")
  shift 3
done

finish() { result "$1" "$2" && unset "open[$1]"; }
lost() { finish "$1" "$(printf 'step=lost\nexit=\noom=false\nerror=%s' "$2")"; }
# a job that was given up before its launch: what may still be on its way to its folder finds none
locate() {
  [ -d "${dirs[$1]}" ] && return
  [ ! -d "${dirs[$1]}.never" ] || dirs[$1]=${dirs[$1]}.never
  [ -d "${dirs[$1]}" ] || lost "$1" 'the folder of the job is gone'
}
# Where nobody works on a job although it has not ended, its supervisor has died and is replaced; several may try, and
# one gets the lock. A job that is not launched after ten seconds never will be: the launch would find itself too late.
supervise() {
  local dir=${dirs[$1]}
  if [ ! -d "$dir" ]; then
    locate "$1"
    return
  fi
  # shared while it looks: whoever cancels the job makes it look launched for a moment
  { exec 8>>"$dir/lock"; } 2>/dev/null || return
  if flock -n -s 8; then
    if [ -d "$dir/launched" ]; then
      if [ -f "$dir/supervisor.sh" ]; then
        setsid bash "$dir/supervisor.sh" "${ids[$1]}" 8>&- </dev/null >/dev/null 2>>"$dir/supervisor.err" &
      elif [ -d "$dir" ] && [ ! -e "$dir/result" ]; then
        lost "$1" 'its files are gone'
      fi
    elif [ -d "$dir" ] && [ "${idles[$1]}" -ge 10000000 ]; then
      never "$1" "$dir"
    fi
  fi
  exec 8>&-
}
never() {
  if flock -n 8 && [ ! -d "$2/launched" ]; then
    mkdir "$2/launched"
    rm -rf "$2/secrets" "$2/registry.password" "$2"/.brev-input-*
    if printf 'step=launch\nexit=\noom=false\nerror=it was never launched\n' >"$2/result.new" &&
      mv "$2/result.new" "$2/result"; then
      mv -T "$2" "$2.never" && dirs[$1]=$2.never
    else
      # a full disk: once more when it is looked at again
      rm -f "$2/result.new"
      rmdir "$2/launched"
    fi
  fi
}
find_status() {
  local file
  for file in "${dirs[$1]}"/results/*/status.json "${dirs[$1]}"/results/status.json "${dirs[$1]}"/results/*/*/status.json; do
    if [ -f "$file" ]; then status_files[$1]=$file && return; fi
  done
}
# One program looks at the files of all jobs: first at the results, so that what was written before a result is sent
# before it. Sets `size` by file.
look() {
  local job files=() bytes file
  for job in "${open[@]}"; do files+=("${dirs[job]}/result"); done
  for job in "${open[@]}"; do
    files+=("${dirs[job]}/log")
    [ -z "${status_files[job]}" ] || files+=("${status_files[job]}")
  done
  size=()
  while read -r bytes file; do
    size[$file]=$bytes
  done < <(stat -c '%s %n' "${files[@]}" 2>/dev/null)
}
# one look at job $1, `elapsed` microseconds after the last one; sets `moved` when it had anything new
follow() {
  local job=$1 dir now ended status idle=${idles[$1]}
  dir=${dirs[job]}
  ended=${size[$dir/result]-}
  # the step of a job that has ended would look like a job that goes on
  read -r now 2>/dev/null <"$dir/step" || now=launch
  if [ "$now" != "${steps[job]}" ] && [ -z "$ended" ]; then
    steps[job]=$now
    beat "$job" "$now"
  fi
  local news=0 known=${size[$dir/log]-${log_offsets[job]}} frames
  # several frames of what one look has found: a look costs more than sending does
  for ((frames = 0; frames < 8; frames++)); do
    send "$job" log "$dir/log" "${log_offsets[job]}" "$known"
    log_offsets[job]=$((log_offsets[job] + sent))
    news=$((news + sent))
    [ "$sent" -gt 0 ] && [ "${log_offsets[job]}" -lt "$known" ] || break
  done
  status=${status_files[job]}
  if [ -n "$status" ]; then
    send "$job" status "$status" "${status_offsets[job]}" "${size[$status]-${status_offsets[job]}}"
    status_offsets[job]=$((status_offsets[job] + sent))
    news=$((news + sent))
  elif [ -n "$ended" ] || [ "$idle" -eq 0 ] || [ "$(((idle + elapsed) / 1000000))" -gt "$((idle / 1000000))" ]; then
    find_status "$job"
    # what it has is sent before the end
    [ -z "${status_files[job]}" ] || news=1
  fi
  if [ "$news" -gt 0 ]; then
    idles[job]=0
    moved=1
    return
  fi
  if [ -n "$ended" ]; then
    local text
    # nothing: whoever gave up the launch has just put the folder aside (never, cancel.sh)
    if ! text=$(cat "$dir/result" 2>/dev/null) || [ -z "$text" ]; then
      locate "$job"
      return
    fi
    rm -rf "$dir/secrets/env" "$dir/registry.password" "$dir/docker.login" "$dir"/.brev-input-*
    finish "$job" "$text"
    return
  fi
  if [ "$(((idle + elapsed) / 2000000))" -gt "$((idle / 2000000))" ]; then
    supervise "$job"
    [ -z "${open[job]+open}" ] || beat "$job" "${steps[job]}"
  fi
  idles[job]=$((idle + elapsed))
}

# How busy the GPUs and the disk are, looked at beside the logs: a driver that hangs must not hold them up, and is not
# asked again until it has answered. The answer comes by descriptor 9, which is read only where it has something.
gauge_at=0 gauging=
look_around() {
  exec </dev/null 2>/dev/null
  local limit=() disk gpus=()
  if command -v timeout >/dev/null; then limit=(timeout 10); fi
  mapfile -t gpus < <("${limit[@]}" nvidia-smi --query-gpu=index,utilization.gpu,memory.used,memory.total,temperature.gpu \
    --format=csv,noheader,nounits)
  disk=$("${limit[@]}" df -Pk "$HOME" | awk 'NR == 2 { print $2 "," $4 }')
  printf 'disk=%s' "$disk"
  [ "${#gpus[@]}" -eq 0 ] || printf ' gpu=%s' "${gpus[@]// /}"
  echo
}
gauge() {
  local answer
  if [ -n "$gauging" ]; then
    read -t 0 -u 9 || return
    read -rt 1 -u 9 answer && printf '@brev gauge %s 0 %s\n' "$token" "$answer"
    exec 9<&-
    gauging=
  elif [ "$now" -ge "$gauge_at" ] || [ "$((gauge_at - now))" -gt 15000000 ]; then
    gauge_at=$((now + 15000000))
    exec 9< <(look_around)
    gauging=1
  fi
}

# inputs of calls that were cut off long ago
find "$HOME" -maxdepth 1 -name '.brev-input-*' -mmin +60 -delete 2>/dev/null
printf '\n'
for job in "${open[@]}"; do locate "$job"; done
declare -A size
last=${EPOCHREALTIME/[.,]/}
while [ "${#open[@]}" -gt 0 ]; do
  now=${EPOCHREALTIME/[.,]/}
  # a clock that was set, or a machine that slept, is no silence of a job
  elapsed=$((now - last)) last=$now
  [ "$elapsed" -ge 0 ] && [ "$elapsed" -lt 200000 ] || elapsed=100000
  look
  moved=
  for job in "${open[@]}"; do follow "$job"; done
  gauge
  [ -n "$moved" ] || pause
done
