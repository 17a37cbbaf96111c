# Sends what job $1 writes, in frames that say their offset and end with this run's own token, until the job has ended:
# its log from byte $2 on, and TAO's status.json from byte $3 on. A frame that was cut by a lost connection is known by
# its missing end.
dir=$HOME/.brev-jobs/$1
log_offset=$2
status_offset=${3-0}
token=$$-$RANDOM$RANDOM
max=1048576
idle=0
step=
status_file=
truncated=

finish() { printf '\n@brev finish %s\n%s\n@brev end %s\n' "$token" "$1" "$token"; exit 0; }
lost() { finish "$(printf 'step=lost\nexit=\noom=false\nerror=%s' "$1")"; }
supervised() {
  # the supervisor writes its number first thing; until then the launch is under way
  read -r pid start 2>/dev/null <"$dir/pid" || { [ "$idle" -lt 100 ]; return; }
  [ "$(cut -d ' ' -f 22 "/proc/$pid/stat" 2>/dev/null)" = "$start" ]
}
# A supervisor that died is replaced, once for each: the folder is named after it.
adopt() {
  [ -d "$dir/launched" ] || { rm -rf "$dir/registry.password" "$dir/secrets/env"; lost 'it was never launched'; }
  [ -f "$dir/supervisor.sh" ] || lost 'its files are gone'
  if mkdir "$dir/adopted.${pid:-0}.${start:-0}" 2>/dev/null; then
    setsid bash "$dir/supervisor.sh" "$1" adopt </dev/null >/dev/null 2>>"$dir/supervisor.err" &
  fi
}
beat() { printf '@brev beat %s %s\n' "$token" "$step"; }
# sends what is new of file $2 as stream $1 from offset $3; sets `sent` to how much that was
send() {
  sent=0
  local size
  size=$(stat -c %s "$2" 2>/dev/null) || return
  if [ "$size" -lt "$3" ]; then
    case $truncated in
      *" $1 "*) ;;
      *)
        printf '@brev truncated %s %s %s\n' "$token" "$1" "$size"
        truncated="$truncated $1 "
        ;;
    esac
    return
  fi
  sent=$((size - $3))
  [ "$sent" -eq 0 ] && return
  [ "$sent" -gt "$max" ] && sent=$max
  printf '@brev frame %s %s %s %s\n' "$token" "$1" "$3" "$sent" || exit 0
  tail -c "+$(($3 + 1))" "$2" | head -c "$sent"
  printf '\n@brev end %s\n' "$token" || exit 0
}

[ -d "$dir" ] || lost 'the folder of the job is gone'
printf '\n'
while :; do
  # looked at before the files: what was written before the result is sent before it
  ended=
  [ -e "$dir/result" ] && ended=1
  # the step of a job that has ended would look like a job that goes on
  read -r now 2>/dev/null <"$dir/step" || now=launch
  if [ "$now" != "$step" ] && [ -z "$ended" ]; then
    step=$now
    beat || exit 0
  fi
  send log "$dir/log" "$log_offset"
  log_offset=$((log_offset + sent))
  moved=$sent
  if [ -z "$status_file" ] && { [ -n "$ended" ] || [ "$((idle % 10))" -eq 0 ]; }; then
    for file in "$dir"/results/*/status.json "$dir"/results/status.json "$dir"/results/*/*/status.json; do
      if [ -f "$file" ]; then status_file=$file && break; fi
    done
  fi
  if [ -n "$status_file" ]; then
    send status "$status_file" "$status_offset"
    status_offset=$((status_offset + sent))
    moved=$((moved + sent))
  fi
  if [ "$moved" -gt 0 ]; then
    idle=0
    continue
  fi
  if [ -n "$ended" ]; then
    finish "$(cat "$dir/result")"
  fi
  if [ "$((idle % 20))" -eq 19 ]; then
    if ! supervised && [ ! -e "$dir/result" ]; then
      adopt "$1"
    fi
    beat || exit 0
  fi
  idle=$((idle + 1))
  sleep 0.1
done
