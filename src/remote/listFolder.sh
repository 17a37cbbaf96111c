# Tells what is at path $1 (the home directory where it is empty), and with $2 = 1 also what is in it, $3 entries at most:
# the line `at`, then as base64 the absolute path and the entries, each `kind, kind behind a link, bytes, time, name`; each
# of them ends with a NUL, because a name may have lines.
place=${1:-$HOME}
case $place in /*) ;; *) place=$HOME/$place ;; esac
if [ ! -e "$place" ] && [ ! -L "$place" ]; then
  printf 'nothing\n'
  exit 0
fi
if [ -d "$place" ] && { [ ! -r "$place" ] || [ ! -x "$place" ]; }; then
  printf 'forbidden\n'
  exit 0
fi
printf 'at\n'
{
  printf '%s\0' "$place"
  find -H "$place" -maxdepth "$2" -printf '%y %Y %s %T@ %P\0' 2>/dev/null | head -z -n "$(($3 + 1))"
} | base64 -w 0
