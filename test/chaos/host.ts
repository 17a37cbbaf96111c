// One window of a schedule, as a process of its own that can be killed: the extension's real parts, without VS Code.
// Orders come on stdin and events go to stdout, as JSON, a line each.
import { writeSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Brev } from '../../src/brev/brev.ts';
import { DialectProbe } from '../../src/brev/dialect.ts';
import { cliEnvironment } from '../../src/brev/environment.ts';
import { InstanceStore } from '../../src/instances/store.ts';
import { untilUsable } from '../../src/instances/untilUsable.ts';
import { JobFolders } from '../../src/jobs/jobFolder.ts';
import { Jobs } from '../../src/jobs/jobs.ts';
import { RecordStore } from '../../src/jobs/recordStore.ts';
import { BrevPlatform } from '../../src/platforms/brev/brevPlatform.ts';
import { watchSignIn } from '../../src/preflight/signInWatch.ts';
import type { Clock } from '../../src/process/clock.ts';
import { Redactor } from '../../src/process/redact.ts';
import { createRun } from '../../src/process/run.ts';
import { Shells } from '../../src/remote/shells.ts';
import { sshSettings } from '../../src/remote/sshSettings.ts';
import { inEnglish } from '../../src/values/message.ts';
import { ok } from '../../src/values/outcome.ts';
import type { HostEvent, HostOrder, HostSettings } from './hostMessages.ts';

const settings: HostSettings = JSON.parse(process.argv[2] ?? '');

function tell(event: HostEvent): void {
  // at once: this process may be killed after the next instruction
  writeSync(1, `${JSON.stringify(event)}\n`);
}

/** Pauses are a tenth as long, and time goes on ten times as fast. */
const FASTER = 10;
const begun = Date.now();
let leapt = 0;
const clock: Clock = {
  now: () => begun + (Date.now() - begun) * FASTER + leapt,
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms / FASTER);
    return () => clearTimeout(timer);
  },
};
const log = (line: string): void => tell({ kind: 'log', line });
const redactor = new Redactor();
const run = createRun(log, redactor);
const environment = (): Record<string, string> => cliEnvironment(settings.environment);
const brev = new Brev({
  run,
  environment,
  log,
  locate: async () => ok(settings.brevPath),
  workingDirectory: async () => {
    const folder = path.join(settings.folder, 'empty');
    await mkdir(folder, { recursive: true });
    return folder;
  },
  dialects: new DialectProbe(run, environment),
  session: () => undefined,
});
const store = new InstanceStore({
  brev,
  clock,
  intervals: () => ({ steadyMs: 3_600_000, transitionMs: 3_600_000 }),
});
let watchingSignIn = false;
const shells = new Shells({
  brev,
  store,
  ssh: settings.route === 'ssh' ? sshSettings({ run, environment }) : undefined,
  clock,
  log,
});
const jobs = new Jobs({
  platforms: new Map([
    [
      'brev',
      new BrevPlatform({
        clock,
        shell: (target) => shells.shell(target),
        untilUsable: (signal) => untilUsable(store, clock, signal),
      }),
    ],
  ]),
  records: new RecordStore(path.join(settings.folder, 'state/jobs'), clock, redactor),
  folders: new JobFolders(path.join(settings.folder, 'jobs')),
  clock,
  random: Math.random,
  log,
});
jobs.onEnd(({ job, sentence }) =>
  tell({ kind: 'end', id: job.details.id, state: job.state, sentence: inEnglish(sentence) }),
);
jobs.onChange((job) =>
  tell({ kind: 'change', id: job.details.id, state: job.state, note: job.note, trouble: job.trouble ?? '' }),
);
// as src/ui/resumeOnSignIn.ts does it
store.onChange(() => {
  if (store.needsUser && !watchingSignIn) {
    watchingSignIn = true;
    void watchSignIn(path.join(environment().HOME ?? '', '.brev'), clock, () => void store.refresh());
  }
});
const cancels = new Map<string, AbortController>();

async function submit(order: Extract<HostOrder, { kind: 'submit' }>): Promise<void> {
  const { key, work, secrets } = order;
  for (const [, value] of secrets.environment) redactor.addSecret(value);
  if (secrets.ngcKey !== undefined) redactor.addSecret(secrets.ngcKey);
  const abort = new AbortController();
  cancels.set(key, abort);
  const outcome = await jobs.submit({
    platform: 'brev',
    work:
      work.kind === 'command'
        ? work
        : {
            kind: 'spec',
            spec: {
              ...work.spec,
              gpus: 'all',
              specFile: { name: 'spec.yaml', content: Buffer.from('x: 1\n') },
            },
          },
    instance: settings.instance,
    specUri: '',
    secrets: { environment: new Map(secrets.environment), ngcKey: secrets.ngcKey },
    onStep: (step) => tell({ kind: 'step', key, step }),
    signal: abort.signal,
  });
  cancels.delete(key);
  tell({
    kind: 'submitted',
    key,
    outcome: outcome.kind === 'failed' ? inEnglish(outcome.failure.message) : outcome.kind,
  });
}

async function cancel({ id, key }: Extract<HostOrder, { kind: 'cancel' }>): Promise<void> {
  const submitting = cancels.get(key);
  if (submitting !== undefined) {
    submitting.abort();
    return;
  }
  await jobs.resume();
  const outcome = await jobs.cancel(id, new AbortController().signal);
  tell({
    kind: 'cancelled',
    id,
    outcome: outcome.kind === 'failed' ? inEnglish(outcome.failure.message) : outcome.kind,
  });
}

async function quit(): Promise<void> {
  jobs.dispose();
  store.dispose();
  await shells.dispose();
  process.exit(0);
}

function obey(order: HostOrder): void {
  switch (order.kind) {
    case 'submit':
      void submit(order);
      break;
    case 'cancel':
      void cancel(order);
      break;
    case 'leap':
      leapt += order.ms;
      break;
    case 'quit':
      void quit();
      break;
  }
}

const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => obey(JSON.parse(line)));
// whoever played the schedule is gone
lines.on('close', () => process.exit(0));
void jobs.resume().then(() => tell({ kind: 'ready' }));
