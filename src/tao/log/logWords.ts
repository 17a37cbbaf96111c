import { KeywordScan } from './keywordScan.ts';
import { refiningWords } from './refine.ts';
import { troubleWords } from './troubleSigns.ts';

/** What kinds of words a line holds; a line without any is never looked at. */
export const BIT = {
  escape: 1,
  bar: 2,
  pull: 4,
  tao: 8,
  exception: 16,
  trouble: 32,
  refining: 64,
  table: 128,
} as const;

/** Those of bars that don't begin a line. */
export const BAR_WORDS = [
  'Epoch ',
  'Sanity Checking',
  'Validation DataLoader',
  'Testing DataLoader',
  'Predicting DataLoader',
];

const words = (bits: number, texts: readonly string[]) => texts.map((text) => ({ text, bits }));

/** All the words that a log is searched for. */
export const logScan = new KeywordScan([
  ...words(BIT.escape, ['\u001b']),
  ...words(BIT.bar, BAR_WORDS),
  ...words(BIT.pull, [
    'Pulling fs layer',
    'Pulling from ',
    'Pull complete',
    'Already exists',
    'Unable to find image ',
    'Status: Downloaded newer image',
    'Status: Image is up to date',
  ]),
  ...words(BIT.tao, [
    'results will be saved at: ',
    'Execution status: ',
    '`Trainer.fit` stopped',
    'GPU available: ',
    'Initializing distributed: ',
    'model_epoch_',
    'resume checkpoint',
    'ONNX file stored at ',
  ]),
  ...words(BIT.exception, ['Traceback (most recent call last)', 'Error', 'Exception', 'Interrupt', 'Exit']),
  ...words(BIT.trouble, troubleWords),
  ...words(BIT.refining, refiningWords),
  ...words(BIT.table, ['│']),
]);
