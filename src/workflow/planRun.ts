import type { Listen } from '../values/emitter.ts';
import { message } from '../values/message.ts';
import { Machines } from './machines.ts';
import type { Plan, Step } from './plan.ts';
import { isDone, isOver, type PlanState } from './planState.ts';
import { RunState } from './runState.ts';
import type { StateStore } from './stateFile.ts';
import { StepRun } from './stepRun.ts';
import type { World } from './world.ts';

export interface PlanRunOptions {
  readonly plan: Plan;
  /** As planState.ts begins it, or as an earlier executor left it. */
  readonly state: PlanState;
  readonly world: World;
  readonly store: StateStore;
  readonly log: (line: string) => void;
}

/**
 * Brings a plan to its end. It may be killed at any line and begun again with the state that it wrote: what is about to
 * be done is written before, under a name of its own, so that the next one asks for the same thing again.
 */
export class PlanRun {
  readonly #options: PlanRunOptions;
  readonly #state: RunState;
  readonly #steps = new Map<string, StepRun>();
  #machines: Machines | undefined;

  readonly onChange: Listen<PlanState>;

  constructor(options: PlanRunOptions) {
    this.#options = options;
    this.#state = new RunState(options.state, options.store, options.world.clock, options.log);
    this.onChange = this.#state.onChange;
  }

  get state(): PlanState {
    return this.#state.now;
  }

  /** Runs until nothing is left to do; undefined when the signal ended it before. That cancels nothing. */
  async run(stop: AbortSignal): Promise<PlanState['ended']> {
    const { log, plan, world } = this.#options;
    this.#state.endWith(stop);
    const machines = new Machines({ plan, state: this.#state, world, stop, log });
    this.#machines = machines;
    for (const step of plan.steps) {
      this.#steps.set(step.name, new StepRun({ step, state: this.#state, world, machines, stop }));
    }
    // from here on another one can go on
    await this.#state.save();
    const begun = new Map<string, Promise<void>>();
    const begin = (step: Step): Promise<void> => {
      const known = begun.get(step.name) ?? this.#bring(step, begin, stop);
      begun.set(step.name, known);
      return known;
    };
    // what comes after a step doesn't wait until its machine is gone
    await Promise.all(plan.steps.map((step) => begin(step).then(() => machines.finishAfter(step))));
    if (stop.aborted) {
      return undefined;
    }
    const ended = endOf(this.#state.now);
    await this.#state.set({ ended });
    return stop.aborted ? undefined : ended;
  }

  /** Cancels a step, or all that haven't ended. What it left is saved, and its machine deleted, as after every end. */
  async cancel(name?: string): Promise<void> {
    const names = Object.entries(this.#state.now.steps).flatMap(([each, { phase, wanted }]) =>
      (name === undefined || each === name) && wanted && !isOver(phase) ? [each] : [],
    );
    const waiting = names.filter((each) => this.#state.step(each).phase === 'waiting');
    await Promise.all([
      this.#state.setSteps(names, { cancel: true }),
      this.#state.setSteps(waiting, { phase: 'cancelled' }),
    ]);
    for (const each of names) {
      this.#steps.get(each)?.cancel();
    }
    this.#machines?.dropUnwanted();
  }

  async #bring(step: Step, begin: (step: Step) => Promise<void>, stop: AbortSignal): Promise<void> {
    const needed = this.#options.plan.steps.filter(({ name }) => step.needs.includes(name));
    await Promise.all(needed.map(begin));
    if (stop.aborted) {
      return;
    }
    const { phase, wanted } = this.#state.step(step.name);
    if (wanted && !isOver(phase)) {
      const obstacle = needed.find(({ name }) => !isDone(this.#state.step(name).phase));
      if (obstacle === undefined) {
        await this.#steps.get(step.name)?.run();
      } else {
        const reason = message('{0} did not succeed.', obstacle.name);
        await this.#state.setStep(step.name, { phase: 'blocked', reason });
      }
    }
  }
}

function endOf({ steps }: PlanState): NonNullable<PlanState['ended']> {
  const phases = Object.values(steps).flatMap(({ phase, wanted }) => (wanted ? [phase] : []));
  return phases.every(isDone)
    ? 'complete'
    : phases.some((phase) => phase === 'failed' || phase === 'unknown') || !phases.includes('cancelled')
      ? 'failed'
      : 'cancelled';
}
