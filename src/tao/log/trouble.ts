/** Why an image couldn't be pulled; each has its own way out (users.md F). */
export type PullTrouble =
  | 'loginNeeded'
  | 'loginRefused'
  | 'noEntitlement'
  | 'noSuchImage'
  | 'diskFull'
  | 'rateLimit'
  | 'registryHiccup'
  | 'network'
  | 'other';

/** What went wrong in a job, with the particulars that its log gives. */
export type Trouble =
  | {
      readonly kind: 'cudaOutOfMemory';
      readonly gpu: number | undefined;
      readonly triedGib: number | undefined;
      readonly freeGib: number | undefined;
      readonly totalGib: number | undefined;
      readonly rank: number | undefined;
    }
  | { readonly kind: 'hostOutOfMemory' }
  | { readonly kind: 'sharedMemory' }
  | {
      readonly kind: 'ncclTimeout';
      readonly rank: number | undefined;
      readonly operation: string | undefined;
      readonly seconds: number | undefined;
    }
  | { readonly kind: 'ncclError'; readonly rank: number | undefined; readonly text: string }
  | { readonly kind: 'diskFull'; readonly path: string | undefined }
  | { readonly kind: 'missingFile'; readonly path: string }
  | { readonly kind: 'readOnlyPlace'; readonly path: string | undefined }
  | { readonly kind: 'noPermission'; readonly path: string | undefined }
  | { readonly kind: 'unknownSpecKey'; readonly key: string }
  | { readonly kind: 'badSpecValue'; readonly key: string | undefined; readonly text: string }
  | { readonly kind: 'missingSpecValue'; readonly key: string }
  | {
      readonly kind: 'gatedModel';
      readonly model: string | undefined;
      /** Whether a token was sent; undefined when the log doesn't tell. */
      readonly hasToken: boolean | undefined;
    }
  | { readonly kind: 'imagePull'; readonly why: PullTrouble; readonly text: string }
  | { readonly kind: 'driverTooOld'; readonly text: string }
  | { readonly kind: 'gpuRuntimeMissing' }
  | { readonly kind: 'gpuUnsupported' }
  | { readonly kind: 'gpuFault'; readonly text: string }
  | { readonly kind: 'tooFewGpus'; readonly asked: number | undefined; readonly there: number | undefined }
  | { readonly kind: 'deviceAssert' }
  | { readonly kind: 'weightsMismatch' }
  | { readonly kind: 'emptyDataset' }
  | { readonly kind: 'noUser'; readonly uid: string }
  | { readonly kind: 'workerKilled'; readonly signal: number }
  | { readonly kind: 'dockerDown' }
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'nanLoss'; readonly metric: string; readonly epoch: number | undefined }
  | { readonly kind: 'killed'; readonly exitCode: number }
  | {
      readonly kind: 'exception';
      readonly type: string;
      readonly text: string;
      readonly rank: number | undefined;
    };

export type TroubleKind = Trouble['kind'];

/**
 * The likeliest cause first: when one rank fails, the others report NCCL errors; when a process is killed, torchrun
 * reports that; and a traceback that nobody knows is only better than nothing.
 */
const ORDER: readonly TroubleKind[] = [
  'imagePull',
  'dockerDown',
  'gpuRuntimeMissing',
  'driverTooOld',
  'gpuUnsupported',
  'tooFewGpus',
  'gpuFault',
  'cudaOutOfMemory',
  'sharedMemory',
  'hostOutOfMemory',
  'diskFull',
  'unknownSpecKey',
  'badSpecValue',
  'missingSpecValue',
  'gatedModel',
  'missingFile',
  'readOnlyPlace',
  'noPermission',
  'noUser',
  'emptyDataset',
  'weightsMismatch',
  'deviceAssert',
  'ncclTimeout',
  'ncclError',
  'interrupted',
  'exception',
  'workerKilled',
  'killed',
  'nanLoss',
];
const RANK_OF = new Map(ORDER.map((kind, index) => [kind, index]));

/** Of several troubles the one that explains the others. */
export function likeliest(troubles: Iterable<Trouble>): Trouble | undefined {
  let best: Trouble | undefined;
  for (const trouble of troubles) {
    if (best === undefined || position(trouble) < position(best)) {
      best = trouble;
    }
  }
  return best;
}

function position({ kind }: Trouble): number {
  return RANK_OF.get(kind) ?? ORDER.length;
}

/**
 * Two tellings of the same kind of trouble as one: of several ranks the first to fail counts, of several lines about one
 * thing each adds what the others lack, and else the last is what ended the run.
 */
export function merged(before: Trouble | undefined, after: Trouble): Trouble {
  switch (after.kind) {
    case 'cudaOutOfMemory':
      return before?.kind === after.kind && before.triedGib !== undefined ? before : after;
    case 'ncclTimeout':
    case 'ncclError':
      return before?.kind === after.kind ? before : after;
    case 'imagePull':
      // without the login that was refused, the pull is refused too
      return before?.kind === after.kind && before.why === 'loginRefused' ? before : after;
    case 'gatedModel':
      return before?.kind === after.kind
        ? { ...after, model: after.model ?? before.model, hasToken: after.hasToken ?? before.hasToken }
        : after;
    case 'tooFewGpus':
      return before?.kind === after.kind
        ? { ...after, asked: after.asked ?? before.asked, there: after.there ?? before.there }
        : after;
    default:
      return after;
  }
}
