# Cancels job $1: stops its container gracefully, then by force, and says whether anything of it is left.
exec 2>&1
umask 077
dir=$HOME/.brev-jobs/$1
[ -d "$dir" ] || { echo gone; exit 0; }
: >"$dir/cancelled"
rm -rf "$dir/registry.password" "$dir/secrets/env" "$dir/docker.login"
docker=(docker)
docker version >/dev/null 2>&1 || docker=(sudo -n docker)
"${docker[@]}" stop -t 20 "$1" >/dev/null 2>&1
state=$("${docker[@]}" inspect --format '{{.State.Status}}' "$1" 2>&1)
case $state in
  running | paused | restarting)
    "${docker[@]}" kill "$1" >/dev/null 2>&1
    state=$("${docker[@]}" inspect --format '{{.State.Status}}' "$1" 2>&1)
    ;;
esac
case $state in
  running | paused | restarting) echo running; exit 1 ;;
esac
# no container: perhaps still pulling; the supervisor stops at its next step
echo stopped
