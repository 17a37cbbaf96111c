# Makes the folder of job $1, whose image is $2. Stdin brings the job's secrets as `name=value`, each ended by NUL:
# `registry` is the password for nvcr.io, all others are environment variables of the container. They are kept in files
# that only the owner may read, until they are used.
exec 2>&1
set -e
umask 077
dir=$HOME/.brev-jobs/$1
# what a window brought here that was closed before this; the input of this run is open
rm -f "$HOME/.brev-input-$1"-*
mkdir -p "$dir/secrets" "$dir/results"
chmod 700 "$dir"
if [ -d "$dir/launched" ]; then
  echo 'already launched'
  exit 0
fi
printf '%s\n' "$2" >"$dir/image"
rm -f "$dir/secrets/env.new"
while IFS= read -r -d '' secret; do
  name=${secret%%=*}
  value=${secret#*=}
  if [ "$name" = registry ]; then
    printf '%s' "$value" >"$dir/registry.password"
  else
    printf 'export %s=%q\n' "$name" "$value" >>"$dir/secrets/env.new"
  fi
done
[ ! -e "$dir/secrets/env.new" ] || mv -f "$dir/secrets/env.new" "$dir/secrets/env"
