#!/bin/bash
# Stands in for ssh inside the simulated brev: takes ssh's words, looks the alias up in the table that brev
# prepared (alias, state, machine, home, path, user, host, port, start folder by line, separated by tabs) and plays sshd.
connect_timeout=5
command_given=''
while [ $# -gt 0 ]; do
  case $1 in
    -o)
      case $2 in ConnectTimeout=*) connect_timeout=${2#*=} ;; esac
      shift 2
      ;;
    -i | -L | -p | -F | -S) shift 2 ;;
    -t | -T | -N | -tt) shift ;;
    *) break ;;
  esac
done
alias_name=$1
shift
if [ $# -gt 0 ]; then
  command_given=yes
fi
command_text="$*"

scaled() { # seconds of the simulated clock
  sleep "$(awk -v s="$1" -v k="$BREV_SIM_SPEED" 'BEGIN { print s / k }')"
}

state=''
while IFS=$'\t' read -r name state machine home path user host port start_dir; do
  [ "$name" = "$alias_name" ] && break
  state=''
done <"$BREV_SIM_HOSTS"
[ "$name" = "$alias_name" ] || state=''

case $state in
  ok) ;;
  refused)
    printf 'ssh: connect to host %s port %s: Connection refused\r\n' "$host" "$port" >&2
    exit 255
    ;;
  timeout)
    scaled "$connect_timeout"
    printf 'ssh: connect to host %s port %s: Connection timed out\r\n' "$host" "$port" >&2
    exit 255
    ;;
  banner-hang)
    scaled "$connect_timeout"
    printf 'Connection timed out during banner exchange\r\nConnection to %s port %s timed out\r\n' "$host" "$port" >&2
    exit 255
    ;;
  key-rejected)
    printf '%s@%s: Permission denied (publickey).\r\n' "$user" "$host" >&2
    exit 255
    ;;
  kex-closed)
    printf 'kex_exchange_identification: Connection closed by remote host\r\nConnection closed by %s port %s\r\n' "$host" "$port" >&2
    exit 255
    ;;
  unresolvable)
    printf 'ssh: Could not resolve hostname %s: Name or service not known\r\n' "$host" >&2
    exit 255
    ;;
  *)
    printf 'ssh: Could not resolve hostname %s: Name or service not known\r\n' "$alias_name" >&2
    exit 255
    ;;
esac

cd "${start_dir:-$home}" 2>/dev/null || cd /
remote=(env -i "HOME=$home" "USER=$user" "LOGNAME=$user" SHELL=/bin/bash "PATH=$path" LANG=C.UTF-8
  "SSH_CLIENT=127.0.0.1 50000 22" "SSH_CONNECTION=127.0.0.1 50000 127.0.0.1 22"
  "BREV_SIM_MACHINE=$machine" "BREV_SIM_PROCESS=$BREV_SIM_PROCESS")

if [ -z "$command_given" ]; then
  [ -t 0 ] && exec "${remote[@]}" "TERM=$TERM" "PS1=$user@$alias_name:\\w\$ " /bin/bash --norc --noprofile -i
  exec "${remote[@]}" /bin/bash
fi

# stdout goes through this process group (a kill of the group ends it, and the remote meets SIGPIPE);
# stderr through a session of its own, as the ControlMaster holds it (contract 6, "Cancel").
if [ -n "$BREV_SIM_DROP_AFTER" ]; then
  exec 3> >(exec dd bs=1 count="$BREV_SIM_DROP_AFTER" status=none)
else
  exec 3> >(exec cat)
fi
out=$!
exec 4> >(exec setsid cat >&2)
err=$!
# setsid -w speaks up only where the remote shell died of a signal, which ssh reports as 255.
run_remote() {
  setsid -f -w /bin/bash -c 'exec "$@" >&3 2>&4 3>&- 4>&-' remote "${remote[@]}" /bin/bash -c "$command_text" </dev/null 2>&1
}
if [ -n "$BREV_SIM_DROP_AFTER" ]; then
  run_remote >/dev/null &
  exec 3>&- 4>&-
  wait "$out"
  printf 'Connection to %s closed by remote host.\r\n' "$host" >&2
  exit 255
fi
died=$(run_remote)
code=$?
exec 3>&- 4>&-
wait "$out" "$err"
[ -z "$died" ] || code=255
exit "$code"
