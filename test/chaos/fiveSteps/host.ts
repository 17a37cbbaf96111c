// All of the extension that a plan's run has in memory, as a process of its own that can be killed: it goes on with what
// the state file says, or begins. What is to be done comes on stdin, as one line of JSON.
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { systemClock } from '../../../src/process/clock.ts';
import { PlanRun } from '../../../src/workflow/planRun.ts';
import { beginState } from '../../../src/workflow/planState.ts';
import { planParts } from '../../unit/workflow/planParts.ts';
import type { PlanHostEvent, PlanHostOrder } from './hostMessages.ts';
import { Points } from './points.ts';
import { witnessedState, witnessedTools } from './witness.ts';

const lines = createInterface({ input: process.stdin });
lines.once('line', (line) => {
  // whoever plays it is gone
  lines.on('close', () => process.exit(0));
  void live(JSON.parse(line));
});

function tell(event: PlanHostEvent): void {
  // at once: this process may be killed after the next instruction
  writeSync(1, `${JSON.stringify(event)}\n`);
}

async function live({ death, places, plan }: PlanHostOrder): Promise<void> {
  const points = new Points(death, (point) => tell({ kind: 'point', point }));
  const { bridge, jobs, store, world } = planParts(places, witnessedTools(places, points));
  jobs.onChange(({ details, note, state }) =>
    points.seen(`job ${details.id.split('-')[0]} ${state} ${note.slice(0, 20)}`),
  );
  const file = witnessedState(places, points);
  const reading = await file.read();
  if (reading.kind === 'unreadable') throw new Error(`the state is unreadable: ${reading.reason}`);
  const state =
    reading.kind === 'read'
      ? reading.state
      : beginState(plan, undefined, { kind: 'anew' }, systemClock.now());
  const run = new PlanRun({ plan, state, world, store: file, log: () => undefined });
  await jobs.resume();
  const ended = await run.run(new AbortController().signal);
  tell({ kind: 'ended', ended });
  jobs.dispose();
  store.dispose();
  bridge.dispose();
  lines.close();
}
