# Starts the supervisor of job $1, once: a replay of this script finds the folder `launched` and does nothing.
# Stdin brings the job's $2 secrets as `name=value`, each ended by NUL: `registry` is the password for nvcr.io, all others
# are environment variables of the program. They are kept in files that only the owner may read, until they are used.
exec 2>&1
set -e
umask 077
dir=$HOME/.brev-jobs/$1
secrets=()
while IFS= read -r -d '' secret; do secrets+=("$secret"); done
cd "$dir"
chmod 700 "$dir"
# launched by another run of this, cancelled, or given up
too_late() {
  if [ -d launched ] || [ -e cancelled ] || [ -d "$dir.never" ]; then
    echo 'already launched'
    exit 0
  fi
}
too_late
# a connection that broke off must not launch a job without its secrets
if [ "${#secrets[@]}" -ne "${2-0}" ]; then
  echo 'the secrets did not arrive whole'
  exit 1
fi
# one launch at a time; it is done when `launched` stands, and until then nothing has been
exec 8>>lock
# what another launch has started keeps the lock for as long as the job lives
until flock -w 1 8; do too_late; done
too_late
# what can't be launched, such as on a full disk, leaves no secret behind
trap '[ -d launched ] || rm -rf secrets/env registry.password' EXIT
mkdir -p results secrets "$HOME/data"
rm -f secrets/env registry.password
for secret in "${secrets[@]}"; do
  name=${secret%%=*}
  value=${secret#*=}
  if [ "$name" = registry ]; then
    printf '%s' "$value" >registry.password
  else
    printf 'export %s=%q\n' "$name" "$value" >>secrets/env
  fi
done
cat /proc/sys/kernel/random/boot_id >boot 2>/dev/null || rm -f boot
: >>log
mkdir launched
# a session of its own, without terminal or pipes: nothing that happens to this connection reaches it; with the lock
setsid bash "$dir/supervisor.sh" "$1" locked </dev/null >/dev/null 2>>"$dir/supervisor.err" &
echo 'launched'
