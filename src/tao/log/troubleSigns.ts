import { after } from './excerpt.ts';
import {
  containerCli,
  cudaOutOfMemory,
  driverTooOld,
  gpuFault,
  gpusAsked,
  gpusThere,
  ncclError,
  ncclTimeout,
  workerKilled,
} from './gpuSigns.ts';
import { pullTrouble } from './pullTrouble.ts';
import type { SignPlace } from './signPlace.ts';
import {
  badValue,
  gatedModel,
  missingFile,
  missingSpecFile,
  missingValue,
  named,
  quoted,
  unknownKey,
} from './specSigns.ts';
import type { Trouble } from './trouble.ts';

/** A text by which a trouble is known, and what the rest of the line tells about it; undefined: it was something else. */
interface Sign {
  readonly word: string;
  read(text: string, place: SignPlace): Trouble | undefined;
}

const known = (word: string, trouble: Trouble): Sign => ({ word, read: () => trouble });

/** The words of PyTorch, NCCL, hydra, docker and the rest for what goes wrong (tao.md part 3). */
const SIGNS: readonly Sign[] = [
  { word: 'CUDA out of memory', read: cudaOutOfMemory },
  { word: 'CUDA error: out of memory', read: cudaOutOfMemory },
  { word: 'CUBLAS_STATUS_ALLOC_FAILED', read: cudaOutOfMemory },
  known('Cannot allocate memory', { kind: 'hostOutOfMemory' }),
  known('is killed by signal: Killed', { kind: 'hostOutOfMemory' }),
  known('Bus error', { kind: 'sharedMemory' }),
  known('bus error encountered in worker', { kind: 'sharedMemory' }),
  known('insufficient shared memory', { kind: 'sharedMemory' }),
  known('unable to open shared memory object', { kind: 'sharedMemory' }),
  { word: 'collective operation timeout', read: ncclTimeout },
  { word: 'NCCL error in', read: ncclError },
  { word: 'DistBackendError: ', read: ncclError },
  { word: 'No space left on device', read: diskFull },
  { word: 'no space left on device', read: diskFull },
  { word: '[Errno 2] No such file or directory', read: missingFile },
  { word: 'experiment spec file `', read: missingSpecFile },
  {
    word: '[Errno 30] Read-only file system',
    read: (text) => ({ kind: 'readOnlyPlace', path: quoted(text, 'file system') }),
  },
  {
    word: '[Errno 13] Permission denied',
    read: (text) => ({ kind: 'noPermission', path: quoted(text, 'denied') }),
  },
  { word: "' not in '", read: unknownKey },
  {
    word: "Could not override '",
    read: (text) => named(text, "Could not override '", (key) => ({ kind: 'unknownSpecKey', key })),
  },
  { word: 'Missing mandatory value: ', read: missingValue },
  {
    word: 'set at least one of following fields: results_dir',
    read: () => ({ kind: 'missingSpecValue', key: 'results_dir' }),
  },
  { word: 'could not be converted to', read: badValue },
  { word: 'Invalid value ', read: badValue },
  { word: 'gated repo', read: gatedModel },
  { word: 'Access to model ', read: gatedModel },
  { word: 'could not select device driver', read: () => ({ kind: 'gpuRuntimeMissing' }) },
  known('No supported gpu backend found', { kind: 'gpuRuntimeMissing' }),
  known('Failed to initialize NVML', { kind: 'gpuRuntimeMissing' }),
  { word: 'nvidia-container-cli: ', read: containerCli },
  { word: 'CUDA driver version is insufficient', read: driverTooOld },
  { word: 'NVIDIA driver on your system is too old', read: driverTooOld },
  known('no kernel image is available for execution', { kind: 'gpuUnsupported' }),
  { word: 'uncorrectable ECC error', read: gpuFault },
  { word: 'fallen off the bus', read: gpuFault },
  { word: 'NVRM: Xid', read: gpuFault },
  { word: 'You requested gpu: ', read: gpusAsked },
  { word: 'But your machine only has: ', read: gpusThere },
  known('device-side assert triggered', { kind: 'deviceAssert' }),
  known('illegal memory access', { kind: 'deviceAssert' }),
  known('Error(s) in loading state_dict', { kind: 'weightsMismatch' }),
  known('num_samples should be a positive integer value, but got num_samples=0', { kind: 'emptyDataset' }),
  {
    word: 'getpwuid(): uid not found: ',
    read: (text) => ({
      kind: 'noUser',
      uid: /^\d{1,10}/.exec(after(text, 'uid not found: ') ?? '')?.[0] ?? '',
    }),
  },
  { word: 'exitcode', read: workerKilled },
  known('Cannot connect to the Docker daemon', { kind: 'dockerDown' }),
  known('attempting graceful shutdown', { kind: 'interrupted' }),
  known('Command was interrupted', { kind: 'interrupted' }),
  known('User/System interruption', { kind: 'interrupted' }),
  // the supervisor's own words, which quote the daemon's
  { word: 'The login to nvcr.io was refused', read: pullTrouble },
  { word: 'Error response from daemon: ', read: daemonError },
  { word: 'failed to register layer', read: pullTrouble },
  { word: 'manifest unknown', read: registry },
  { word: 'toomanyrequests', read: registry },
  { word: 'unauthorized: ', read: registry },
  { word: 'failed to fetch oauth token', read: registry },
  { word: 'failed to fetch anonymous token', read: registry },
];

/** The words by which troubles are looked for. */
export const troubleWords: readonly string[] = SIGNS.map(({ word }) => word);

/** The troubles that a piece of a log tells of. */
export function troublesIn(text: string, place: SignPlace): readonly Trouble[] {
  const troubles: Trouble[] = [];
  for (const { word, read } of SIGNS) {
    const trouble = text.includes(word) ? read(text, place) : undefined;
    if (trouble !== undefined && !troubles.some(({ kind }) => kind === trouble.kind)) {
      troubles.push(trouble);
    }
  }
  return troubles;
}

/** A training may talk to other servers, which have such words too. */
function registry(text: string, { isBeforeRun }: SignPlace): Trouble | undefined {
  return isBeforeRun ? pullTrouble(text) : undefined;
}

function diskFull(text: string, { isBeforeRun }: SignPlace): Trouble {
  if (isBeforeRun && !text.includes('[Errno')) {
    return pullTrouble(text);
  }
  const path = quoted(text, 'pace left on device');
  return path?.startsWith('/dev/shm') || text.includes('/torch_')
    ? { kind: 'sharedMemory' }
    : { kind: 'diskFull', path };
}

/** Only what is about an image: docker has many errors. */
function daemonError(text: string): Trouble | undefined {
  const words = after(text, 'Error response from daemon: ') ?? '';
  const trouble = pullTrouble(words);
  return trouble.why === 'other' || words.startsWith('No such container') ? undefined : trouble;
}
