# Says what the machine is called and which login shell it gives.
printf '%s\n' "${SHELL##*/}"
hostname 2>/dev/null || uname -n
