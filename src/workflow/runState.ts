import { type Clock, sleep } from '../process/clock.ts';
import { Emitter, type Listen } from '../values/emitter.ts';
import type { Attempt, Machine, PlanState, StepState } from './planState.ts';
import type { StateStore } from './stateFile.ts';

/** When a state that could not be written, as on a full disk, is written again. */
const TRY_AGAIN_MS = 5_000;

/** The state of a run, in memory and on the disk. A change has happened when its promise is resolved. */
export class RunState {
  readonly #store: StateStore;
  readonly #clock: Clock;
  readonly #log: (line: string) => void;
  readonly #changes = new Emitter<PlanState>();
  #state: PlanState;
  #writing: Promise<void> = Promise.resolve();
  #stop: AbortSignal | undefined;

  readonly onChange: Listen<PlanState> = this.#changes.listen;

  constructor(state: PlanState, store: StateStore, clock: Clock, log: (line: string) => void) {
    this.#state = state;
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
  }

  get now(): PlanState {
    return this.#state;
  }

  /** With the signal nothing is written any more. */
  endWith(stop: AbortSignal): void {
    this.#stop = stop;
  }

  step(name: string): StepState {
    const step = this.#state.steps[name];
    if (step === undefined) {
      throw new Error(`the state has no step ${name}`);
    }
    return step;
  }

  setStep(name: string, change: Partial<StepState>): Promise<void> {
    return this.setSteps([name], change);
  }

  setSteps(names: readonly string[], change: Partial<StepState>): Promise<void> {
    const steps = { ...this.#state.steps };
    for (const name of names) {
      steps[name] = { ...this.step(name), ...change, changedAt: this.#clock.now() };
    }
    return this.set({ steps });
  }

  /** Changes the last attempt of a step, and the step with it. */
  setAttempt(name: string, change: Partial<Attempt>, ofStep: Partial<StepState> = {}): Promise<void> {
    const { attempts } = this.step(name);
    const last = attempts.at(-1);
    return this.setStep(name, {
      ...ofStep,
      attempts: last === undefined ? attempts : [...attempts.slice(0, -1), { ...last, ...change }],
    });
  }

  setMachine(owner: string, machine: Machine): Promise<void> {
    return this.set({ machines: { ...this.#state.machines, [owner]: machine } });
  }

  async set(change: Partial<PlanState>): Promise<void> {
    this.#state = { ...this.#state, ...change };
    this.#changes.emit(this.#state);
    await this.save();
  }

  /** Resolves when everything until now is on the disk; what can't be written is tried again. */
  save(): Promise<void> {
    this.#writing = this.#writing.then(async () => {
      while (!this.#stop?.aborted) {
        try {
          await this.#store.write(this.#state);
          return;
        } catch (error) {
          this.#log(`the state of ${this.#state.plan} could not be written: ${String(error)}`);
        }
        await sleep(this.#clock, TRY_AGAIN_MS, this.#stop);
      }
    });
    return this.#writing;
  }
}
