# Notes that job $1 is being cancelled, before anything of it is stopped.
[ ! -d "$HOME/.brev-jobs/$1" ] || : >"$HOME/.brev-jobs/$1/cancelled"
