#!/usr/bin/env bash
# Runs the container of job $1 to its end. The raw output goes to `log`; `result` is written last, atomically.
umask 077
job=$1
dir=$HOME/.brev-jobs/$job
cd "$dir" || exit 1
# the start time tells this process from a later one with the same number
started() { cut -d ' ' -f 22 "/proc/$1/stat" 2>/dev/null; }
printf '%s %s\n' "$$" "$(started $$)" >pid

step() { printf '%s\n' "$1" >step.new && mv -f step.new step; }
forget() { rm -rf registry.password docker.login secrets/env; }
trap forget EXIT
finish() { # step, exit code, out of memory, docker's error
  forget
  printf 'step=%s\nexit=%s\noom=%s\nerror=%s\n' "$1" "$2" "$3" "$(printf '%s' "$4" | tr '\n' ' ')" >result.new
  sync result.new 2>/dev/null
  mv -f result.new result
  exit 0
}

step docker
if ! command -v docker >/dev/null; then
  echo 'docker is not installed on this instance: TAO jobs need an instance in VM mode.' >>log
  finish docker 127 false 'docker is not installed'
fi
docker=(docker)
if ! problem=$(docker version --format '{{.Server.Version}}' 2>&1); then
  if sudo -n docker version >/dev/null 2>&1; then
    docker=(sudo -n docker)
  else
    printf '%s\n' "$problem" >>log
    finish docker 125 false "$problem"
  fi
fi

mapfile -d '' -t arguments <container.args
arguments=("${arguments[@]//@HOME@/$HOME}")
arguments=("${arguments[@]//@JOB@/$dir}")
image=$(cat image)

if ! "${docker[@]}" image inspect "$image" >/dev/null 2>&1; then
  # a configuration of our own, gone after the pull: the key is not left behind in the user's
  config=()
  refused=
  if [ -s registry.password ]; then
    step login
    if refused=$("${docker[@]}" --config "$dir/docker.login" login --username '$oauthtoken' --password-stdin nvcr.io <registry.password 2>&1); then
      config=(--config "$dir/docker.login")
      refused=
    else
      refused=$(printf '%s' "$refused" | tail -n 1)
      printf 'The login to nvcr.io was refused: %s\nTrying without it.\n' "$refused" >>log
    fi
    rm -f registry.password
  fi
  step pull
  for try in 1 2; do
    "${docker[@]}" "${config[@]}" pull "$image" >pull.out 2>&1 &
    pulling=$!
    tail -f -n +1 --pid="$pulling" pull.out >>log 2>/dev/null
    wait "$pulling" && break
    problem=$(tail -n 1 pull.out)
    # the registry's own sign-in of nobody fails now and then (users.md F, triton #3805)
    if [ "$try" -eq 1 ] && grep -q 'failed to fetch anonymous token' pull.out; then
      continue
    fi
    if [ -n "$refused" ]; then
      finish login 1 false "$refused"
    fi
    finish pull 125 false "$problem"
  done
  rm -rf docker.login
fi
rm -f registry.password
[ -e cancelled ] && finish cancel '' false ''

step create
if ! "${docker[@]}" create "${arguments[@]}" >container 2>create.err; then
  cat create.err >>log
  finish create 125 false "$(tail -n 1 create.err)"
fi

step run
# attached from the first byte on: `docker logs` would hold a progress bar back until a newline
"${docker[@]}" start --attach --sig-proxy=false "$job" >>log 2>&1 </dev/null
status=$?
while :; do
  state=$("${docker[@]}" inspect --format '{{.State.Status}}|{{.State.ExitCode}}|{{.State.OOMKilled}}|{{.State.Error}}' "$job" 2>&1)
  case $state in
    running* | paused* | restarting*)
      # the client went away, not the container
      "${docker[@]}" attach --no-stdin --sig-proxy=false "$job" >>log 2>&1 </dev/null || sleep 1
      ;;
    *) break ;;
  esac
done
case $state in
  exited* | dead* | created*)
    IFS='|' read -r _ code oom error <<<"$state"
    [ -e cancelled ] && finish cancel "$code" "$oom" "$error"
    case $state in
      created*) finish create "${code:-$status}" "$oom" "$error" ;;
      *) finish run "$code" "$oom" "$error" ;;
    esac
    ;;
  *)
    [ -e cancelled ] && finish cancel '' false ''
    finish lost '' false "$state"
    ;;
esac
