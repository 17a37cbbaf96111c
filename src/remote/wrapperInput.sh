# As wrapper.sh, with file $3 of the home directory as the script's stdin. It was copied there for this run and goes
# when it has been read. Where it is gone already this is a replay, which has nothing to add to the first run's answer.
token=$1
script=$2
input=$HOME/$3
shift 3
[ -f "$input" ] || exit 0
printf '@@brev-begin %s\n' "$token"
bash -c "$script" brev-instances "$@" <"$input"
status=$?
rm -f "$input"
printf '\n@@brev-end %s %s\n' "$token" "$status"
exit 0
