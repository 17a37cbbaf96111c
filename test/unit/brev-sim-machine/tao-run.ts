import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Machine, type Outcome, TAO_IMAGE } from './machine.ts';

export const SPEC = `results_dir: /results
train:
  num_epochs: 3
  num_gpus: 1
  checkpoint_interval: 1
dataset:
  root_dir: /data
model:
  backbone: vit
`;

/** A machine with the TAO image at hand and a spec in its home, which containers see as /data. */
export function taoMachine(spec = SPEC): Machine {
  const machine = new Machine().withImages();
  writeFileSync(join(machine.home, 'spec.yaml'), spec);
  return machine;
}

/** Runs a command in the TAO image in the foreground, named `job`. */
export async function runTao(machine: Machine, command: string[], ...flags: string[]): Promise<Outcome> {
  return await machine.docker(
    ...['run', '-q', '--name', 'job', '--gpus', 'all', '--ipc=host', '-e', 'PYTHONUNBUFFERED=1'],
    ...['-v', `${machine.home}:/data`, '-v', `${join(machine.home, 'results')}:/results`, ...flags],
    TAO_IMAGE,
    ...command,
  );
}

export const TRAIN = ['segformer', 'train', '-e', '/data/spec.yaml'];

/** The lines of a status file; bare NaN tokens, which are no JSON, become null. */
export function statusLines(
  machine: Machine,
  path = 'home/results/train/status.json',
): Record<string, unknown>[] {
  return machine
    .read(path)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line.replaceAll(/: NaN/g, ': null')));
}

/** Like assert.match, with an error that shows the end of a long output only. */
export function assertSaid(text: string, pattern: RegExp): void {
  const found = pattern.test(text);
  assert.ok(found, `${pattern} is not in: …${text.slice(-1500)}`);
}
