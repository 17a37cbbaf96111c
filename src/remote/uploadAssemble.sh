# Puts the $2 chunks of file $1 together, checks them against sha256 $3, and only then gives the file its name.
exec 2>&1
set -e
umask 077
target=$HOME/$1
same() { [ -f "$1" ] && [ "$(sha256sum <"$1" | cut -d ' ' -f 1)" = "$2" ]; }
if same "$target" "$3"; then
  # a replay: done already
  rm -f "$target".part*
  exit 0
fi
rm -f "$target.whole"
index=0
while [ "$index" -lt "$2" ]; do
  cat "$target.part$index" >>"$target.whole"
  index=$((index + 1))
done
same "$target.whole" "$3"
mv -f "$target.whole" "$target"
rm -f "$target".part*
