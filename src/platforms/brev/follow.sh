# Sends the log of job $1 from byte $2 on, in frames that say their offset and end with this run's own token, until
# the job has ended. A frame that was cut by a lost connection is known by its missing end.
dir=$HOME/.brev-jobs/$1
offset=$2
token=$$-$RANDOM$RANDOM
max=1048576
idle=0
step=launch
supervised() {
  # the supervisor writes its number first thing; until then the launch is under way
  read -r pid start 2>/dev/null <"$dir/pid" || { [ "$idle" -lt 100 ]; return; }
  [ "$(cut -d ' ' -f 22 "/proc/$pid/stat" 2>/dev/null)" = "$start" ]
}
beat() { printf '@brev beat %s %s\n' "$token" "$step"; }

if [ ! -d "$dir" ]; then
  printf '\n@brev finish %s\nstep=lost\nexit=\noom=false\nerror=the folder of the job is gone\n@brev end %s\n' "$token" "$token"
  exit 0
fi
printf '\n'
beat
while :; do
  read -r now 2>/dev/null <"$dir/step" || now=$step
  if [ "$now" != "$step" ]; then
    step=$now
    beat || exit 0
  fi
  ended=
  [ -e "$dir/result" ] && ended=1
  size=$(stat -c %s "$dir/log" 2>/dev/null || echo 0)
  if [ "$size" -lt "$offset" ]; then
    printf '@brev truncated %s %s\n' "$token" "$size"
    offset=$size
  fi
  length=$((size - offset))
  if [ "$length" -gt 0 ]; then
    [ "$length" -gt "$max" ] && length=$max
    printf '@brev frame %s log %s %s\n' "$token" "$offset" "$length" || exit 0
    tail -c "+$((offset + 1))" "$dir/log" | head -c "$length"
    printf '\n@brev end %s\n' "$token" || exit 0
    offset=$((offset + length))
    idle=0
    continue
  fi
  if [ -n "$ended" ]; then
    printf '@brev finish %s\n%s\n@brev end %s\n' "$token" "$(cat "$dir/result")" "$token"
    exit 0
  fi
  if [ "$((idle % 20))" -eq 19 ]; then
    if ! supervised && [ ! -e "$dir/result" ]; then
      rm -rf "$dir/registry.password" "$dir/secrets/env" "$dir/docker.login"
      printf '@brev finish %s\nstep=lost\nexit=\noom=false\nerror=the supervisor of the job is gone\n@brev end %s\n' "$token" "$token"
      exit 0
    fi
    beat || exit 0
  fi
  idle=$((idle + 1))
  sleep 0.1
done
