import { sleep } from '../process/clock.ts';
import { inEnglish, message } from '../values/message.ts';
import { cancelled, failed, type Outcome, ok } from '../values/outcome.ts';
import type { Plan, Step } from './plan.ts';
import { isOver } from './planState.ts';
import type { RunState } from './runState.ts';
import type { World } from './world.ts';

/** When a delete that failed is tried again, and how often. */
const TRY_AGAIN_MS = 10_000;
const TRIES = 5;

/** The machines that a run makes: each once, for the steps that share it, and deleted only when nothing on it is lost. */
export class Machines {
  readonly #plan: Plan;
  readonly #state: RunState;
  readonly #world: World;
  readonly #stop: AbortSignal;
  readonly #log: (line: string) => void;
  readonly #made = new Map<string, Promise<Outcome<string>>>();
  readonly #making = new Map<string, AbortController>();
  readonly #finished = new Map<string, Promise<void>>();

  constructor(options: {
    readonly plan: Plan;
    readonly state: RunState;
    readonly world: World;
    readonly stop: AbortSignal;
    readonly log: (line: string) => void;
  }) {
    this.#plan = options.plan;
    this.#state = options.state;
    this.#world = options.world;
    this.#stop = options.stop;
    this.#log = options.log;
  }

  /** The step that a step's machine is made for; undefined where none is made. */
  static ownerOf({ instance, name }: Step): string | undefined {
    switch (instance?.kind) {
      case 'new':
        return name;
      case 'reuse':
        return instance.owner;
      case 'existing':
      case undefined:
        return undefined;
    }
  }

  /** The instance that a step runs on as far as it is known: undefined on Lepton, and before it was chosen. */
  nameFor(step: Step): string | undefined {
    const owner = Machines.ownerOf(step);
    return owner === undefined
      ? step.instance?.kind === 'existing'
        ? step.instance.instance
        : undefined
      : this.#state.now.machines[owner]?.name;
  }

  /** The instance that a step runs on, made and ready; undefined on Lepton. */
  async ready(step: Step): Promise<Outcome<string | undefined>> {
    const owner = Machines.ownerOf(step);
    if (owner === undefined) {
      return ok(this.nameFor(step));
    }
    const made = this.#made.get(owner) ?? this.#make(owner);
    this.#made.set(owner, made);
    return made;
  }

  /** Ends the making of machines that nobody waits for any more. */
  dropUnwanted(): void {
    for (const [owner, making] of this.#making) {
      if (this.#usersOf(owner).every(({ name }) => this.#state.step(name).cancel || this.#isOut(name))) {
        making.abort();
      }
    }
  }

  /** Saves what is left on the step's machine and deletes it, once all that use it have ended. */
  async finishAfter(step: Step): Promise<void> {
    const owner = Machines.ownerOf(step);
    if (
      this.#stop.aborted ||
      owner === undefined ||
      !this.#usersOf(owner).every(({ name }) => this.#isOut(name))
    ) {
      return;
    }
    const finished = this.#finished.get(owner) ?? this.#finish(owner);
    this.#finished.set(owner, finished);
    await finished;
  }

  #usersOf(owner: string): readonly Step[] {
    return this.#plan.steps.filter((step) => Machines.ownerOf(step) === owner);
  }

  #isOut(name: string): boolean {
    const { phase, wanted } = this.#state.step(name);
    return isOver(phase) || (!wanted && phase === 'waiting');
  }

  async #make(owner: string): Promise<Outcome<string>> {
    const step = this.#plan.steps.find(({ name }) => name === owner);
    if (step === undefined) {
      return failed({
        kind: 'instanceNotFound',
        message: message('There is no step {0}.', owner),
        retrySafe: true,
      });
    }
    const known = this.#state.now.machines[owner];
    if (known === undefined || known.phase === 'deleted') {
      const chosen = await this.#world.chooseMachine(step, this.#plan.name);
      if (chosen.kind !== 'ok') {
        return chosen;
      }
      // before anything is bought: after a crash it is found by this name
      await this.#state.setMachine(owner, { ...chosen.value, phase: 'creating' });
    }
    const machine = this.#state.now.machines[owner];
    if (machine === undefined || this.#stop.aborted) {
      return cancelled;
    }
    const making = new AbortController();
    this.#making.set(owner, making);
    const created = await this.#world.createMachine(machine, AbortSignal.any([this.#stop, making.signal]));
    this.#making.delete(owner);
    if (created.kind !== 'ok' || this.#stop.aborted) {
      return created.kind === 'ok' ? cancelled : created;
    }
    await this.#state.setMachine(owner, { ...machine, phase: 'ready' });
    return ok(machine.name);
  }

  async #finish(owner: string): Promise<void> {
    const machine = this.#state.now.machines[owner];
    if (
      machine === undefined ||
      machine.phase === 'deleted' ||
      machine.phase === 'kept' ||
      this.#stop.aborted
    ) {
      return;
    }
    if (machine.phase !== 'deleting') {
      for (const step of this.#usersOf(owner)) {
        if (!(await this.#nothingIsLost(step, machine.name))) {
          if (!this.#stop.aborted) {
            await this.#state.setMachine(owner, {
              ...machine,
              phase: 'kept',
              reason: message('It is kept, and billing: what {0} left on it is not safe.', step.name),
            });
          }
          return;
        }
      }
      await this.#state.setMachine(owner, { ...machine, phase: 'deleting' });
    }
    for (let tries = 1; !this.#stop.aborted; tries++) {
      const deleted = await this.#world.deleteMachine(machine.name, this.#stop);
      if (this.#stop.aborted) {
        return;
      }
      if (deleted.kind === 'ok') {
        await this.#state.setMachine(owner, { ...machine, phase: 'deleted' });
        return;
      }
      const reason =
        deleted.kind === 'failed' ? deleted.failure.message : message('It could not be deleted.');
      this.#log(`${machine.name} could not be deleted: ${inEnglish(reason)}`);
      if (tries === TRIES) {
        await this.#state.setMachine(owner, { ...machine, phase: 'kept', reason });
        return;
      }
      await sleep(this.#world.clock, TRY_AGAIN_MS, this.#stop);
    }
  }

  /** Whether all that a step's jobs left is in S3 by now. What failed or was cancelled goes to a place of its own. */
  async #nothingIsLost(step: Step, instance: string): Promise<boolean> {
    const { attempts, phase } = this.#state.step(step.name);
    if (phase === 'unknown') {
      // its job may be running there
      return false;
    }
    for (const [index, { end, jobId, saved }] of attempts.entries()) {
      if (saved !== true && end === 'complete') {
        return false;
      }
      if (saved !== true) {
        const outcome = await this.#world.saveOutputs(
          { step, jobId, instance, succeeded: false },
          this.#stop,
        );
        if (this.#stop.aborted || outcome.kind !== 'ok') {
          return false;
        }
        const now = this.#state.step(step.name).attempts;
        await this.#state.setStep(step.name, {
          attempts: now.map((each, at) => (at === index ? { ...each, saved: true } : each)),
        });
      }
    }
    return true;
  }
}
