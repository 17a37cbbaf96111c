import path from 'node:path';
import { containerArguments } from '../../platforms/brev/container.ts';
import type { RunSpec } from '../../tao/runSpec.ts';

/** A place of the instance that the job's container sees. */
export interface Mount {
  /** In the container. */
  readonly containerPath: string;
  /** `home`: relative to the home directory, there before the job. `job`: in the job's own folder, new with each job. */
  readonly from: 'home' | 'job';
  readonly path: string;
  readonly readOnly: boolean;
}

/** Where a path of the container really is. */
export type Place =
  | { readonly kind: 'mounted'; readonly mount: Mount; readonly rest: string }
  /** Where the image has its own files. */
  | { readonly kind: 'image' }
  | { readonly kind: 'nowhere' };

/** The mounts of a job, read from the very arguments that its container will get. */
export function mountsOf(run: RunSpec): readonly Mount[] {
  const args = containerArguments('job', run, []);
  return args.flatMap((word, index) => {
    const mount = word === '-v' ? toMount(args[index + 1] ?? '') : undefined;
    return mount === undefined ? [] : [mount];
  });
}

function toMount(text: string): Mount | undefined {
  const [, from, hostPath, containerPath, flags] =
    /^@(HOME|JOB)@\/([^:]*):([^:]+)(?::([^:]*))?$/.exec(text) ?? [];
  return hostPath === undefined || containerPath === undefined
    ? undefined
    : {
        containerPath,
        from: from === 'HOME' ? 'home' : 'job',
        path: hostPath,
        readOnly: flags?.split(',').includes('ro') ?? false,
      };
}

const IMAGE_FOLDERS = /^\/(?:usr|opt|etc|lib|lib64|bin|sbin|proc|sys|dev)(?:\/|$)/;

/** Finds the place of an absolute path of the container: `/database` isn't in `/data`. */
export function placeOf(containerPath: string, mounts: readonly Mount[]): Place {
  const plain = path.posix.normalize(containerPath);
  let best: Mount | undefined;
  for (const mount of mounts) {
    const inside = plain === mount.containerPath || plain.startsWith(`${mount.containerPath}/`);
    if (inside && mount.containerPath.length >= (best?.containerPath.length ?? 0)) {
      best = mount;
    }
  }
  if (best !== undefined) {
    return { kind: 'mounted', mount: best, rest: plain.slice(best.containerPath.length + 1) };
  }
  return { kind: IMAGE_FOLDERS.test(plain) ? 'image' : 'nowhere' };
}
