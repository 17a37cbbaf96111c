# Cancels job $1: stops what it runs gracefully, then by force, and says whether anything of it is left.
exec 2>&1
umask 077
dir=$HOME/.brev-jobs/$1
[ -d "$dir" ] || { echo gone; exit 0; }
: >"$dir/cancelled"
rm -rf "$dir/registry.password" "$dir/docker.login"

if [ -e "$dir/command" ]; then
  read -r pid start <"$dir/command.pid" || { echo stopped; exit 0; }
  alive() { [ "$(cut -d ' ' -f 22 "/proc/$pid/stat" 2>/dev/null)" = "$start" ]; }
  alive && kill -TERM -- "-$pid"
  for _ in $(seq 100); do alive || break; sleep 0.1; done
  alive && kill -KILL -- "-$pid"
  for _ in $(seq 20); do alive || break; sleep 0.1; done
  if alive; then echo running; exit 1; fi
  echo stopped
  exit 0
fi

docker=(docker)
docker version >/dev/null 2>&1 || docker=(sudo -n docker)
state() { "${docker[@]}" inspect --type container --format '{{.State.Status}}' "$1" 2>&1; }
"${docker[@]}" stop -t 20 "$1" >/dev/null 2>&1
case $(state "$1") in
  running | paused | restarting) "${docker[@]}" kill "$1" >/dev/null 2>&1 ;;
esac
# the supervisor may be between two of its steps: it looks for `cancelled` before each
for _ in $(seq 50); do
  [ -e "$dir/result" ] && break
  case $(state "$1") in
    running | paused | restarting) "${docker[@]}" kill "$1" >/dev/null 2>&1 ;;
  esac
  if read -r pulling 2>/dev/null <"$dir/pull.pid"; then kill -TERM "$pulling" 2>/dev/null; fi
  sleep 0.2
done
rm -rf "$dir/secrets/env"
case $(state "$1") in
  running | paused | restarting) echo running; exit 1 ;;
esac
echo stopped
