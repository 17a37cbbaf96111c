import { actionsOf } from '../networks.ts';
import { guessSpec } from '../specGuess.ts';
import { SIGNATURES, type Sign } from './signatures.ts';
import type { SpecDocument, SpecEntry } from './specDocument.ts';
import { TOP_KEYS } from './specWords.ts';

/** How sure a recognition is. `none`: nothing speaks for any model. */
export type Confidence = 'sure' | 'likely' | 'guess' | 'none';

/** What a spec is for. The user sees it and can change it. */
export interface Recognition {
  /** Whether this is a TAO spec at all, by its content; only then it is offered to be run. */
  readonly isSpec: boolean;
  /** The model's name in the catalogue. */
  readonly model: string | undefined;
  readonly action: string;
  readonly confidence: Confidence;
  /** Other models that it may be for, the likeliest first. */
  readonly alternatives: readonly string[];
}

const SURE = 9;
const LIKELY = 5;
/** What the best must have over the next to be more than a guess. */
const MARGIN = 3;
const MAX_ALTERNATIVES = 4;

/**
 * Recognises a spec by its content, with no side file. The file's path only decides where the content doesn't, and may
 * tell the action.
 */
export function recogniseSpec(document: SpecDocument, text: string, path = ''): Recognition {
  const spec = byPath(document.entries);
  const named = guessSpec(path, text);
  const names = { own: ownNames(spec), path: guessSpec(path, '').network };
  const scores = Object.entries(SIGNATURES)
    .map(([model, signs]) => ({ model, score: scoreOf(signs, spec) + namedScore(model, names) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
  const [best, next] = scores;
  const isSpec = isTaoSpec(spec, best?.score ?? 0);
  const confidence = confidenceOf(best?.score ?? 0, (best?.score ?? 0) - (next?.score ?? 0));
  const model = best?.model ?? (isSpec ? named.network : undefined);
  return {
    isSpec,
    model,
    action: actionFor(model, spec, path),
    confidence: model === undefined ? 'none' : best === undefined ? 'guess' : confidence,
    alternatives: scores.slice(1, 1 + MAX_ALTERNATIVES).map((each) => each.model),
  };
}

function confidenceOf(score: number, lead: number): Confidence {
  if (score >= SURE && lead >= MARGIN) {
    return 'sure';
  }
  return score >= LIKELY && lead >= MARGIN ? 'likely' : 'guess';
}

/** The entries by dotted keys without the indexes of lists; a list of texts stands for each of them. */
function byPath(entries: readonly SpecEntry[]): ReadonlyMap<string, readonly SpecEntry[]> {
  const paths = new Map<string, SpecEntry[]>();
  for (const entry of entries) {
    const path = entry.keyPath
      .filter((name) => !/^\d+$/.test(name))
      .join('.')
      // specs of TAO 5 and before
      .replace(/^(model|dataset|train)_config(?=\.|$)/, '$1');
    const others = paths.get(path);
    if (others === undefined) {
      paths.set(path, [entry]);
    } else {
      others.push(entry);
    }
  }
  return paths;
}

function scoreOf(signs: readonly Sign[], spec: ReadonlyMap<string, readonly SpecEntry[]>): number {
  let score = 0;
  for (const { key, value, weight } of signs) {
    const found = spec.get(key);
    if (found !== undefined && (value === undefined || found.some((entry) => matches(entry, value)))) {
      score += weight;
    }
  }
  return score;
}

function matches({ kind, value }: SpecEntry, pattern: RegExp): boolean {
  return kind !== 'list' && kind !== 'map' && value !== null && pattern.test(String(value).slice(0, 200));
}

/** The networks that a spec names itself. */
function ownNames(spec: ReadonlyMap<string, readonly SpecEntry[]>): ReadonlySet<string | undefined> {
  return new Set(
    ['model_name', 'network', 'network_arch', 'model_arch']
      .flatMap((key) => spec.get(key) ?? [])
      .flatMap(({ value }) =>
        typeof value === 'string' ? [guessSpec(value.slice(0, 200), '').network] : [],
      ),
  );
}

interface Names {
  readonly own: ReadonlySet<string | undefined>;
  readonly path: string | undefined;
}

/** A spec may name itself; its folder or file is named after its model, too, or after something else. */
function namedScore(model: string, { own, path }: Names): number {
  const network = networkOf(model);
  return (own.has(network) ? 12 : 0) + (path === network ? 2 : 0);
}

/** Both of depth_net's models go by its name. */
function networkOf(model: string): string {
  return model.startsWith('depth_net_') ? 'depth_net' : model;
}

const TRAIN_KEYS = [
  'train.num_epochs',
  'train.num_gpus',
  'train.optim',
  'train.checkpoint_interval',
  'train.validation_interval',
];

/** Many YAML files have a `model` or a `train`; few have what TAO's have together (tao.md part 2, spec top keys). */
function isTaoSpec(spec: ReadonlyMap<string, readonly SpecEntry[]>, score: number): boolean {
  const top = TOP_KEYS.filter((key) => spec.has(key)).length;
  const train = TRAIN_KEYS.filter((key) => spec.has(key)).length;
  const checkpoint = ['evaluate', 'inference', 'export'].some((section) => spec.has(`${section}.checkpoint`));
  return (
    top >= 2 &&
    (score >= SURE || train >= 2 || (checkpoint && spec.has('results_dir')) || (top >= 4 && score > 0))
  );
}

/** By the file's name, by the one section that there is, or `train`: a training spec often carries what follows it. */
function actionFor(
  model: string | undefined,
  spec: ReadonlyMap<string, readonly SpecEntry[]>,
  path: string,
): string {
  const actions = actionsOf(model === undefined ? '' : networkOf(model));
  const name = path.split(/[\\/]/).at(-1)?.toLowerCase() ?? '';
  const inName = actions.find((action) => new RegExp(`(?<![a-z])${action}(?![a-z])`).test(name));
  const sections = actions.filter((action) => spec.has(action));
  return inName ?? (sections.includes('train') ? 'train' : (sections[0] ?? 'train'));
}
