import type { Brev } from '../brev/brev.ts';
import { ls } from '../brev/ls.ts';
import { listOrganisations } from '../brev/organisations.ts';
import { search } from '../brev/search.ts';
import type { Clock } from '../process/clock.ts';
import { Emitter, type Listen, type Unsubscribe } from '../values/emitter.ts';
import type { Failure } from '../values/failure.ts';
import { message } from '../values/message.ts';
import { cancelled, failed, type Outcome, ok } from '../values/outcome.ts';
import { type Instance, isInTransition, sameInstance, toInstance } from './instance.ts';
import { Poller } from './poller.ts';

/** What is known about the instances. A failed refresh keeps the last good list. */
export type Listing =
  | { readonly kind: 'unknown' }
  | {
      readonly kind: 'listed';
      readonly instances: readonly Instance[];
      readonly at: number;
      readonly unreadable: number;
    }
  | {
      readonly kind: 'stale';
      readonly instances: readonly Instance[];
      readonly at: number;
      readonly failure: Failure;
    }
  | { readonly kind: 'failed'; readonly failure: Failure };

export interface InstancesChange {
  readonly added: readonly Instance[];
  readonly changed: readonly { readonly before: Instance; readonly after: Instance }[];
  readonly removed: readonly Instance[];
  /** True when freshness or failure changed, and not only rows. */
  readonly listing: boolean;
}

export interface StoreOptions {
  readonly brev: Pick<Brev, 'execute' | 'dialect'>;
  readonly clock: Clock;
  readonly intervals: () => { readonly steadyMs: number; readonly transitionMs: number };
}

/** The one truth about the instances: it polls while somebody watches, and tells what changed. */
export class InstanceStore {
  readonly #options: StoreOptions;
  readonly #changes = new Emitter<InstancesChange>();
  readonly #poller: Poller;
  readonly #abort = new AbortController();
  readonly #expecting = new Map<string, () => boolean>();
  #watchers = 0;
  /** Counts what was forgotten: a list that was asked for before belongs to another account. */
  #era = 0;
  #listing: Listing = { kind: 'unknown' };

  readonly onChange: Listen<InstancesChange> = this.#changes.listen;

  constructor(options: StoreOptions) {
    this.#options = options;
    this.#poller = new Poller({
      clock: options.clock,
      poll: () => this.#refresh(),
      intervalMs: () => this.#intervalMs(),
    });
  }

  get listing(): Listing {
    return this.#listing;
  }

  get instances(): readonly Instance[] {
    switch (this.#listing.kind) {
      case 'listed':
      case 'stale':
        return this.#listing.instances;
      case 'unknown':
      case 'failed':
        return [];
    }
  }

  /** True while polling rests until the user has done something, such as signing in. */
  get needsUser(): boolean {
    return needsUser(this.#listing);
  }

  find(id: string): Instance | undefined {
    return this.instances.find((instance) => instance.id === id);
  }

  /** Polls as long as someone watches, such as a visible view or a running job. */
  watch(): Unsubscribe {
    let watching = true;
    this.#watchers++;
    this.#poller.reschedule();
    return () => {
      if (watching) {
        watching = false;
        this.#watchers--;
        this.#poller.reschedule();
      }
    };
  }

  /** Looks often until `done`: a state that was just asked for may not show in the list at once. */
  expect(key: string, done: () => boolean): Unsubscribe {
    this.#expecting.set(key, done);
    this.#poller.reschedule();
    return () => this.#expecting.delete(key);
  }

  /** Lists now and gives the answer of a listing that began after this call. */
  async refresh(): Promise<Outcome<readonly Instance[]>> {
    await this.#poller.pollNow();
    if (this.#abort.signal.aborted) {
      // nothing is listed any more: the last list is no answer
      return cancelled;
    }
    switch (this.#listing.kind) {
      case 'listed':
        return ok(this.#listing.instances);
      case 'stale':
      case 'failed':
        return failed(this.#listing.failure);
      case 'unknown':
        return cancelled;
    }
  }

  /** Resolves with true when no instance has the name any more; with false when the signal came first. */
  whenNameIsFree(name: string, signal: AbortSignal): Promise<boolean> {
    const isFree = (): boolean =>
      this.#listing.kind === 'listed' && !this.#listing.instances.some((instance) => instance.name === name);
    if (signal.aborted) {
      return Promise.resolve(false);
    }
    return new Promise((resolve) => {
      const stopExpecting = this.expect(`free:${name}`, () => signal.aborted || isFree());
      const end = (free: boolean): void => {
        stopExpecting();
        unsubscribe();
        signal.removeEventListener('abort', cancel);
        resolve(free);
      };
      const cancel = (): void => end(false);
      const unsubscribe = this.onChange(() => {
        if (isFree()) {
          end(true);
        }
      });
      signal.addEventListener('abort', cancel, { once: true });
      void this.refresh().then(() => {
        if (isFree()) {
          end(true);
        }
      });
    });
  }

  /** Lists now if somebody watches, as after the window got the focus again or the computer woke up. */
  lookSoon(): void {
    if (this.#watchers > 0 || this.#intervalMs() !== undefined) {
      void this.#poller.pollNow();
    }
  }

  /** Forgets everything, as after a change of account or organisation. */
  forget(): void {
    const removed = this.instances;
    this.#era++;
    this.#listing = { kind: 'unknown' };
    this.#changes.emit({ added: [], changed: [], removed, listing: true });
  }

  dispose(): void {
    this.#poller.dispose();
    this.#abort.abort();
  }

  #intervalMs(): number | undefined {
    for (const [key, done] of this.#expecting) {
      if (done()) {
        this.#expecting.delete(key);
      }
    }
    if (this.needsUser) {
      return undefined;
    }
    const moving = this.#expecting.size > 0 || this.instances.some(isInTransition);
    if (this.#watchers === 0 && !moving) {
      return undefined;
    }
    const { steadyMs, transitionMs } = this.#options.intervals();
    return moving ? transitionMs : steadyMs;
  }

  async #refresh(): Promise<void> {
    const era = this.#era;
    const answer = await this.#options.brev.execute(ls(), this.#abort.signal);
    if (answer.kind === 'cancelled' || era !== this.#era) {
      return;
    }
    if (answer.kind === 'failed') {
      this.#fail(answer.failure);
      return;
    }
    const instances = uniqueById(answer.value.rows.map(toInstance));
    if (instances.length === 0 && this.instances.some((instance) => instance.status !== 'deleting')) {
      const confirmed = await this.#confirmEmpty();
      if (confirmed.kind === 'cancelled' || era !== this.#era) {
        return;
      }
      if (confirmed.kind === 'failed') {
        this.#fail(confirmed.failure);
        return;
      }
    }
    this.#accept({
      kind: 'listed',
      instances,
      at: this.#options.clock.now(),
      unreadable: answer.value.unreadable,
    });
  }

  /**
   * `{"workspaces": null}` stands for none, and for a captive portal's HTML page (brev-cli.md part 3). Where there
   * were instances a moment ago it counts only if the account still has organisations, and if a search, which such a
   * page breaks (part 4), works.
   */
  async #confirmEmpty(): Promise<Outcome<void>> {
    const dialect = await this.#options.brev.dialect();
    if (dialect.kind !== 'ok') {
      return dialect;
    }
    const [organisations, offers] = await Promise.all([
      this.#options.brev.execute(listOrganisations(dialect.value), this.#abort.signal),
      this.#options.brev.execute(search('cpu'), this.#abort.signal),
    ]);
    if (organisations.kind === 'cancelled' || offers.kind === 'cancelled') {
      return cancelled;
    }
    return organisations.kind === 'ok' && organisations.value.length > 0 && offers.kind === 'ok'
      ? ok(undefined)
      : failed({
          kind: 'unreadableAnswer',
          message: message(
            'Brev answered with an empty list that it could not confirm. A network login page can cause that.',
          ),
          action: 'refresh',
          retrySafe: true,
        });
  }

  #fail(failure: Failure): void {
    const last = this.#listing;
    if (last.kind === 'listed' || last.kind === 'stale') {
      this.#accept({ kind: 'stale', instances: last.instances, at: last.at, failure });
    } else {
      this.#accept({ kind: 'failed', failure });
    }
  }

  #accept(next: Listing): void {
    const before = new Map(this.instances.map((instance) => [instance.id, instance]));
    const previous = this.#listing;
    this.#listing = next;
    const added: Instance[] = [];
    const changed: { before: Instance; after: Instance }[] = [];
    for (const instance of this.instances) {
      const old = before.get(instance.id);
      before.delete(instance.id);
      if (old === undefined) {
        added.push(instance);
      } else if (!sameInstance(old, instance)) {
        changed.push({ before: old, after: instance });
      }
    }
    const removed = [...before.values()];
    const listing = previous.kind !== next.kind || failureKind(previous) !== failureKind(next);
    if (listing || added.length > 0 || changed.length > 0 || removed.length > 0) {
      this.#changes.emit({ added, changed, removed, listing });
    }
  }
}

/** Failures that polling can't cure: it goes on when the user has done something. */
function needsUser(listing: Listing): boolean {
  const kind = failureKind(listing);
  return (
    kind === 'signedOut' || kind === 'tokenStale' || kind === 'cliMissing' || kind === 'cliNotExecutable'
  );
}

function failureKind(listing: Listing): Failure['kind'] | undefined {
  return listing.kind === 'stale' || listing.kind === 'failed' ? listing.failure.kind : undefined;
}

function uniqueById(instances: readonly Instance[]): Instance[] {
  return [...new Map(instances.map((instance) => [instance.id, instance])).values()];
}
