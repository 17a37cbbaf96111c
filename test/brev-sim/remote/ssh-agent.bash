#!/bin/bash
# Stands in for ssh-agent: prints what the real one prints and leaves a process behind, as that does.
socket="/tmp/ssh-brev-sim/agent.$$"
(exec -a ssh-agent setsid sleep 2147483) </dev/null >/dev/null 2>&1 &
agent=$!
echo "$agent" >>"$BREV_SIM_PROCESS/agents"
echo "SSH_AUTH_SOCK=$socket; export SSH_AUTH_SOCK;"
echo "SSH_AGENT_PID=$agent; export SSH_AGENT_PID;"
echo "echo Agent pid $agent;"
