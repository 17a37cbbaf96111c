# Writes chunk $2 (base64 in $3) of the file $1, which is relative to the home directory. A replay writes the same.
exec 2>&1
set -e
umask 077
target=$HOME/$1
mkdir -p "$(dirname "$target")"
printf '%s' "$3" | base64 -d >"$target.part$2"
