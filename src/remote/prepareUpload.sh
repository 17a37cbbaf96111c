# Makes folder $1 (absolute, or from the home directory on) where it isn't there, and tells which of the names after it are
# taken in it: the line `at`, then as base64 the absolute path and those names, each with a NUL at its end.
place=$1
case $place in /*) ;; *) place=$HOME/$place ;; esac
[ "$place" = / ] || place=${place%/}
shift
if [ -e "$place" ] && [ ! -d "$place" ]; then
  printf 'noFolder\n'
  exit 0
fi
if ! mkdir -p "$place" 2>/dev/null || [ ! -w "$place" ] || [ ! -x "$place" ]; then
  printf 'forbidden\n'
  exit 0
fi
printf 'at\n'
{
  printf '%s\0' "$place"
  for name in "$@"; do
    if [ -e "$place/$name" ] || [ -L "$place/$name" ]; then
      printf '%s\0' "$name"
    fi
  done
} | base64 -w 0
