# Starts the supervisor of job $1, once: a replay of this script finds the folder `launched` and does nothing.
exec 2>&1
set -e
umask 077
dir=$HOME/.brev-jobs/$1
cd "$dir"
chmod 700 "$dir"
mkdir -p results "$HOME/data"
if ! mkdir launched 2>/dev/null; then
  echo 'already launched'
  exit 0
fi
: >>log
# a session of its own, without terminal or pipes: nothing that happens to this connection reaches it
if command -v setsid >/dev/null; then
  setsid bash "$dir/supervisor.sh" "$1" </dev/null >/dev/null 2>>"$dir/supervisor.err" &
else
  nohup bash "$dir/supervisor.sh" "$1" </dev/null >/dev/null 2>>"$dir/supervisor.err" &
fi
echo 'launched'
