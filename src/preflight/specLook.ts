import { type Catalogue, findModel } from '../tao/catalogue/catalogue.ts';
import { type Fit, fitOf } from '../tao/fit.ts';
import type { GpusAtHand } from '../tao/spec/gpuProblems.ts';
import { type Confidence, recogniseSpec } from '../tao/spec/recognise.ts';
import { parseSpec, type SpecParsing } from '../tao/spec/specDocument.ts';
import type { SpecProblem } from '../tao/spec/specProblem.ts';
import { specProblems } from '../tao/spec/specProblems.ts';
import { SpecView } from '../tao/spec/specView.ts';
import { mayBeSpec, seemsSpec } from '../tao/spec/specWords.ts';
import { guessSpec } from '../tao/specGuess.ts';
import { mountsOf } from './launch/mounts.ts';

/** A text that may be a TAO spec, and what is known around it. */
export interface SpecText {
  readonly text: string;
  /** Names of folders and file tell something of model and action. */
  readonly path: string;
  /** Whether it was a spec before its last change: one that is being typed is no YAML for moments. */
  readonly wasSpec: boolean;
  /** What the user has chosen instead of the guesses. */
  readonly chosen: { readonly network?: string | undefined; readonly action?: string | undefined };
  readonly catalogue: Catalogue;
  /** Of the instance that it is meant for, where there is one. */
  readonly gpus: GpusAtHand | undefined;
}

/** What a text is as a TAO spec. */
export interface SpecLook {
  /** As its command is called, such as `depth_net`; undefined when nobody knows. */
  readonly network: string | undefined;
  readonly action: string;
  /** `chosen` by the user, or how sure the guess is. */
  readonly confidence: Confidence | 'chosen';
  /** Where it begins, from 1: the first key of its top. */
  readonly line: number;
  readonly fit: Fit;
  readonly problems: readonly SpecProblem[];
}

/** Looks whether a text is a TAO spec, and what is to be said of it; undefined when it is none. */
export async function lookAtSpec(spec: SpecText): Promise<SpecLook | undefined> {
  const { text, chosen, catalogue } = spec;
  if (!mayBeSpec(text)) {
    return undefined;
  }
  const parsing = await parseSpec(text);
  const seen = parsing.kind === 'read' ? recognise(parsing, spec) : recogniseWords(spec);
  if (seen === undefined) {
    return undefined;
  }
  const model = chosen.network ?? seen.model;
  const action = chosen.action ?? seen.action;
  const known = model === undefined ? undefined : findModel(catalogue, model);
  return {
    network: known?.network ?? model,
    action,
    confidence: chosen.network === undefined ? seen.confidence : 'chosen',
    line: parsing.kind === 'read' ? (parsing.document.entries[1]?.keyPlace.line ?? 1) : 1,
    fit: fitOf(known, parsing.kind === 'read' ? new SpecView(parsing.document) : undefined, action),
    problems: specProblems(parsing, {
      model,
      action,
      catalogue,
      mounts: mountsOf({ network: model ?? '', action, image: '', gpus: 'all', specFile: NO_FILE }),
      gpus: spec.gpus,
    }),
  };
}

interface Seen {
  readonly model: string | undefined;
  readonly action: string;
  readonly confidence: Confidence;
}

const NO_FILE = { name: '', content: new Uint8Array() };

function recognise(
  { document }: Extract<SpecParsing, { kind: 'read' }>,
  { text, path }: SpecText,
): Seen | undefined {
  const { isSpec, ...seen } = recogniseSpec(document, text, path);
  return isSpec ? seen : undefined;
}

/** What can't be read is judged by its words, and by what it was before. */
function recogniseWords({ text, path, wasSpec }: SpecText): Seen | undefined {
  if (!wasSpec && !seemsSpec(text)) {
    return undefined;
  }
  const { network, action } = guessSpec(path, text);
  return { model: network, action, confidence: network === undefined ? 'none' : 'guess' };
}
