import { type Clock, sleep } from '../../../src/process/clock.ts';
import { message } from '../../../src/values/message.ts';
import { cancelled, failed, type Outcome, ok } from '../../../src/values/outcome.ts';
import { Machines } from '../../../src/workflow/machines.ts';
import type { Plan, Step } from '../../../src/workflow/plan.ts';
import type { PlanState } from '../../../src/workflow/planState.ts';
import type { StateReading, StateStore } from '../../../src/workflow/stateFile.ts';
import type { StepEnd, World } from '../../../src/workflow/world.ts';
import { FakeClock } from '../../support/fake-clock.ts';

/** How one try of a step goes. */
export interface PlayedTry {
  readonly ms: number;
  readonly end: 'complete' | 'failed' | 'refused' | 'unknown' | 'neverLaunched';
}

interface PlayedJob {
  readonly step: string;
  readonly machine: string | undefined;
  readonly endsAt: number;
  readonly end: PlayedTry['end'];
  launches: number;
  stopped: boolean;
  saved: boolean;
}

interface PlayedMachine {
  creations: number;
  deleted: boolean;
}

const MACHINE_MS = 60_000;
const COMPLETE: PlayedTry = { ms: 600_000, end: 'complete' };

/** The world that outlives executors: jobs, machines, S3 and the state file. */
export class PlayedWorld {
  readonly clock = new FakeClock();
  readonly jobs = new Map<string, PlayedJob>();
  readonly machines = new Map<string, PlayedMachine>();
  readonly inS3 = new Set<string>();
  /** What no executor may ever do. */
  readonly wrong: string[] = [];
  readonly history: string[] = [];
  /** The tries of a step one after another, the last one again and again. */
  readonly tries: ReadonlyMap<string, readonly PlayedTry[]>;
  state: PlanState | undefined;
  saveFails = 0;
  #ids = 0;

  constructor(tries: ReadonlyMap<string, readonly PlayedTry[]> = new Map()) {
    this.tries = tries;
  }

  nextId(word: string): string {
    this.#ids++;
    return `${word}-${this.#ids}`;
  }

  launchesOf(step: string): number {
    return [...this.jobs.values()].filter((job) => job.step === step).length;
  }

  launch(step: Step, jobId: string, machine: string | undefined): PlayedJob {
    const known = this.jobs.get(jobId);
    if (known !== undefined) {
      return known;
    }
    const tries = this.tries.get(step.name) ?? [COMPLETE];
    const played = tries[Math.min(this.launchesOf(step.name), tries.length - 1)] ?? COMPLETE;
    const live = [...this.jobs.values()].find(
      (job) => job.step === step.name && job.endsAt > this.clock.now() && !job.stopped,
    );
    if (live !== undefined) this.wrong.push(`${step.name} runs twice at once`);
    if (step.needs.some((need) => !this.#isThere(need))) {
      this.wrong.push(`${step.name} runs before what it needs`);
    }
    if (machine !== undefined && step.instance?.kind !== 'existing') {
      const found = this.machines.get(machine);
      if (found === undefined || found.deleted) this.wrong.push(`${step.name} runs on no machine`);
    }
    const job: PlayedJob = {
      step: step.name,
      machine,
      // what was refused never ran
      endsAt: this.clock.now() + (played.end === 'refused' ? 0 : played.ms),
      end: played.end,
      launches: 1,
      stopped: false,
      saved: false,
    };
    this.jobs.set(jobId, job);
    this.history.push(`launch ${step.name}`);
    return job;
  }

  #isThere(step: string): boolean {
    const phase = this.state?.steps[step]?.phase;
    return phase === 'done' || phase === 'skipped';
  }
}

/** What a process sees of the world until it is killed: every call counts twice, before and after what it does. */
export class Process implements World, StateStore {
  readonly clock: Clock;
  readonly #world: PlayedWorld;
  readonly #killAt: number;
  readonly #killed = new AbortController();
  points = 0;

  constructor(world: PlayedWorld, killAt = Number.POSITIVE_INFINITY) {
    this.#world = world;
    this.#killAt = killAt;
    this.clock = {
      now: () => world.clock.now(),
      // a killed process has no timers
      after: (ms, callback) =>
        world.clock.after(ms, () => {
          if (!this.killed) callback();
        }),
    };
  }

  get killed(): boolean {
    return this.#killed.signal.aborted;
  }

  kill(): void {
    this.#killed.abort();
  }

  async #point(): Promise<void> {
    this.points++;
    if (this.points >= this.#killAt) this.#killed.abort();
    // a dead process is never answered
    if (this.killed) await new Promise(() => undefined);
  }

  async #act<T>(action: () => T | Promise<T>): Promise<T> {
    await this.#point();
    const value = await action();
    await this.#point();
    return value;
  }

  newJobId(step: Step): string {
    return this.#world.nextId(step.name);
  }

  chooseMachine: World['chooseMachine'] = (step) =>
    this.#act(() => ok({ name: this.#world.nextId(`machine-${step.name}`), types: ['cheap'] }));

  submit: World['submit'] = ({ instance, jobId, step }, signal) =>
    this.#act((): Outcome<void> => {
      if (signal.aborted) return cancelled;
      const job = this.#world.launch(step, jobId, instance);
      return job.end === 'refused' ? failed(failure('refused')) : ok(undefined);
    });

  untilEnd: World['untilEnd'] = ({ jobId }, signal) =>
    this.#act(async (): Promise<Outcome<StepEnd>> => {
      const job = this.#world.jobs.get(jobId);
      if (job === undefined) {
        this.#world.wrong.push(`${jobId} was never submitted`);
        return failed(failure('lost'));
      }
      await sleep(this.clock, Math.max(0, job.endsAt - this.clock.now()), signal);
      if (job.stopped) return ok({ kind: 'cancelled' });
      if (job.endsAt > this.clock.now()) return cancelled;
      switch (job.end) {
        case 'complete':
          return ok({ kind: 'complete' });
        case 'failed':
        case 'refused':
          return ok({ kind: 'failed', reason: message('{0}', 'exit code 1') });
        case 'unknown':
          return ok({ kind: 'unknown', reason: message('{0}', 'lost') });
        case 'neverLaunched':
          return ok({ kind: 'neverLaunched' });
      }
    });

  cancelJob: World['cancelJob'] = ({ jobId }) =>
    this.#act(() => {
      const job = this.#world.jobs.get(jobId);
      if (job !== undefined) job.stopped = true;
      return ok(undefined);
    });

  createMachine: World['createMachine'] = ({ name }, signal) =>
    this.#act(async () => {
      const known = this.#world.machines.get(name);
      if (known === undefined) {
        this.#world.machines.set(name, { creations: 1, deleted: false });
        this.#world.history.push(`create ${name}`);
      }
      await sleep(this.clock, MACHINE_MS, signal);
      return signal.aborted ? cancelled : ok(undefined);
    });

  deleteMachine: World['deleteMachine'] = (name) =>
    this.#act(() => {
      const machine = this.#world.machines.get(name);
      for (const [id, job] of this.#world.jobs) {
        if (job.machine !== name) continue;
        if (job.endsAt > this.clock.now() && !job.stopped) {
          this.#world.wrong.push(`${name} was deleted while ${id} ran`);
        }
        if (!job.saved && job.end !== 'refused') {
          this.#world.wrong.push(`${name} was deleted with what ${id} left`);
        }
      }
      if (machine !== undefined) machine.deleted = true;
      return ok(undefined);
    });

  outputsExist: World['outputsExist'] = (step) =>
    this.#act(() => ok(step.outputs.every(({ uri }) => this.#world.inS3.has(uri))));

  saveOutputs: World['saveOutputs'] = ({ jobId, step, succeeded }) =>
    this.#act((): Outcome<void> => {
      if (this.#world.saveFails > 0) {
        this.#world.saveFails--;
        return failed(failure('S3 is away'));
      }
      const job = this.#world.jobs.get(jobId);
      if (job !== undefined) job.saved = true;
      if (succeeded) for (const { uri } of step.outputs) this.#world.inS3.add(uri);
      return ok(undefined);
    });

  check: World['check'] = async () => [];
  price: World['price'] = async () => ({ pricePerHour: 2, what: 'cheap' });

  async read(): Promise<StateReading> {
    const { state } = this.#world;
    return state === undefined ? { kind: 'none' } : { kind: 'read', state };
  }

  write(state: PlanState): Promise<void> {
    return this.#act(() => {
      this.#world.state = structuredClone(state);
    });
  }
}

function failure(words: string) {
  return { kind: 'remoteFailed', message: message('{0}', words), retrySafe: true } as const;
}

/** What counts at the end, whatever happened on the way; ids and times don't. */
export function resultOf(plan: Plan, world: PlayedWorld) {
  return {
    ended: world.state?.ended,
    steps: plan.steps.map(({ name }) => ({
      name,
      phase: world.state?.steps[name]?.phase,
      tries: world.state?.steps[name]?.attempts.map(({ end }) => end),
      launches: world.launchesOf(name),
    })),
    machines: plan.steps.map((step) => {
      const owner = Machines.ownerOf(step);
      return owner === undefined ? undefined : world.state?.machines[owner]?.phase;
    }),
    standing: [...world.machines.values()].filter(({ deleted }) => !deleted).length,
    bought: world.machines.size,
    inS3: [...world.inS3].sort((a, b) => a.localeCompare(b)),
    wrong: world.wrong,
  };
}
