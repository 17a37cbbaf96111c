# Tells what a launch needs to know of this instance, one line a fact, and changes nothing. Image $1; then for each path
# two arguments: the folder below the home directory that is mounted, and the path in it (empty: the folder itself).
image=$1
shift

# a hung daemon or driver must not hold up the other facts
limited() {
  if command -v timeout >/dev/null; then timeout 20 "$@"; else "$@"; fi
}
engine=(docker)
ask() { limited "${engine[@]}" "$@" </dev/null; }
one_line() { tr -s '\r\n\t' ' ' | cut -c 1-300; }

docker_facts() {
  local version info root
  if ! command -v docker >/dev/null; then
    echo 'docker missing'
    return
  fi
  if ! version=$(ask version --format '{{.Server.Version}}' 2>&1); then
    engine=(sudo -n docker)
    if ! ask version >/dev/null 2>&1; then
      printf 'docker down %s\n' "$(printf '%s' "$version" | one_line)"
      return
    fi
    version=$(ask version --format '{{.Server.Version}}' 2>/dev/null)
  fi
  printf 'docker up %s\n' "$(printf '%s' "$version" | one_line)"
  info=$(ask info --format '{{.DockerRootDir}}|{{json .Runtimes}}' 2>/dev/null)
  case $info in
    *'|'*'"nvidia"'*) echo 'runtime yes' ;;
    *'|'*)
      # --gpus needs the hook, not a runtime of that name
      if command -v nvidia-container-runtime-hook >/dev/null || command -v nvidia-ctk >/dev/null; then
        echo 'runtime yes'
      else
        echo 'runtime no'
      fi
      ;;
  esac
  if ask image inspect "$image" >/dev/null 2>&1; then echo 'image present'; else echo 'image absent'; fi
  root=${info%%|*}
  [ -d "$root" ] || root=/
  printf 'free %s\n' "$(df -Pk "$root" 2>/dev/null | awk 'NR == 2 { print $4 }')"
}

# Whether a link on the way to $2 in folder $1 leads where the container can't follow: out of the mounted folder, or by
# an absolute path, which means another place in there.
leads_out() {
  local base real at=$1 part
  base=$(realpath -- "$1") && real=$(realpath -- "$1/$2") || return 0
  case $real/ in
    "$base"/*) ;;
    *) return 0 ;;
  esac
  local parts
  IFS=/ read -ra parts <<<"$2"
  for part in "${parts[@]}"; do
    at=$at/$part
    if [ -L "$at" ]; then
      case $(readlink -- "$at") in
        /*) return 0 ;;
      esac
    fi
  done
  return 1
}

kind_of() {
  local target=$1/$2
  if [ ! -e "$target" ] && [ ! -L "$target" ]; then
    echo missing
  elif leads_out "$1" "$2"; then
    echo outside
  elif [ ! -e "$target" ]; then
    echo missing
  elif [ ! -d "$target" ]; then
    echo file
  elif [ -z "$(find "$target/" -mindepth 1 -maxdepth 1 -print -quit 2>&1)" ]; then
    echo empty
  else
    echo folder
  fi
}

docker_facts
if command -v nvidia-smi >/dev/null; then
  printf 'gpus %s\n' "$(limited nvidia-smi -L 2>/dev/null | grep -c '^GPU ')"
fi
number=0
while [ "$#" -ge 2 ]; do
  printf 'path %s %s\n' "$number" "$(kind_of "$HOME/$1" "$2")"
  number=$((number + 1))
  shift 2
done
echo end
