import { randomBytes } from 'node:crypto';
import type { Brev } from '../brev/brev.ts';
import type { CreateType, Placement } from '../brev/create.ts';
import { deleteInstance } from '../brev/lifecycle.ts';
import { createInstance } from '../instances/creation.ts';
import type { Instance } from '../instances/instance.ts';
import type { Offers } from '../instances/offers.ts';
import { type ReadinessSettings, waitUntilReady } from '../instances/readiness.ts';
import type { InstanceStore } from '../instances/store.ts';
import type { Clock } from '../process/clock.ts';
import type { Failure } from '../values/failure.ts';
import { message } from '../values/message.ts';
import { cancelled, failed, type Outcome, ok } from '../values/outcome.ts';
import { fittingTypes } from './fittingTypes.ts';
import type { Step } from './plan.ts';
import type { StepPrice } from './world.ts';

export interface StepMachinesOptions {
  readonly clock: Clock;
  readonly brev: Pick<Brev, 'execute' | 'dialect'>;
  readonly store: InstanceStore;
  readonly offers: Pick<Offers, 'load' | 'known'>;
  readonly readiness: () => ReadinessSettings;
  readonly placement: () => Promise<Placement | undefined>;
}

/** How long the list may still have a machine whose deletion was accepted. */
const GONE_WITHIN_MS = 10 * 60_000;

/** The instances that the steps of a plan run on, by the CLI. */
export class StepMachines {
  readonly #options: StepMachinesOptions;

  constructor(options: StepMachinesOptions) {
    this.#options = options;
  }

  async choose(step: Step, planName: string): Promise<Outcome<{ name: string; types: string[] }>> {
    const types = await this.types(step);
    const clean = `${planName}-${step.name}`.replace(/[^A-Za-z0-9-]+/g, '-').slice(0, 45);
    return types.kind === 'ok'
      ? ok({ name: `flow-${clean}-${randomBytes(2).toString('hex')}`.toLowerCase(), types: [...types.value] })
      : types;
  }

  /** Makes the machine, or finds it, and waits until a job can be launched on it. */
  async create(
    { name, types }: { name: string; types: readonly string[] },
    signal: AbortSignal,
  ): Promise<Outcome<void>> {
    const { brev, clock, offers, placement, readiness, store } = this.#options;
    const existing = await this.#named(name);
    if (existing.kind !== 'ok') {
      return existing;
    }
    let instance = existing.value;
    if (instance === undefined) {
      await offers.load();
      const [first, ...others] = types.map((type): CreateType => ({ type, gpu: offers.known(type)?.gpu }));
      if (first === undefined) {
        return failed(noType());
      }
      const request = { name, types: [first, ...others] } as const;
      const creation = await createInstance(brev, store, request, await placement(), signal, clock);
      switch (creation.kind) {
        case 'created':
          instance = creation.instance;
          break;
        case 'createdAnyway':
          if (creation.because === 'cancelled') {
            return cancelled;
          }
          instance = creation.instance;
          break;
        case 'notCreated':
          return creation.because === 'cancelled' ? cancelled : failed(creation.because);
        case 'unknown':
          return failed(creation.because);
      }
    }
    const ready = await waitUntilReady(
      { brev, store, clock, settings: readiness },
      instance.id,
      () => undefined,
      signal,
    );
    switch (ready.kind) {
      case 'ready':
        return ok(undefined);
      case 'notReady':
        return failed(ready.because);
      case 'cancelled':
        return cancelled;
    }
  }

  /** Ok too when there is none of that name. */
  async delete(name: string, signal: AbortSignal): Promise<Outcome<void>> {
    const { brev, clock, store } = this.#options;
    const existing = await this.#named(name);
    if (existing.kind !== 'ok' || existing.value === undefined) {
      return existing.kind === 'ok' ? ok(undefined) : existing;
    }
    if (existing.value.status !== 'deleting') {
      const command = deleteInstance(existing.value.id);
      const accepted = command.kind === 'ok' ? await brev.execute(command.value, signal) : command;
      if (
        accepted.kind !== 'ok' &&
        !(accepted.kind === 'failed' && accepted.failure.kind === 'instanceNotFound')
      ) {
        return accepted;
      }
    }
    const late = new AbortController();
    const stopClock = clock.after(GONE_WITHIN_MS, () => late.abort());
    const gone = await store.whenNameIsFree(name, AbortSignal.any([signal, late.signal]));
    stopClock();
    return gone
      ? ok(undefined)
      : signal.aborted
        ? cancelled
        : failed({
            kind: 'notStoppable',
            message: message(
              '{0} was to be deleted, but Brev still lists it. It may still be billing.',
              name,
            ),
            action: 'openConsole',
            retrySafe: true,
          });
  }

  async price(step: Step): Promise<StepPrice> {
    const { offers } = this.#options;
    if (step.platform === 'lepton') {
      return { pricePerHour: undefined, what: step.shape ?? '' };
    }
    const loaded = await offers.load();
    const types = await this.#typesOf(step);
    if (loaded.kind !== 'ok' || types.length === 0) {
      return { pricePerHour: undefined, what: types[0] ?? '' };
    }
    // of several types that may be tried the dearest one counts
    const prices = types.map((type) => offers.known(type)?.pricePerHour);
    const known = prices.filter((price) => price !== undefined);
    return {
      pricePerHour: known.length === prices.length ? Math.max(...known) : undefined,
      what: types.join(', '),
    };
  }

  async #typesOf(step: Step): Promise<readonly string[]> {
    if (step.instance?.kind === 'existing') {
      const found = await this.existing(step.instance.instance);
      return found.kind === 'ok' ? [found.value.type] : [];
    }
    const types = await this.types(step);
    return types.kind === 'ok' ? types.value : [];
  }

  /** The types that are to be tried for the step, the best first. */
  async types(step: Step): Promise<Outcome<readonly string[]>> {
    if (step.instance?.kind === 'new' && step.instance.types.length > 0) {
      return ok(step.instance.types);
    }
    const loaded = await this.#options.offers.load();
    if (loaded.kind !== 'ok') {
      return loaded;
    }
    const types = fittingTypes(loaded.value, step);
    return types.length === 0 ? failed(noType()) : ok(types);
  }

  /** By name or id, in a fresh list. */
  async existing(nameOrId: string): Promise<Outcome<Instance>> {
    const listed = await this.#options.store.refresh();
    if (listed.kind !== 'ok') {
      return listed;
    }
    const instance =
      listed.value.find(({ id }) => id === nameOrId) ?? listed.value.find(({ name }) => name === nameOrId);
    return instance === undefined
      ? failed({
          kind: 'instanceNotFound',
          message: message('There is no instance {0} (any more).', nameOrId),
          action: 'refresh',
          retrySafe: true,
        })
      : ok(instance);
  }

  async #named(name: string): Promise<Outcome<Instance | undefined>> {
    const found = await this.existing(name);
    return found.kind === 'failed' && found.failure.kind === 'instanceNotFound' ? ok(undefined) : found;
  }
}

function noType(): Failure {
  return {
    kind: 'unknownType',
    message: message('No type of instance that Brev offers now is large enough for the step.'),
    action: 'pickOffer',
    retrySafe: true,
  };
}
