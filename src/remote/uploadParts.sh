# Writes parts of files: path relative to the home directory, number of the part, content in base64; three arguments
# a part. A replay writes the same.
exec 2>&1
set -e
umask 077
while [ "$#" -ge 3 ]; do
  target=$HOME/$1
  mkdir -p "$(dirname "$target")"
  printf '%s' "$3" | base64 -d >"$target.part$2"
  shift 3
done
