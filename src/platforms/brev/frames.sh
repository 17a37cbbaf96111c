# Comes before a script that follows jobs: frames that say their job (its number among the script's arguments), stream and
# offset, and end with this run's own token, so that one that a lost connection has cut is known by its missing end.
token=$$-$RANDOM$RANDOM
max=262144
truncated=

# waits for a tenth of a second without a program
exec 7<> <(:)
pause() { read -rt 0.1 -u 7; }
# tells that job $1 lives, in step $2
beat() { printf '@brev beat %s %s %s\n' "$token" "$1" "$2" || exit 0; }
# tells how job $1 ended
result() { printf '\n@brev finish %s %s\n%s\n@brev end %s\n' "$token" "$1" "$2" "$token" || exit 0; }
# sends what is new of file $3, $5 bytes long, as stream $2 of job $1 from offset $4; sets `sent` to how much that was
send() {
  sent=0
  if [ "$5" -lt "$4" ]; then
    case $truncated in
      *" $1 $2 $5 "*) ;;
      *)
        printf '@brev truncated %s %s %s %s\n' "$token" "$1" "$2" "$5" || exit 0
        truncated="$truncated $1 $2 $5 "
        ;;
    esac
    return
  fi
  sent=$(($5 - $4))
  [ "$sent" -eq 0 ] && return
  [ "$sent" -gt "$max" ] && sent=$max
  printf '@brev frame %s %s %s %s %s\n' "$token" "$1" "$2" "$4" "$sent" || exit 0
  local begun=${EPOCHREALTIME/[.,]/} took
  dd if="$3" bs=1M skip="$4" count="$sent" iflag=skip_bytes,count_bytes,fullblock status=none
  printf '\n@brev end %s\n' "$token" || exit 0
  # a frame is as large as the link carries in a moment: a slow one must not look like a stall, each costs a program
  took=$((${EPOCHREALTIME/[.,]/} - begun))
  if [ "$took" -lt 300000 ] && [ "$max" -lt 8388608 ]; then
    max=$((max * 2))
  elif [ "$took" -gt 2000000 ] && [ "$max" -gt 65536 ]; then
    max=$((max / 2))
  fi
}
