import { setTimeout as delay } from 'node:timers/promises';
import { strike } from './faults.ts';
import type { HostEvent } from './hostMessages.ts';
import { hostProgram } from './hostProgram.ts';
import { worldProcesses } from './processes.ts';
import { PROGRAM_PATH, ProgramFolder } from './program.ts';
import type { PlannedFault, PlannedJob, Schedule } from './schedule.ts';
import { canariesOf } from './secrets.ts';
import type { PlayedJob, Stage } from './stage.ts';
import { isSettled, judgeJob, judgeRemains, recordOf } from './verdict.ts';
import { Window } from './window.ts';
import { World } from './world.ts';

export interface Outcome {
  readonly wrong: readonly string[];
  /** What was said and done, in order. */
  readonly history: readonly string[];
  readonly struck: readonly string[];
  /** How each job ended, in the words of its record. */
  readonly ends: readonly string[];
  /** Where everything of a schedule that went wrong still lies. */
  readonly root: string;
  readonly seconds: number;
}

export interface PlayOptions {
  /** Whether disks can be made to run full. */
  readonly mounts: boolean;
  readonly keep: boolean;
}

const IMAGE = 'nvcr.io/chaos/program:1';
/** Far more than any schedule needs. */
const LIMIT_MS = 120_000;
const LOOK_MS = 25;
/** What a dropped connection has left on the machine notices that within two seconds. */
const REMAINS_MS = 8_000;

/** Plays a schedule to its end and says what was wrong. */
export async function play(schedule: Schedule, options: PlayOptions): Promise<Outcome> {
  const begun = performance.now();
  const has = (kind: PlannedFault['kind']): boolean => schedule.faults.some((fault) => fault.kind === kind);
  const world = await World.make(schedule.route, {
    remote: options.mounts && has('full-disk'),
    local: options.mounts && has('full-local-disk'),
  });
  const stage = new RunningStage(schedule, world, begun);
  const faults = schedule.faults.filter(
    ({ kind }) => options.mounts || (kind !== 'full-disk' && kind !== 'full-local-disk'),
  );
  try {
    await stage.openWindow();
    await Promise.all([
      ...stage.jobs.map((job) => submit(stage, job)),
      ...faults.map((fault) => lieInWait(stage, fault)),
      stage.untilOver(),
    ]);
    await stage.close();
    stage.wrong.push(
      ...stage.jobs.flatMap((job) => judgeJob(stage, job).map((words) => `${job.plan.key}: ${words}`)),
    );
    stage.wrong.push(...(await remains(stage)));
  } catch (error) {
    stage.wrong.push(`it could not be played: ${error instanceof Error ? error.stack : String(error)}`);
  }
  await stage.close();
  const ends = stage.jobs.map((job) => endOf(stage, job));
  await (stage.wrong.length === 0 && !options.keep ? world.dispose() : world.halt());
  return {
    wrong: stage.wrong,
    history: stage.history,
    struck: [...stage.struck],
    ends,
    root: world.root,
    seconds: (performance.now() - begun) / 1_000,
  };
}

class RunningStage implements Stage {
  readonly schedule: Schedule;
  readonly world: World;
  readonly jobs: readonly PlayedJob[];
  readonly windows: Window[] = [];
  readonly history: string[] = [];
  readonly struck = new Set<string>();
  readonly events: (HostEvent & { readonly window: number })[] = [];
  readonly wrong: string[] = [];
  readonly #over = new AbortController();
  readonly #begun: number;

  constructor(schedule: Schedule, world: World, begun: number) {
    this.schedule = schedule;
    this.world = world;
    this.#begun = begun;
    this.jobs = schedule.jobs.map((plan) => {
      const program = new ProgramFolder(world.gpu.home, plan);
      program.install();
      return { plan, program, answer: undefined, orphaned: false };
    });
  }

  get over(): boolean {
    return this.#over.signal.aborted;
  }

  async openWindow(): Promise<Window> {
    const { world } = this;
    const program = await hostProgram(import.meta.dirname);
    const window = new Window(
      this.windows.length,
      {
        folder: world.desk,
        route: this.schedule.route,
        brevPath: world.sim.brevPath,
        environment: world.environment,
        instance: { id: world.gpu.id, name: 'gpu1' },
      },
      {
        program,
        environment: world.environment,
        onEvent: (event, from) => this.#hear(event, from),
        onCrash: (words) => this.wrong.push(words),
      },
    );
    this.windows.push(window);
    await window.ready;
    return window;
  }

  async liveWindow(): Promise<Window | undefined> {
    while (!this.over) {
      const window = this.windows.find(({ alive }) => alive);
      await window?.ready;
      if (window?.alive) return window;
      await this.pause(LOOK_MS);
    }
    return undefined;
  }

  note(line: string): void {
    this.history.push(`${((performance.now() - this.#begun) / 1_000).toFixed(2)} ${line}`);
  }

  async pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.#over.signal }).catch(() => undefined);
  }

  /** Settles when all jobs have; or when it takes too long, which is wrong. */
  async untilOver(): Promise<void> {
    for (const deadline = performance.now() + LIMIT_MS; ; ) {
      if (this.jobs.every((job) => isSettled(this, job))) break;
      if (performance.now() > deadline) {
        this.wrong.push('it does not come to an end');
        break;
      }
      await this.pause(LOOK_MS);
    }
    this.note('settled');
    this.#over.abort();
  }

  async close(): Promise<void> {
    this.#over.abort();
    await Promise.all(this.windows.map((window) => window.quit()));
  }

  #hear(event: HostEvent, window: Window): void {
    this.events.push({ ...event, window: window.number });
    if (event.kind === 'submitted') {
      const job = this.jobs.find(({ plan }) => plan.key === event.key);
      if (job !== undefined) job.answer = event.outcome;
    }
    this.note(`w${window.number} ${event.kind === 'log' ? event.line.slice(0, 300) : JSON.stringify(event)}`);
  }
}

async function submit(stage: Stage, job: PlayedJob): Promise<void> {
  const { key, kind, withSecrets, afterMs } = job.plan;
  await stage.pause(afterMs);
  const window = await stage.liveWindow();
  if (window === undefined) return;
  const { token, key: secretKey, ngcKey } = canariesOf(stage.schedule.seed);
  stage.note(`submit ${key} in window ${window.number}`);
  window.order({
    kind: 'submit',
    key,
    work: workOf(job.plan),
    secrets: {
      environment: withSecrets
        ? [
            ['HF_TOKEN', token],
            ['AWS_SECRET_ACCESS_KEY', secretKey],
          ]
        : [],
      ngcKey: kind === 'container' ? ngcKey : undefined,
    },
  });
  while (job.answer === undefined && window.alive && !stage.over) await stage.pause(LOOK_MS);
  // closed, perhaps before it had made anything of the job
  job.orphaned = !window.alive;
  while (job.answer === undefined && !stage.over) {
    if (stage.world.jobId(key) === undefined) job.answer = 'never heard of';
    await stage.pause(LOOK_MS);
  }
}

function workOf({ key, kind }: PlannedJob) {
  return kind === 'command'
    ? ({ kind, command: `"$HOME"${PROGRAM_PATH} ${key}` } as const)
    : ({ kind, spec: { network: PROGRAM_PATH, action: key, image: IMAGE } } as const);
}

function endOf({ world }: Stage, job: PlayedJob): string {
  const id = world.jobId(job.plan.key);
  const record = id === undefined ? undefined : recordOf(world, id);
  const last = record?.transitions.at(-1);
  return last === undefined ? 'no record' : `${last.state}: ${last.message}`;
}

/** Waits for a fault's moment; nothing happens when the jobs have ended before it. */
async function lieInWait(stage: RunningStage, fault: PlannedFault): Promise<void> {
  const job = stage.jobs[fault.job];
  const { trigger, kind } = fault;
  const hasCome = (): boolean => {
    const id = job === undefined ? undefined : stage.world.jobId(job.plan.key);
    const folder = id === undefined ? undefined : stage.world.remoteFolder(id);
    if (folder === undefined) return false;
    switch (trigger.kind) {
      case 'time':
        return true;
      case 'bytes':
        return stage.world.size(`${folder}/log`) >= trigger.bytes;
      case 'step':
        return (
          trigger.step ===
          (stage.world.exists(`${folder}/result`)
            ? 'end'
            : stage.world.read(`${folder}/step`).trim() || 'launch')
        );
    }
  };
  if (trigger.kind === 'time') await stage.pause(trigger.ms);
  else while (!hasCome() && !stage.over) await stage.pause(LOOK_MS / 5);
  if (trigger.kind === 'step') await stage.pause(trigger.ms);
  if (!stage.over) {
    stage.note(`strikes: ${kind}`);
    await strike(stage, fault);
  }
}

async function remains(stage: Stage): Promise<string[]> {
  for (const deadline = performance.now() + REMAINS_MS; performance.now() < deadline; ) {
    if (worldProcesses(stage.world.root).every(({ role }) => role === 'master')) break;
    await delay(LOOK_MS);
  }
  return judgeRemains(stage);
}
