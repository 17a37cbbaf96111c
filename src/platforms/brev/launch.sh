# Starts the supervisor of job $1, once: a replay of this script finds the folder `launched` and does nothing.
# Stdin brings the job's secrets as `name=value`, each ended by NUL: `registry` is the password for nvcr.io, all others
# are environment variables of the container. They are kept in files that only the owner may read, until they are used.
exec 2>&1
set -e
umask 077
dir=$HOME/.brev-jobs/$1
cd "$dir"
chmod 700 "$dir"
mkdir -p results secrets "$HOME/data"
if ! mkdir launched 2>/dev/null; then
  echo 'already launched'
  exit 0
fi
while IFS= read -r -d '' secret; do
  name=${secret%%=*}
  value=${secret#*=}
  if [ "$name" = registry ]; then
    printf '%s' "$value" >registry.password
  else
    printf 'export %s=%q\n' "$name" "$value" >>secrets/env
  fi
done
: >>log
# a session of its own, without terminal or pipes: nothing that happens to this connection reaches it
setsid bash "$dir/supervisor.sh" "$1" </dev/null >/dev/null 2>>"$dir/supervisor.err" &
echo 'launched'
