# Tells the sha256 of the results of job $1 that are named after it, a line each; `-` for what can't be read.
dir=$HOME/.brev-jobs/$1/results
shift
for path in "$@"; do
  if [ -f "$dir/$path" ] && [ ! -L "$dir/$path" ] && sum=$(sha256sum 2>/dev/null <"$dir/$path"); then
    printf '%s\n' "${sum%% *}"
  else
    printf -- '-\n'
  fi
done
