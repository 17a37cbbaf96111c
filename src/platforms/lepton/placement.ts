/** What a job on Lepton needs beyond its work: where it runs and what it gets. */
export interface LeptonPlacement {
  /** The GPUs, cores and memory of one node by Lepton's name, such as `gpu.8xh100-80gb`. */
  readonly resourceShape: string;
  /** The dedicated node group by its id; undefined for wherever there is room. */
  readonly nodeGroup?: string | undefined;
  /** How many nodes work on it together. */
  readonly nodes: number;
  /** The image of a plain command; a spec names its own. */
  readonly image?: string | undefined;
  /** Registry logins that the workspace keeps, by their names. */
  readonly imagePullSecrets?: readonly string[];
  /** The workspace's secret for an environment variable; a secret of the variable's own name where it isn't given. */
  readonly secretNames?: ReadonlyMap<string, string>;
  /** Environment variables that are no secrets. */
  readonly environment?: ReadonlyMap<string, string>;
  /** In MiB; data loaders need it. */
  readonly sharedMemoryMib?: number;
  /** How long the ended job, with its log, is kept by Lepton. */
  readonly keepSeconds?: number;
  /** Copied into the container before the program starts. */
  readonly inputs?: readonly LeptonCopy[];
  /** Copied to S3 when the program has ended, however it did: nothing else outlives the container. */
  readonly outputs?: readonly LeptonCopy[];
}

/** A file or folder in S3 and its path in the container. */
export interface LeptonCopy {
  readonly uri: string;
  readonly path: string;
  readonly kind: 'file' | 'folder';
}
