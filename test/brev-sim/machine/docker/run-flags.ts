import { type CommandLine, commandLine } from './flags.ts';

/** Every flag of docker 28's create; those without an effect here are taken and ignored, as unknown ones fail. */
const CREATE = `
  add-host= annotation= a,attach= blkio-weight= blkio-weight-device= cap-add= cap-drop= cgroup-parent= cgroupns=
  cidfile= cpu-count= cpu-percent= cpu-period= cpu-quota= cpu-rt-period= cpu-rt-runtime= c,cpu-shares= cpus=
  cpuset-cpus= cpuset-mems= device= device-cgroup-rule= device-read-bps= device-read-iops= device-write-bps=
  device-write-iops= disable-content-trust dns= dns-option= dns-search= domainname= entrypoint= e,env= env-file=
  expose= gpus= group-add= health-cmd= health-interval= health-retries= health-start-interval=
  health-start-period= health-timeout= h,hostname= init i,interactive io-maxbandwidth= io-maxiops= ip= ip6=
  ipc= isolation= kernel-memory= l,label= label-file= link= link-local-ip= log-driver= log-opt= mac-address=
  m,memory= memory-reservation= memory-swap= memory-swappiness= mount= name= network= net= network-alias=
  no-healthcheck oom-kill-disable oom-score-adj= pid= pids-limit= platform= privileged p,publish= P,publish-all
  pull= q,quiet read-only restart= rm runtime= security-opt= shm-size= stop-signal= stop-timeout= storage-opt=
  sysctl= tmpfs= t,tty ulimit= use-api-socket u,user= userns= uts= v,volume= volume-driver= volumes-from=
  w,workdir=`;

const USAGE = '[OPTIONS] IMAGE [COMMAND] [ARG...]';

/** The command line of `docker run`. */
export function runLine(): CommandLine {
  return commandLine('run', USAGE, `${CREATE} d,detach detach-keys= sig-proxy`, false);
}

/** The command line of `docker create`. */
export function createLine(): CommandLine {
  return commandLine('create', USAGE, CREATE, false);
}
