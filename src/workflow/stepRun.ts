import { sleep } from '../process/clock.ts';
import { type Message, message } from '../values/message.ts';
import type { Outcome } from '../values/outcome.ts';
import type { Machines } from './machines.ts';
import type { Step } from './plan.ts';
import type { Attempt, StepPhase } from './planState.ts';
import type { RunState } from './runState.ts';
import type { StepEnd, StepJob, World } from './world.ts';

/** When a save or a cancel that failed is tried again, and how often. */
const TRY_AGAIN_MS = 10_000;
const TRIES = 5;
/** So many launches in a row that don't get through are no accident of windows and connections. */
const MOST_LAUNCHES = 10;

/** Brings one step to its end, from wherever it was left. */
export class StepRun {
  readonly #step: Step;
  readonly #state: RunState;
  readonly #world: World;
  readonly #machines: Machines;
  /** The executor ends here; the job goes on. */
  readonly #stop: AbortSignal;
  readonly #cancelled = new AbortController();

  constructor(options: {
    readonly step: Step;
    readonly state: RunState;
    readonly world: World;
    readonly machines: Machines;
    readonly stop: AbortSignal;
  }) {
    this.#step = options.step;
    this.#state = options.state;
    this.#world = options.world;
    this.#machines = options.machines;
    this.#stop = options.stop;
  }

  /** The state says already that it is wanted. */
  cancel(): void {
    this.#cancelled.abort();
  }

  async run(): Promise<void> {
    const { name } = this.#step;
    if (this.#state.step(name).phase === 'waiting') {
      await this.#state.setStep(name, { phase: 'running', reason: undefined });
    }
    if (this.#state.step(name).attempts.length === 0 && this.#step.skipIfOutputExists) {
      const exist = await this.#world.outputsExist(this.#step, this.#signal);
      if (this.#stop.aborted) {
        return;
      }
      if (exist.kind === 'failed') {
        await this.#over('failed', exist.failure.message);
        return;
      }
      if (exist.kind === 'ok' && exist.value) {
        await this.#over('skipped', message('Its outputs are there already.'));
        return;
      }
    }
    while (!this.#stop.aborted) {
      const last = this.#last;
      if (last?.end === 'complete') {
        await this.#save(last);
        return;
      }
      if (last === undefined || last.end !== undefined) {
        if (last !== undefined && !this.#mayTryAgain(last)) {
          await this.#overAfter(last);
          return;
        }
        if (!(await this.#begin())) {
          return;
        }
      }
      await this.#follow();
    }
  }

  get #last(): Attempt | undefined {
    return this.#state.step(this.#step.name).attempts.at(-1);
  }

  get #signal(): AbortSignal {
    return AbortSignal.any([this.#stop, this.#cancelled.signal]);
  }

  get #isCancelled(): boolean {
    return this.#state.step(this.#step.name).cancel;
  }

  #mayTryAgain({ end }: Attempt): boolean {
    const { attempts } = this.#state.step(this.#step.name);
    const launched = attempts.filter((each) => each.end !== 'neverLaunched').length;
    if (this.#isCancelled) {
      return false;
    }
    return end === 'neverLaunched'
      ? attempts.length - 1 - attempts.findLastIndex((each) => each.end !== 'neverLaunched') < MOST_LAUNCHES
      : end === 'failed' && launched <= this.#step.retries;
  }

  /** Gets a machine, and writes down under which id the job is about to be launched. */
  async #begin(): Promise<boolean> {
    const { name } = this.#step;
    const ready = this.#isCancelled ? undefined : await this.#machines.ready(this.#step);
    if (this.#stop.aborted) {
      return false;
    }
    if (this.#isCancelled) {
      await this.#over('cancelled');
      return false;
    }
    if (ready?.kind === 'failed') {
      await this.#over('failed', ready.failure.message);
      return false;
    }
    if (ready?.kind !== 'ok') {
      await this.#over('failed', message('Its instance was not made.'));
      return false;
    }
    const { attempts } = this.#state.step(name);
    await this.#state.setStep(name, {
      attempts: [
        ...attempts,
        { jobId: this.#world.newJobId(this.#step), startedAt: this.#world.clock.now() },
      ],
    });
    return !this.#stop.aborted;
  }

  /** Submits the job, which does nothing where that was done before, and waits for its end. */
  async #follow(): Promise<void> {
    const attempt = this.#last;
    if (attempt === undefined) {
      return;
    }
    if (attempt.stopping !== undefined || this.#isCancelled) {
      await this.#stopJob(attempt.stopping ?? 'cancel');
      return;
    }
    const { attempts } = this.#state.step(this.#step.name);
    const job = this.#job(attempt);
    const timeout = this.#timeout(attempt);
    const unwanted = AbortSignal.any([this.#cancelled.signal, timeout.signal]);
    try {
      // an executor that ends doesn't take a launch back that is under way: the next one finds the job
      const submitted = await this.#world.submit({ ...job, retryOf: attempts.at(-2)?.jobId }, unwanted);
      if (this.#stop.aborted) {
        return;
      }
      const end =
        submitted.kind === 'ok'
          ? await this.#world.untilEnd(job, AbortSignal.any([this.#stop, unwanted]))
          : submitted;
      if (this.#stop.aborted) {
        return;
      }
      await this.#judge(end, timeout.signal.aborted);
    } finally {
      timeout.clear();
    }
  }

  async #judge(end: Outcome<StepEnd | undefined>, isLate: boolean): Promise<void> {
    const { name } = this.#step;
    switch (end.kind) {
      case 'cancelled':
        await this.#stopJob(isLate ? 'timeout' : 'cancel');
        return;
      case 'failed':
        // nothing was launched
        await this.#state.setAttempt(name, { end: 'failed', saved: true }, { reason: end.failure.message });
        return;
      case 'ok':
        break;
    }
    switch (end.value?.kind) {
      case undefined:
        return;
      case 'complete':
        await this.#state.setAttempt(name, { end: 'complete' }, { phase: 'saving', reason: undefined });
        return;
      case 'cancelled':
        await this.#state.setAttempt(name, { end: 'cancelled' });
        return;
      case 'neverLaunched':
        await this.#state.setAttempt(
          name,
          { end: 'neverLaunched', saved: true },
          { reason: message('Its job could not be launched.') },
        );
        return;
      case 'failed':
      case 'unknown':
        await this.#state.setAttempt(name, { end: end.value.kind }, { reason: end.value.reason });
        return;
    }
  }

  async #stopJob(why: 'cancel' | 'timeout'): Promise<void> {
    const { name } = this.#step;
    await this.#state.setAttempt(name, { stopping: why });
    const attempt = this.#last;
    if (attempt === undefined) {
      return;
    }
    for (let tries = 1; !this.#stop.aborted; tries++) {
      const stopped = await this.#world.cancelJob(this.#job(attempt), this.#stop);
      if (this.#stop.aborted) {
        return;
      }
      if (stopped.kind === 'ok') {
        await this.#state.setAttempt(
          name,
          { end: why === 'cancel' ? 'cancelled' : 'timeout' },
          why === 'timeout' ? { reason: message('It took longer than its timeout.') } : {},
        );
        return;
      }
      const reason =
        stopped.kind === 'failed' ? stopped.failure.message : message('It could not be stopped.');
      if (tries === TRIES) {
        await this.#state.setAttempt(name, { end: 'unknown' }, { reason: reason });
        return;
      }
      await this.#state.setStep(name, { reason: reason });
      await sleep(this.#world.clock, TRY_AGAIN_MS, this.#stop);
    }
  }

  async #save(attempt: Attempt): Promise<void> {
    const { name } = this.#step;
    if (attempt.saved !== true) {
      for (let tries = 1; ; tries++) {
        const saved = await this.#world.saveOutputs({ ...this.#job(attempt), succeeded: true }, this.#stop);
        if (this.#stop.aborted) {
          return;
        }
        if (saved.kind === 'ok') {
          break;
        }
        const reason =
          saved.kind === 'failed' ? saved.failure.message : message('Its outputs were not saved.');
        if (tries === TRIES) {
          await this.#over('failed', reason);
          return;
        }
        await this.#state.setStep(name, { reason: reason });
        await sleep(this.#world.clock, TRY_AGAIN_MS, this.#stop);
      }
    }
    await this.#state.setAttempt(name, { saved: true }, { phase: 'done', reason: undefined });
  }

  async #overAfter({ end }: Attempt): Promise<void> {
    const { reason } = this.#state.step(this.#step.name);
    switch (end) {
      case 'cancelled':
        await this.#over('cancelled');
        return;
      case 'unknown':
        await this.#over('unknown', reason);
        return;
      case 'failed':
      case 'neverLaunched':
      case 'timeout':
        await this.#over(this.#isCancelled ? 'cancelled' : 'failed', reason);
        return;
      case 'complete':
      case undefined:
        return;
    }
  }

  #over(phase: StepPhase, reason?: Message): Promise<void> {
    return this.#state.setStep(this.#step.name, {
      phase,
      reason,
    });
  }

  #job({ jobId }: Attempt): StepJob {
    return { step: this.#step, jobId, instance: this.#machines.nameFor(this.#step) };
  }

  #timeout({ startedAt }: Attempt): { readonly signal: AbortSignal; readonly clear: () => void } {
    const late = new AbortController();
    const { timeoutMs } = this.#step;
    if (timeoutMs === undefined) {
      return { signal: late.signal, clear: () => undefined };
    }
    const { clock } = this.#world;
    const left = startedAt + timeoutMs - clock.now();
    return { signal: late.signal, clear: clock.after(Math.max(0, left), () => late.abort()) };
  }
}
