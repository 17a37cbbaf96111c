import { message } from '../../values/message.ts';
import type { SpecEntry } from './specDocument.ts';
import type { SpecProblem } from './specProblem.ts';
import { type SpecView, sectionOf } from './specView.ts';

/** The GPUs that a container would get, and of what. */
export interface GpusAtHand {
  /** An instance or a type, by its name. */
  readonly name: string;
  readonly count: number;
}

/** Brev has no larger instances, and knows no cluster (tao.md part 2). */
export const MAX_GPUS = 8;

/** How many GPUs a spec asks for, against what there is; several nodes are for Lepton. */
export function gpuProblems(
  spec: SpecView,
  action: string,
  atHand: GpusAtHand | undefined,
): readonly SpecProblem[] {
  const section = sectionOf(action);
  return [
    ...[`${section}.num_nodes`, 'num_nodes'].flatMap((key) => nodes(spec, key)),
    ...[`${section}.num_gpus`, 'num_gpus'].flatMap((key) => gpus(spec, key, atHand)),
    ...[`${section}.gpu_ids`, 'gpu_ids'].flatMap((key) => ids(spec, key, atHand)),
  ];
}

function nodes(spec: SpecView, key: string): readonly SpecProblem[] {
  const count = spec.number(key);
  const entry = spec.entry(key);
  if (count === undefined || entry === undefined || count <= 1) {
    return [];
  }
  return [
    {
      code: 'multiNode',
      severity: 'error',
      message: message(
        'Brev runs a job on one instance; {0} nodes need a cluster, such as one of DGX Cloud Lepton. One instance has up to {1} GPUs.',
        count,
        MAX_GPUS,
      ),
      place: entry.place,
      action: 'openLeptonPage',
      fix: { kind: 'replace', text: '1' },
    },
  ];
}

function gpus(spec: SpecView, key: string, atHand: GpusAtHand | undefined): readonly SpecProblem[] {
  const count = spec.number(key);
  const entry = spec.entry(key);
  // -1 stands for all there are
  if (count === undefined || entry === undefined || count === -1) {
    return [];
  }
  if (!Number.isInteger(count) || count < 1) {
    return [
      {
        code: 'badGpuCount',
        severity: 'error',
        message: message('{0} is no number of GPUs.', count),
        place: entry.place,
        fix: { kind: 'replace', text: '1' },
      },
    ];
  }
  return tooMany(count, entry, atHand) ?? idle(count, entry, atHand);
}

function tooMany(
  count: number,
  { place }: SpecEntry,
  atHand: GpusAtHand | undefined,
): readonly SpecProblem[] | undefined {
  if (count > MAX_GPUS) {
    return [
      {
        code: 'tooManyGpus',
        severity: 'error',
        message: message(
          'An instance has up to {0} GPUs; {1} need a cluster, such as one of DGX Cloud Lepton.',
          MAX_GPUS,
          count,
        ),
        place,
        action: 'openLeptonPage',
        fix: { kind: 'replace', text: String(MAX_GPUS) },
      },
    ];
  }
  if (atHand === undefined || count <= atHand.count) {
    return undefined;
  }
  return [
    {
      code: 'tooManyGpus',
      severity: 'error',
      message: message('The spec asks for {0} GPUs, and {1} has {2}.', count, atHand.name, atHand.count),
      place,
      action: 'pickOffer',
      fix: { kind: 'replace', text: String(atHand.count) },
    },
  ];
}

/** Not wrong, but paid for. */
function idle(count: number, { place }: SpecEntry, atHand: GpusAtHand | undefined): readonly SpecProblem[] {
  if (atHand === undefined || count >= atHand.count) {
    return [];
  }
  return [
    {
      code: 'idleGpus',
      severity: 'information',
      message: message('The run uses {0} of the {1} GPUs of {2}.', count, atHand.count, atHand.name),
      place,
      fix: { kind: 'replace', text: String(atHand.count) },
    },
  ];
}

function ids(spec: SpecView, key: string, atHand: GpusAtHand | undefined): readonly SpecProblem[] {
  const entry = spec.entry(key);
  const highest = Math.max(-1, ...(spec.numbers(key) ?? []).slice(0, 1000));
  const limit = atHand?.count ?? MAX_GPUS;
  if (entry === undefined || highest < limit) {
    return [];
  }
  return [
    {
      code: 'tooManyGpus',
      severity: 'error',
      message:
        atHand === undefined
          ? message('There is no GPU {0} on an instance: they count from 0 to {1}.', highest, MAX_GPUS - 1)
          : message(
              'There is no GPU {0} on {1}: its {2} GPUs count from 0.',
              highest,
              atHand.name,
              atHand.count,
            ),
      place: entry.place,
      action: 'pickOffer',
    },
  ];
}
