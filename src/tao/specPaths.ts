import { byKey, withReferences } from './specReferences.ts';
import type { SpecScalar } from './specScalars.ts';

/** A place that a spec names. */
export interface SpecPath {
  /** As the program will see it: references within the spec are put in. */
  readonly value: string;
  readonly keyPath: readonly string[];
  /** From 1. */
  readonly line: number;
  /** `foreign`: a home directory or a drive letter, which no container knows. */
  readonly kind: 's3' | 'absolute' | 'foreign';
  readonly role: 'input' | 'output';
  /** False when this action seems not to read it, such as the test data of a training. */
  readonly needed: boolean;
}

export interface SpecPaths {
  readonly paths: readonly SpecPath[];
  /** Texts that look like paths and hold something that only the run knows. */
  readonly unresolved: readonly SpecScalar[];
}

const MAX_LENGTH = 2048;

/** The places that a spec names, in the order of the file, for a run of `action`. Names and web addresses are none. */
export function specPaths(scalars: readonly SpecScalar[], action: string): SpecPaths {
  const spec = byKey(scalars);
  const paths: SpecPath[] = [];
  const unresolved: SpecScalar[] = [];
  for (const scalar of scalars) {
    const value = withReferences(scalar, spec);
    const kind = value === undefined ? undefined : kindOf(value);
    if (value === undefined && scalar.value.includes('/')) {
      unresolved.push(scalar);
    } else if (value !== undefined && kind !== undefined) {
      const { keyPath, line } = scalar;
      paths.push({
        value,
        keyPath,
        line,
        kind,
        role: isOutput(keyPath) ? 'output' : 'input',
        needed: isNeeded(keyPath, action),
      });
    }
  }
  return { paths, unresolved };
}

function kindOf(value: string): SpecPath['kind'] | undefined {
  if (value.length > MAX_LENGTH || /[\r\n\t]/.test(value)) {
    return undefined;
  }
  if (/^s3:\/\//i.test(value)) {
    return 's3';
  }
  // `//host/…` is a web address without its scheme; OpenImages calls its classes /m/01g317
  if (/^\/(?!\/)/.test(value) && value !== '/' && !/^\/m\/[a-z0-9_]+$/.test(value)) {
    return 'absolute';
  }
  return /^(?:~(?:\/|$)|\$HOME(?:\/|$)|[A-Za-z]:[\\/](?!\/))/.test(value) ? 'foreign' : undefined;
}

/** Keys whose path TAO writes, wherever they stand. */
const OUTPUT_KEY =
  /^(?:results?_(?:dir|path|folder|root)|(?:output|out|save|log|logs|logging|tensorboard|experiment|work)_(?:dir|path|file|folder|root)|output|output_.+|.+_output(?:_.+)?|logs?|cache_dir|cal_cache_file|.+_cache_(?:dir|file))$/;
/** Keys that are written in one section and read in others. */
const OUTPUT_IN_SECTION: Readonly<Record<string, readonly string[]>> = {
  export: ['onnx_file'],
  gen_trt_engine: ['trt_engine'],
};

function isOutput(keyPath: readonly string[]): boolean {
  const key = lastName(keyPath);
  return OUTPUT_KEY.test(key) || (OUTPUT_IN_SECTION[keyPath[0] ?? '']?.includes(key) ?? false);
}

/** Items of a list go by the list's name. */
function lastName(keyPath: readonly string[]): string {
  return (keyPath.findLast((name) => !/^\d+$/.test(name)) ?? '').toLowerCase();
}

/** Sections that belong to one action each (tao.md part 2); a spec often carries those of several. */
const ACTION_SECTIONS = new Set([
  'train',
  'evaluate',
  'inference',
  'export',
  'distill',
  'quantize',
  'prune',
  'retrain',
  'convert',
  'dataset_convert',
  'gen_trt_engine',
]);
/** These go on from a training, and read its section too. */
const LIKE_TRAIN = new Set(['train', 'retrain', 'distill', 'quantize', 'prune']);

/** Whether an action reads what stands under a key. */
export function isNeeded(keyPath: readonly string[], action: string): boolean {
  const [section = ''] = keyPath;
  if (ACTION_SECTIONS.has(section)) {
    return section === action || (section === 'train' && LIKE_TRAIN.has(action));
  }
  const other = LIKE_TRAIN.has(action)
    ? /^(?:test|infer|inference|predict)(?:_|$)/
    : /^(?:train|val|validation)(?:_|$)/;
  return !keyPath.some((name) => other.test(name.toLowerCase()));
}
