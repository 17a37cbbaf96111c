import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { systemClock } from '../../process/clock.ts';
import { type Lease, takeLease } from '../../process/lease.ts';
import { Emitter, type Listen } from '../../values/emitter.ts';
import type { Failure } from '../../values/failure.ts';
import { message } from '../../values/message.ts';
import { failed, type Outcome, ok } from '../../values/outcome.ts';
import type { Plan } from '../../workflow/plan.ts';
import { PlanRun } from '../../workflow/planRun.ts';
import { beginState, type PlanState, type RunWish } from '../../workflow/planState.ts';
import { readPlan } from '../../workflow/readPlan.ts';
import { StateFile, stateFileOf } from '../../workflow/stateFile.ts';
import type { World } from '../../workflow/world.ts';
import type { Parts } from '../parts.ts';
import { activePlans, rememberPlan } from './activePlans.ts';
import { contextOf, worldOf } from './planSurroundings.ts';

/** When a window looks again whether the one that runs a plan is gone. */
const TAKE_OVER_MS = 10_000;

interface Running {
  readonly run: PlanRun;
  readonly stop: AbortController;
}

export interface PlanEnded {
  readonly uri: vscode.Uri;
  readonly state: PlanState;
}

/** The plans that this window runs. Of several windows one runs a plan: who holds its lease. */
export class PlanRuns implements vscode.Disposable {
  readonly #parts: Parts;
  readonly #folder: string;
  readonly #running = new Map<string, Running>();
  readonly #changes = new Emitter<vscode.Uri>();
  readonly #ends = new Emitter<PlanEnded>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #disposed = false;

  readonly onChange: Listen<vscode.Uri> = this.#changes.listen;
  /** Told once, in the window that ran it. */
  readonly onEnd: Listen<PlanEnded> = this.#ends.listen;

  constructor(parts: Parts, folder: string) {
    this.#parts = parts;
    this.#folder = folder;
  }

  /** The state of a plan that runs in this window. */
  running(uri: vscode.Uri): PlanState | undefined {
    return this.#running.get(uri.toString())?.run.state;
  }

  get all(): readonly { readonly uri: vscode.Uri; readonly state: PlanState }[] {
    return [...this.#running].map(([key, { run }]) => ({ uri: vscode.Uri.parse(key), state: run.state }));
  }

  /** The state of a plan, running here or not; undefined when it never ran. */
  async state(uri: vscode.Uri): Promise<Outcome<PlanState | undefined>> {
    const running = this.running(uri);
    if (running !== undefined || uri.scheme !== 'file') {
      return ok(running);
    }
    const reading = await stateFile(uri).read();
    switch (reading.kind) {
      case 'none':
        return ok(undefined);
      case 'read':
        return ok(reading.state);
      case 'unreadable':
        return failed({
          kind: 'localFile',
          message: message(
            '{0} is no state of a plan that can be read. Move it away to begin again.',
            stateFileOf(uri.fsPath),
          ),
          retrySafe: true,
          detail: reading.reason,
        });
    }
  }

  /** Begins a run; it goes on in the background. */
  async start(
    uri: vscode.Uri,
    plan: Plan,
    wish: RunWish,
    world: World = worldOf(this.#parts, uri),
  ): Promise<Outcome<void>> {
    const lease = await this.#lease(uri);
    if (lease === undefined) {
      return failed(elsewhere(plan.name));
    }
    const before = await this.state(uri);
    if (before.kind !== 'ok') {
      await lease.release();
      return before;
    }
    this.#begin(uri, plan, beginState(plan, before.value, wish, systemClock.now()), world, lease);
    return ok(undefined);
  }

  /** Cancels a step of a plan that runs here, or all of it. False when it doesn't run here. */
  async cancel(uri: vscode.Uri, step?: string): Promise<boolean> {
    const running = this.#running.get(uri.toString());
    await running?.run.cancel(step);
    return running !== undefined;
  }

  /** Goes on with the plans that were running when their window was closed. */
  async continueAll(): Promise<void> {
    for (const key of activePlans(this.#parts.memory)) {
      await this.#continue(vscode.Uri.parse(key));
    }
  }

  dispose(): void {
    this.#disposed = true;
    for (const timer of this.#timers) {
      clearTimeout(timer);
    }
    for (const { stop } of this.#running.values()) {
      stop.abort();
    }
  }

  async #continue(uri: vscode.Uri): Promise<void> {
    if (this.#disposed || this.#running.has(uri.toString())) {
      return;
    }
    const lease = await this.#lease(uri);
    if (lease === undefined) {
      // another window has it; should that be closed, this one goes on
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        this.#continue(uri).catch((error: unknown) => this.#log(uri, error));
      }, TAKE_OVER_MS);
      this.#timers.add(timer);
      return;
    }
    const state = await this.state(uri);
    if (state.kind !== 'ok' || state.value === undefined || state.value.ended !== undefined) {
      await lease.release();
      await rememberPlan(this.#parts.memory, uri, false);
      return;
    }
    const read = await this.#read(uri);
    if (read === undefined) {
      await lease.release();
      await rememberPlan(this.#parts.memory, uri, false);
      void vscode.window.showWarningMessage(
        vscode.l10n.t(
          '{0} cannot go on: {1} is gone. What it has launched goes on; cancel that in the Jobs view.',
          state.value.plan,
          uri.fsPath,
        ),
      );
      return;
    }
    const { plan } = read;
    const vanished = Object.keys(state.value.steps).filter(
      (name) => plan?.steps.every((step) => step.name !== name) !== false,
    );
    if (plan === undefined || vanished.length > 0) {
      await lease.release();
      this.#log(uri, 'the plan was changed so that it cannot go on');
      void vscode.window.showWarningMessage(
        vscode.l10n.t('{0} cannot go on: the plan was changed. Open it to see why.', state.value.plan),
      );
      return;
    }
    // steps that are new since then wait for a run of their own
    const fresh = beginState(plan, undefined, { kind: 'anew' }, systemClock.now());
    const steps = { ...fresh.steps };
    for (const name of Object.keys(steps)) {
      const known = state.value.steps[name];
      const added = steps[name];
      if (known !== undefined) {
        steps[name] = known;
      } else if (added !== undefined) {
        steps[name] = { ...added, wanted: false };
      }
    }
    this.#begin(uri, plan, { ...state.value, steps }, worldOf(this.#parts, uri), lease);
  }

  /** Undefined when there is no such file any more. */
  async #read(uri: vscode.Uri): Promise<{ readonly plan: Plan | undefined } | undefined> {
    try {
      const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
      return await readPlan(text, await contextOf(this.#parts, uri));
    } catch (error) {
      if (error instanceof vscode.FileSystemError) {
        return error.code === 'FileNotFound' ? undefined : { plan: undefined };
      }
      throw error;
    }
  }

  #begin(uri: vscode.Uri, plan: Plan, state: PlanState, world: World, lease: Lease): void {
    const run = new PlanRun({
      plan,
      state,
      world,
      store: stateFile(uri),
      log: (line) => this.#parts.log.warn(line),
    });
    const stop = new AbortController();
    this.#running.set(uri.toString(), { run, stop });
    const note = ({ steps }: PlanState): void => {
      for (const { jobId } of Object.values(steps).flatMap(({ attempts }) => attempts)) {
        this.#parts.plannedJobs.add(jobId);
      }
    };
    note(state);
    run.onChange((now) => {
      note(now);
      this.#changes.emit(uri);
    });
    this.#changes.emit(uri);
    this.#bring(uri, run, stop.signal, lease).catch((error: unknown) => this.#log(uri, error));
  }

  async #bring(uri: vscode.Uri, run: PlanRun, stop: AbortSignal, lease: Lease): Promise<void> {
    await rememberPlan(this.#parts.memory, uri, true);
    try {
      const ended = await run.run(stop);
      if (ended !== undefined) {
        await rememberPlan(this.#parts.memory, uri, false);
        this.#running.delete(uri.toString());
        this.#ends.emit({ uri, state: run.state });
      }
    } finally {
      this.#running.delete(uri.toString());
      await lease.release();
      this.#changes.emit(uri);
    }
  }

  async #lease(uri: vscode.Uri): Promise<Lease | undefined> {
    await mkdir(this.#folder, { recursive: true });
    const key = createHash('sha256').update(uri.toString()).digest('hex').slice(0, 32);
    return this.#running.has(uri.toString()) ? undefined : takeLease(path.join(this.#folder, `${key}.lease`));
  }

  #log(uri: vscode.Uri, error: unknown): void {
    this.#parts.log.error(`the plan ${uri.fsPath}: ${String(error)}`);
  }
}

function stateFile(uri: vscode.Uri): StateFile {
  return new StateFile(stateFileOf(uri.fsPath));
}

function elsewhere(plan: string): Failure {
  return {
    kind: 'unexpected',
    message: message('{0} is running already, here or in another window.', plan),
    retrySafe: true,
  };
}
