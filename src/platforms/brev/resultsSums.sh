# Tells the sha256 of the results of job $1 that are named after it, as sha256sum writes them with NUL for line ends, in
# base64; what can't be read is left out.
cd "$HOME/.brev-jobs/$1/results" || exit 0
shift
files=()
for path in "$@"; do
  if [ -f "$path" ] && [ ! -L "$path" ]; then files+=("./$path"); fi
done
[ "${#files[@]}" -eq 0 ] || sha256sum --zero -- "${files[@]}" 2>/dev/null | base64 -w 0
