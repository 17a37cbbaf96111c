/** Keys at the top of TAO's specs (tao.md part 2). */
export const TOP_KEYS = [
  'results_dir',
  'encryption_key',
  'model',
  'dataset',
  'train',
  'wandb',
  'evaluate',
  'inference',
  'export',
] as const;
/** Keys that TAO's trainings share. */
const TRAIN_WORDS = [
  'num_epochs',
  'num_gpus',
  'optim',
  'checkpoint_interval',
  'validation_interval',
  'results_dir',
  'checkpoint',
] as const;

const MAX_LOOK = 64 * 1024;
const ANYWHERE = new RegExp(`(?:^|[\\s{,"'])(${TOP_KEYS.join('|')})(?:_config)?["']?[ \\t]*:`, 'g');
const AT_THE_TOP = new RegExp(`^\\ufeff?["']?(${TOP_KEYS.join('|')})["']?[ \\t]*:`, 'gm');
const OF_TRAININGS = new RegExp(`^[ \\t]*["']?(${TRAIN_WORDS.join('|')})["']?[ \\t]*:`, 'gm');

/** Whether a text could be a TAO spec. Cheap, and wrong only in saying so too often: most YAML files need no more. */
export function mayBeSpec(text: string): boolean {
  return distinct(text, ANYWHERE) >= 2;
}

/** Whether a text that can't be read as YAML seems to be a TAO spec all the same: it is looked at as mere words. */
export function seemsSpec(text: string): boolean {
  return distinct(text, AT_THE_TOP) >= 2 && distinct(text, OF_TRAININGS) >= 2;
}

function distinct(text: string, pattern: RegExp): number {
  return new Set(Array.from(text.slice(0, MAX_LOOK).matchAll(pattern), (match) => match[1])).size;
}
