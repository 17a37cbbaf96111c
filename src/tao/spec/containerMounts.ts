import path from 'node:path';

/** A place of the instance that the job's container will see. */
export interface ContainerMount {
  readonly containerPath: string;
  /** `home`: there before the job. `job`: new and empty with each job. */
  readonly from: 'home' | 'job';
  readonly readOnly: boolean;
}

/** Where a path of the container leads. */
export type Whereabouts =
  | { readonly kind: 'mount'; readonly mount: ContainerMount }
  | { readonly kind: 'image' | 'nowhere' };

const IMAGE_FOLDERS = /^\/(?:usr|opt|etc|lib|lib64|bin|sbin|proc|sys|dev)(?:\/|$)/;

/** The innermost mount that holds a path; `/database` isn't in `/data`. */
export function whereabouts(containerPath: string, mounts: readonly ContainerMount[]): Whereabouts {
  const plain = path.posix.normalize(containerPath);
  let best: ContainerMount | undefined;
  for (const mount of mounts) {
    if (
      isWithin(plain, mount.containerPath) &&
      mount.containerPath.length >= (best?.containerPath.length ?? 0)
    ) {
      best = mount;
    }
  }
  return best === undefined
    ? { kind: IMAGE_FOLDERS.test(plain) ? 'image' : 'nowhere' }
    : { kind: 'mount', mount: best };
}

/** Whether one path of the container is another or below it. */
export function isWithin(inner: string, outer: string): boolean {
  const plain = path.posix.normalize(inner);
  const folder = outer.replace(/\/+$/, '');
  return plain === folder || plain.startsWith(`${folder}/`);
}
