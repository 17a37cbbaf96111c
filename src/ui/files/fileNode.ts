import type { RemoteEntry } from '../../remote/remoteFolder.ts';

/** A file or folder of an instance, as the Files view shows it. */
export interface FileNode {
  readonly kind: 'file';
  readonly instanceId: string;
  /** Absolute, on the instance. */
  readonly path: string;
  readonly entry: RemoteEntry;
}

/** The node that a menu passed to a command; anything else is undefined. */
export function fileNodeFrom(argument: unknown): FileNode | undefined {
  return isFileNode(argument) ? argument : undefined;
}

function isFileNode(argument: unknown): argument is FileNode {
  return (
    typeof argument === 'object' &&
    argument !== null &&
    'kind' in argument &&
    argument.kind === 'file' &&
    'path' in argument &&
    'entry' in argument
  );
}
