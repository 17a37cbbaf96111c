# Sends file $1, absolute or relative to the home directory, from byte $2 on up to byte $3, or to its present end where
# that is empty. In frames that end with this run's own token: after a lost connection the CLI may run this again, and
# what it sends then lands inside the frame that was cut.
path=$1
offset=$2
end=$3
token=$$-$RANDOM$RANDOM
frame=4194304
case $path in
  /*) ;;
  *) path=$HOME/$path ;;
esac
[ -d "$path" ] && reason='Is a directory' || reason=$({ exec 3<"$path"; } 2>&1)
if [ -n "$reason" ]; then
  printf '\n@brev-file refused %s %s\n' "$token" "${reason##*: }"
  exit 0
fi
exec 3<"$path"
size=$(stat -L -c %s "$path")
: "${end:=$size}"
if [ "$size" -lt "$end" ]; then
  printf '\n@brev-file refused %s it was cut short\n' "$token"
  exit 0
fi
printf '\n@brev-file size %s %s\n' "$token" "$end"
# moves the shared position: what reads it after this begins there
dd bs=1 skip="$offset" count=0 status=none <&3
while [ "$offset" -lt "$end" ]; do
  length=$((end - offset))
  [ "$length" -gt "$frame" ] && length=$frame
  printf '@brev-file bytes %s %s %s\n' "$token" "$offset" "$length" || exit 0
  head -c "$length" <&3
  printf '\n@brev-file end %s\n' "$token" || exit 0
  offset=$((offset + length))
done
printf '@brev-file sum %s %s\n' "$token" "$(head -c "$end" "$path" | sha256sum | cut -d ' ' -f 1)"
