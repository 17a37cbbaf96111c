import { join } from 'node:path';
import type { Image } from './images.ts';
import type { Container } from './store.ts';

/** A container as `docker inspect` shows it: the fields that people read, under docker's names. */
export function inspectContainerView({ config, state, dir }: Container): Record<string, unknown> {
  const [path = '', ...args] = config.argv;
  return {
    Id: config.id,
    Created: config.created,
    Path: path,
    Args: args,
    State: {
      Status: state.status,
      Running: state.status === 'running',
      Paused: state.status === 'paused',
      Restarting: false,
      OOMKilled: state.oomKilled,
      Dead: state.status === 'dead',
      Pid: state.pid,
      ExitCode: state.exitCode,
      Error: state.error,
      StartedAt: state.startedAt,
      FinishedAt: state.finishedAt,
    },
    Image: config.imageId,
    HostnamePath: join(dir, 'hostname'),
    LogPath: config.logDriver === 'none' ? '' : join(dir, 'log.json'),
    Name: `/${config.name}`,
    RestartCount: 0,
    Driver: 'overlay2',
    Platform: 'linux',
    HostConfig: {
      Binds: config.mounts
        .filter(({ type }) => type !== 'tmpfs')
        .map(({ source, target, readOnly }) => `${source}:${target}${readOnly ? ':ro' : ''}`),
      LogConfig: { Type: config.logDriver, Config: config.logOptions },
      NetworkMode: config.networkMode,
      RestartPolicy: {
        Name: config.restart.name,
        MaximumRetryCount: config.restart.maximumRetryCount,
      },
      AutoRemove: config.autoRemove,
      IpcMode: config.ipcMode,
      Privileged: config.privileged,
      ShmSize: config.shmSize,
      Runtime: 'runc',
      Memory: config.memory,
      Init: config.init,
      DeviceRequests:
        config.gpus === null
          ? null
          : [
              {
                Driver: '',
                Count: config.gpus.count,
                DeviceIDs: config.gpus.deviceIds.length === 0 ? null : config.gpus.deviceIds,
                Capabilities: [config.gpus.capabilities],
                Options: {},
              },
            ],
      Ulimits: config.ulimits.map(({ name, soft, hard }) => ({ Name: name, Hard: hard, Soft: soft })),
    },
    Mounts: config.mounts.map(({ type, source, target, readOnly, hostPath }) => ({
      Type: type,
      ...(type === 'volume' ? { Name: source, Source: hostPath } : { Source: source }),
      Destination: target,
      Mode: readOnly ? 'ro' : '',
      RW: !readOnly,
      Propagation: type === 'bind' ? 'rprivate' : '',
    })),
    Config: {
      Hostname: config.hostname,
      User: config.user,
      Tty: config.tty,
      OpenStdin: config.openStdin,
      Env: config.env,
      Cmd: config.cmd,
      Image: config.image,
      WorkingDir: config.workdir,
      Entrypoint: config.entrypoint.length === 0 ? null : config.entrypoint,
      Labels: config.labels,
      ...(config.stopSignal === '' ? {} : { StopSignal: config.stopSignal }),
      ...(config.stopTimeout === null ? {} : { StopTimeout: config.stopTimeout }),
    },
    NetworkSettings: { Ports: {}, Networks: { [config.networkMode]: {} } },
  };
}

/** An image as `docker image inspect` shows it. */
export function inspectImageView(image: Image): Record<string, unknown> {
  return {
    Id: image.id,
    RepoTags: image.tag === '' ? [] : [image.reference],
    RepoDigests: [`${image.repository}@${image.digest}`],
    Created: image.created,
    Architecture: 'amd64',
    Os: 'linux',
    Size: image.size,
  };
}
