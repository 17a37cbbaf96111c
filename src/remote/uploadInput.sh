# Writes files from stdin, where they come one after the other: path relative to the home directory, length, sha256;
# three arguments a file. A file gets its name only when it is whole.
exec 2>&1
set -e
umask 077
while [ "$#" -ge 3 ]; do
  target=$HOME/$1
  mkdir -p "$(dirname "$target")"
  # a name of its own: an upload that broke off may still be writing
  whole=$target.$$.whole
  head -c "$2" >"$whole"
  if [ "$(sha256sum <"$whole" | cut -d ' ' -f 1)" != "$3" ]; then
    rm -f "$whole"
    echo "$1 did not arrive whole"
    exit 1
  fi
  mv -f "$whole" "$target"
  shift 3
done
