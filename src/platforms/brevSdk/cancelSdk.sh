# Makes sure that nothing of job $1 runs, whatever the SDK could do: the launcher while it pulls, and the container.
exec 2>&1
umask 077
dir=$HOME/.brev-jobs/$1
[ -d "$dir" ] || { echo gone; exit 0; }
: >"$dir/cancelled"
if mkdir "$dir/launched" 2>/dev/null; then
  rm -rf "$dir/secrets" "$dir/registry.password"
  echo 'never launched'
  exit 0
fi
for _ in $(seq 50); do [ -s "$dir/launched/pid" ] && break; sleep 0.1; done
read -r job 2>/dev/null <"$dir/sdk-job"
read -r pid 2>/dev/null <"$dir/launched/pid" || { echo 'never launched'; exit 0; }
[ ! -e "/tmp/tao-job-$job.sudo" ] || docker() { sudo -n docker "$@"; }

launcher() { tr '\0' ' ' 2>/dev/null <"/proc/$pid/cmdline" | grep -qF "tao-job-$job"; }
state() { docker inspect --type container --format '{{.State.Status}}' "tao-job-$job" 2>&1; }
up() { case $(state) in running | paused | restarting) ;; *) return 1 ;; esac }

if up; then docker stop --time 20 "tao-job-$job" >/dev/null 2>&1; fi
# the launcher leads a session of its own, with docker's client in it
if launcher; then pkill -TERM -s "$pid"; fi
for _ in $(seq 50); do launcher || break; sleep 0.1; done
if launcher; then pkill -KILL -s "$pid"; fi
docker rm -f "tao-job-$job" >/dev/null 2>&1
rm -rf "$dir/secrets/env" "$dir/registry.password" "$dir/docker.login"
if up || launcher; then
  echo running
  exit 1
fi
echo stopped
