# Sends what job $1 writes, in frames that say their offset and end with this run's own token, until the job has ended:
# its log from byte $2 on, and TAO's status.json from byte $3 on. A frame that was cut by a lost connection is known by
# its missing end.
dir=$HOME/.brev-jobs/$1
# a job that was given up before its launch: what may still be on its way to its folder finds none
[ ! -d "$dir.never" ] || dir=$dir.never
log_offset=$2
status_offset=${3-0}
token=$$-$RANDOM$RANDOM
max=262144
idle=0
step=
status_file=
truncated=

finish() { printf '\n@brev finish %s\n%s\n@brev end %s\n' "$token" "$1" "$token"; exit 0; }
lost() { finish "$(printf 'step=lost\nexit=\noom=false\nerror=%s' "$1")"; }
# Where nobody works on the job although it has not ended, its supervisor has died and is replaced; several may try, and
# one gets the lock. A job that is not launched after ten seconds never will be: the launch would find itself too late.
supervise() {
  if [ ! -d "$dir" ]; then
    # given up meanwhile by whoever cancelled it
    [ -d "$dir.never" ] || lost 'the folder of the job is gone'
    dir=$dir.never
    return
  fi
  flock -n -s "$dir/lock" true || return
  if [ -d "$dir/launched" ]; then
    [ -f "$dir/supervisor.sh" ] || lost 'its files are gone'
    setsid bash "$dir/supervisor.sh" "$1" </dev/null >/dev/null 2>>"$dir/supervisor.err" &
  elif [ "$idle" -ge 100 ]; then
    never
  fi
}
never() {
  exec 8>>"$dir/lock"
  if flock -n 8 && [ ! -d "$dir/launched" ]; then
    mkdir "$dir/launched"
    rm -rf "$dir/secrets" "$dir/registry.password" "$dir"/.brev-input-*
    printf 'step=launch\nexit=\noom=false\nerror=it was never launched\n' >"$dir/result"
    mv -T "$dir" "$dir.never" && dir=$dir.never
  fi
  exec 8>&-
}
beat() { printf '@brev beat %s %s\n' "$token" "$step"; }
# waits for a tenth of a second without a program
exec 7<> <(:)
pause() { read -rt 0.1 -u 7; }
# sends what is new of file $2, $4 bytes long, as stream $1 from offset $3; sets `sent` to how much that was
send() {
  sent=0
  if [ "$4" -lt "$3" ]; then
    case $truncated in
      *" $1 $4 "*) ;;
      *)
        printf '@brev truncated %s %s %s\n' "$token" "$1" "$4" || exit 0
        truncated="$truncated $1 $4 "
        ;;
    esac
    return
  fi
  sent=$(($4 - $3))
  [ "$sent" -eq 0 ] && return
  [ "$sent" -gt "$max" ] && sent=$max
  printf '@brev frame %s %s %s %s\n' "$token" "$1" "$3" "$sent" || exit 0
  local begun=${EPOCHREALTIME/[.,]/} took
  dd if="$2" bs=1M skip="$3" count="$sent" iflag=skip_bytes,count_bytes,fullblock status=none
  printf '\n@brev end %s\n' "$token" || exit 0
  # a frame is as large as the link carries in a moment: a slow one must not look like a stall, each costs a program
  took=$((${EPOCHREALTIME/[.,]/} - begun))
  if [ "$took" -lt 300000 ] && [ "$max" -lt 8388608 ]; then
    max=$((max * 2))
  elif [ "$took" -gt 2000000 ] && [ "$max" -gt 65536 ]; then
    max=$((max / 2))
  fi
}

# inputs of calls that were cut off long ago
find "$HOME" -maxdepth 1 -name '.brev-input-*' -mmin +60 -delete 2>/dev/null
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
  if [ -z "$status_file" ] && { [ -n "$ended" ] || [ "$((idle % 10))" -eq 0 ]; }; then
    for file in "$dir"/results/*/status.json "$dir"/results/status.json "$dir"/results/*/*/status.json; do
      if [ -f "$file" ]; then status_file=$file && break; fi
    done
  fi
  log_size=$log_offset
  status_size=$status_offset
  while read -r bytes file; do
    if [ "$file" = "$dir/log" ]; then log_size=$bytes; else status_size=$bytes; fi
  done < <(stat -c '%s %n' "$dir/log" ${status_file:+"$status_file"} 2>/dev/null)
  send log "$dir/log" "$log_offset" "$log_size"
  log_offset=$((log_offset + sent))
  moved=$sent
  if [ -n "$status_file" ]; then
    send status "$status_file" "$status_offset" "$status_size"
    status_offset=$((status_offset + sent))
    moved=$((moved + sent))
  fi
  if [ "$moved" -gt 0 ]; then
    idle=0
    continue
  fi
  if [ -n "$ended" ]; then
    rm -rf "$dir/secrets/env" "$dir/registry.password" "$dir/docker.login" "$dir"/.brev-input-*
    finish "$(<"$dir/result")"
  fi
  if [ "$((idle % 20))" -eq 19 ]; then
    supervise "$1"
    beat || exit 0
  fi
  idle=$((idle + 1))
  pause
done
