# Job $1 won't be launched: takes its launch, so that a late one finds it taken, and removes its secrets.
exec 2>&1
dir=$HOME/.brev-jobs/$1
[ -d "$dir" ] || exit 0
mkdir "$dir/launched" 2>/dev/null && rm -rf "$dir/secrets" "$dir/registry.password"
exit 0
