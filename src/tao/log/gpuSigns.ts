import { after, from, shortLine } from './excerpt.ts';
import type { SignPlace } from './signPlace.ts';
import type { Trouble } from './trouble.ts';

export function cudaOutOfMemory(text: string, { rank }: SignPlace): Trouble {
  const words = from(text, 'out of memory') ?? '';
  const gpu = /GPU (\d{1,3})/.exec(words)?.[1];
  return {
    kind: 'cudaOutOfMemory',
    gpu: gpu === undefined ? undefined : Number(gpu),
    triedGib: gib(words, /Tried to allocate ([\d.]{1,20}) ([KMG]iB|bytes)/),
    // PyTorch 1 had it the other way round: `31.75 GiB total capacity; … 66.75 MiB free`
    freeGib: gib(words, /of which ([\d.]{1,20}) ([KMG]iB|bytes) is free|([\d.]{1,20}) ([KMG]iB|bytes) free/),
    totalGib: gib(
      words,
      /capacity of ([\d.]{1,20}) ([KMG]iB|bytes)|([\d.]{1,20}) ([KMG]iB|bytes) total capacity/,
    ),
    rank,
  };
}

const GIB: Readonly<Record<string, number>> = { bytes: 1024 ** -3, KiB: 1024 ** -2, MiB: 1 / 1024, GiB: 1 };

function gib(words: string, amount: RegExp): number | undefined {
  const [, a, unitA, b, unitB] = amount.exec(words) ?? [];
  const value = Number(a ?? b);
  const unit = GIB[unitA ?? unitB ?? ''];
  return Number.isFinite(value) && unit !== undefined ? Math.round(value * unit * 100) / 100 : undefined;
}

export function ncclTimeout(text: string, { rank }: SignPlace): Trouble {
  const words = after(text, 'operation timeout') ?? '';
  const ms = /Timeout\(ms\)=(\d{1,12})/.exec(words)?.[1];
  const named = /\[Rank (\d{1,4})\]/.exec(text.slice(0, 600))?.[1];
  return {
    kind: 'ncclTimeout',
    rank: rank ?? (named === undefined ? undefined : Number(named)),
    operation: /OpType=(\w{1,40})/.exec(words)?.[1],
    seconds: ms === undefined ? undefined : Math.round(Number(ms) / 1000),
  };
}

export function ncclError(text: string, { rank }: SignPlace): Trouble {
  const words = after(text, 'NCCL error in') ?? after(text, 'DistBackendError: ') ?? '';
  return { kind: 'ncclError', rank, text: shortLine(/, ([^,]{1,300})/.exec(words)?.[1] ?? words) };
}

export function containerCli(text: string): Trouble {
  const words = after(text, 'nvidia-container-cli: ') ?? '';
  return /requirement error|unsatisfied condition/.test(words)
    ? { kind: 'driverTooOld', text: shortLine(words) }
    : { kind: 'gpuRuntimeMissing' };
}

export function driverTooOld(text: string): Trouble {
  return {
    kind: 'driverTooOld',
    text: shortLine(from(text, 'CUDA driver') ?? from(text, 'NVIDIA driver') ?? text),
  };
}

export function gpuFault(text: string): Trouble {
  return { kind: 'gpuFault', text: shortLine(text) };
}

/** Two lines tell it: what was asked for, and what is there. */
export function gpusAsked(text: string): Trouble {
  return {
    kind: 'tooFewGpus',
    asked: listLength(after(text, 'You requested gpu: ')),
    there: gpusThere(text).there,
  };
}

export function gpusThere(text: string): Trouble & { readonly kind: 'tooFewGpus' } {
  return { kind: 'tooFewGpus', asked: undefined, there: listLength(after(text, 'machine only has: ')) };
}

function listLength(text: string | undefined): number | undefined {
  const list = /^\[([\d, ]{0,100})\]/.exec(text ?? '')?.[1];
  return list === undefined ? undefined : list.split(',').filter((item) => item.trim() !== '').length;
}

export function workerKilled(text: string): Trouble | undefined {
  const signal = /^\s{0,20}:\s{0,20}-(\d{1,2})\b/.exec(after(text, 'exitcode') ?? '')?.[1];
  return signal === undefined ? undefined : { kind: 'workerKilled', signal: Number(signal) };
}
