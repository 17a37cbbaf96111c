/** What the tree shows: its elements carry ids only, so that they stay the same while the truth changes. */
export type Node = InstanceNode | JobNode;
export interface InstanceNode {
  readonly kind: 'instance';
  readonly id: string;
}
export interface JobNode {
  readonly kind: 'job';
  readonly id: string;
}

/** The node that a menu passed to a command; anything else is undefined. */
export function nodeFrom(argument: unknown): Node | undefined {
  if (typeof argument !== 'object' || argument === null || !('kind' in argument) || !('id' in argument)) {
    return undefined;
  }
  const { kind, id } = argument;
  return (kind === 'instance' || kind === 'job') && typeof id === 'string' ? { kind, id } : undefined;
}
