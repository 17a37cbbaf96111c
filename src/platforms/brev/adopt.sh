# Takes over container $2, which somebody else runs, as job $1: from now on a supervisor copies what it writes and tells how
# it ends. Nothing is started; a replay of this finds the folder `launched` and does nothing.
exec 2>&1
umask 077
dir=$HOME/.brev-jobs/$1
cd "$dir" || exit 1
if [ -d launched ]; then
  echo 'taken over'
  exit 0
fi
docker=(docker)
docker version >/dev/null 2>&1 || docker=(sudo -n docker)
if ! "${docker[@]}" inspect --type container --format '{{.Id}}' "$2" >/dev/null; then
  exit 1
fi
exec 8>>lock
flock -w 5 8 || exit 1
if [ ! -d launched ]; then
  mkdir -p results
  printf '%s\n' "$2" >container.name
  printf '0\n' >run.offset
  cat /proc/sys/kernel/random/boot_id >boot 2>/dev/null || rm -f boot
  : >>log
  mkdir launched
  setsid bash "$dir/supervisor.sh" "$1" locked </dev/null >/dev/null 2>>"$dir/supervisor.err" &
fi
echo 'taken over'
