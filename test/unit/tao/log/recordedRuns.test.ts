import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventsOf, inShort, recordedLog } from '../recordedLogs.ts';

const BEGIN = ['[load]', 'train in /results/train'];
const SANITY = ['[sanity]', 'sanity: 2/2'];
/** An epoch with its validation; the bar of the next epoch's beginning follows it without a word. */
const epoch = (index: number): readonly string[] => [
  ...(index === 0 ? ['[train]'] : []),
  `train ${index}: 6/6`,
  '[validate]',
  'validate: 4/4',
  '[train]',
  `train ${index}: 6/6`,
];
const END = ['PASS', '[done]'];
const FAILED = ['FAIL', '[done]'];
const WHOLE = [...BEGIN, ...SANITY, ...epoch(0), ...epoch(1), ...epoch(2), 'all 3 epochs', ...END];
const HALF = [...BEGIN, ...SANITY, ...epoch(0)];

const RUNS: Readonly<Record<string, readonly string[]>> = {
  classification: WHOLE,
  detection: WHOLE,
  segmentation: WHOLE,
  'change-detection': WHOLE,
  'nan-loss': WHOLE,
  'passing-failure': WHOLE,
  'multi-gpu-oom': [
    ...BEGIN,
    '2 ranks',
    ...SANITY,
    ...epoch(0),
    'train 1: 3/6',
    '! cudaOutOfMemory',
    'rank 0 torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.',
    ...FAILED,
  ],
  'nccl-timeout': [
    ...BEGIN,
    '2 ranks',
    ...SANITY,
    ...epoch(0),
    'train 1: 3/6',
    '! ncclTimeout',
    '! ncclError',
    ...FAILED,
  ],
  'bus-error': [
    ...HALF,
    'train 1: 3/6',
    '! sharedMemory',
    'RuntimeError: DataLoader worker (pid 401) is killed by',
    ...FAILED,
  ],
  'device-assert': [
    ...HALF,
    'train 1: 3/6',
    '! deviceAssert',
    'RuntimeError: CUDA error: device-side assert triggered',
    ...FAILED,
  ],
  'no-space': [
    ...HALF,
    ...epoch(1),
    '! diskFull',
    "OSError: [Errno 28] No space left on device: '/re",
    ...FAILED,
  ],
  killed: [...HALF, 'train 1: 2/6'],
  cancelled: [...HALF, 'train 1: 2/6'],
  interrupted: [...HALF, 'train 1: 3/6', '! interrupted', ...END],
  'false-pass': [...HALF, 'train 1: 3/6', 'ValueError: need at least one array to concatenate', ...END],
  'missing-file': [
    ...BEGIN,
    '! missingFile',
    "FileNotFoundError: [Errno 2] No such file or directory: '/d",
    ...FAILED,
  ],
  'bad-key': ['! unknownSpecKey', ...FAILED],
  'gated-model': [
    ...BEGIN,
    '! gatedModel',
    'OSError: You are trying to access a gated repo.',
    '! gatedModel',
    '! gatedModel',
    ...FAILED,
  ],
  'too-few-gpus': [
    ...BEGIN,
    '! tooFewGpus',
    'rank 0 lightning_fabric.utilities.exceptions.MisconfigurationException: You requested gpu: [0, 1, 2]',
    '! tooFewGpus',
    ...FAILED,
  ],
  evaluate: [
    '[load]',
    'evaluate in /results/evaluate',
    '[test]',
    'test: 6/6',
    'test_miou=0.8719878409002589',
    ...END,
  ],
  export: ['[export]', 'export in /results/export', ...END],
  'ansi-split': [...BEGIN, ...SANITY, ...epoch(0), 'all 1 epochs', ...END],
  'invalid-utf8': [...BEGIN, ...SANITY, ...epoch(0), 'all 1 epochs', ...END],
};

describe('a recorded log, as events', () => {
  for (const [name, expected] of Object.entries(RUNS)) {
    it(name, () => {
      assert.deepEqual(inShort(eventsOf(recordedLog(name))), expected);
    });
  }
});
