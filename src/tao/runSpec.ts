/** What to run: one container on one instance. */
export interface RunSpec {
  /** The network as its command is called, such as `visual_changenet`. */
  readonly network: string;
  readonly action: string;
  readonly image: string;
  readonly gpus: 'all' | number;
  readonly specFile: { readonly name: string; readonly content: Uint8Array };
  /** Copied from S3 into the container before the program starts. */
  readonly inputs?: readonly RunInput[];
}

/** It is a file's name on two computers and a container's; none of them may have more than about 250 characters. */
const MAX_WORD = 60;

/** A job id as the skill bank's: `<network>-<action>-<6 hex>`, also the container's name (tao.md part 2). */
export function newJobId(spec: Pick<RunSpec, 'network' | 'action'>, randomHex: string): string {
  const clean = (word: string): string =>
    word
      .replace(/[^A-Za-z0-9._-]+/g, '-')
      .replace(/^[^A-Za-z0-9]+/, '')
      .slice(0, MAX_WORD);
  return `${clean(spec.network) || 'job'}-${clean(spec.action) || 'run'}-${randomHex.slice(0, 6)}`;
}

/** A file or folder in S3 and its path in the container. */
export interface RunInput {
  readonly uri: string;
  readonly path: string;
  readonly kind: 'file' | 'folder';
}

/** What a job does: a spec in a container, or a command line, in a container too or in the home directory. */
export type JobWork =
  | { readonly kind: 'spec'; readonly spec: RunSpec }
  | {
      readonly kind: 'command';
      readonly command: string;
      readonly container?: { readonly image: string; readonly gpus: RunSpec['gpus'] };
    };
