import * as vscode from 'vscode';
import { Emitter, type Listen } from '../../values/emitter.ts';
import type { PlanProblem, PlanReading } from '../../workflow/plan.ts';
import type { PlanState } from '../../workflow/planState.ts';
import { readPlan } from '../../workflow/readPlan.ts';
import { stateProblems } from '../../workflow/stateProblems.ts';
import type { StepCheck } from '../../workflow/world.ts';
import type { Parts } from '../parts.ts';
import { isPlanFile } from './planName.ts';
import type { PlanRuns } from './planRuns.ts';
import { contextOf } from './planSurroundings.ts';

/** How long nothing must be typed before a plan is read. */
const SETTLE_MS = 300;

/** What is known of a plan that is open. */
export interface PlanLook {
  readonly reading: PlanReading;
  readonly state: PlanState | undefined;
  readonly isRunning: boolean;
}

/** The plans in the editors, read as they are typed. */
export class OpenPlans implements vscode.Disposable {
  readonly #parts: Parts;
  readonly #runs: PlanRuns;
  readonly #looks = new Map<string, PlanLook>();
  /** What was found before a run, until the plan is changed. */
  readonly #failedChecks = new Map<string, readonly StepCheck[]>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #changes = new Emitter<vscode.Uri>();
  readonly #subscriptions: vscode.Disposable;

  readonly onChange: Listen<vscode.Uri> = this.#changes.listen;

  constructor(parts: Parts, runs: PlanRuns) {
    this.#parts = parts;
    this.#runs = runs;
    this.#subscriptions = vscode.Disposable.from(
      vscode.window.onDidChangeVisibleTextEditors((editors) => this.#see(editors)),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (isPlanFile(document.uri) && contentChanges.length > 0) {
          this.#failedChecks.delete(document.uri.toString());
          this.#lookLater(document, SETTLE_MS);
        }
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#forget(uri)),
      // a spec beside it may have come or gone, another window may have run it
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) {
          this.#see(vscode.window.visibleTextEditors);
        }
      }),
      vscode.workspace.onDidSaveTextDocument(() => this.#see(vscode.window.visibleTextEditors)),
      new vscode.Disposable(runs.onChange((uri) => this.#update(uri))),
    );
    this.#see(vscode.window.visibleTextEditors);
  }

  known(uri: vscode.Uri): PlanLook | undefined {
    return this.#looks.get(uri.toString());
  }

  /** Everything that is wrong with a plan, at its place. */
  problems(uri: vscode.Uri): readonly PlanProblem[] {
    const look = this.known(uri);
    if (look === undefined) {
      return [];
    }
    const { reading, state } = look;
    const checks = (this.#failedChecks.get(uri.toString()) ?? []).flatMap(
      ({ sentence, step }): readonly PlanProblem[] => {
        const place = reading.places.find(({ name }) => name === step)?.place;
        return place === undefined ? [] : [{ severity: 'error', problem: sentence, place, step }];
      },
    );
    const ofState =
      reading.plan === undefined || state === undefined ? [] : stateProblems(reading.plan, state);
    return [...reading.problems, ...ofState, ...checks];
  }

  /** Reads a plan now, open or not. */
  async look(uri: vscode.Uri): Promise<PlanLook> {
    const document = await vscode.workspace.openTextDocument(uri);
    return this.#lookAt(document);
  }

  /** Shows what a check found at its step, until the plan is changed. */
  showChecks(uri: vscode.Uri, checks: readonly StepCheck[]): void {
    this.#failedChecks.set(
      uri.toString(),
      checks.filter(({ state }) => state === 'failed'),
    );
    this.#changes.emit(uri);
  }

  dispose(): void {
    for (const timer of this.#timers.values()) {
      clearTimeout(timer);
    }
    this.#subscriptions.dispose();
  }

  #see(editors: readonly vscode.TextEditor[]): void {
    for (const { document } of editors) {
      if (isPlanFile(document.uri)) {
        this.#lookLater(document, 0);
      }
    }
  }

  #lookLater(document: vscode.TextDocument, ms: number): void {
    const key = document.uri.toString();
    clearTimeout(this.#timers.get(key));
    this.#timers.set(
      key,
      setTimeout(() => {
        this.#timers.delete(key);
        this.#lookAt(document).catch((error: unknown) =>
          this.#parts.log.error(`${key} as a plan: ${String(error)}`),
        );
      }, ms),
    );
  }

  async #lookAt(document: vscode.TextDocument): Promise<PlanLook> {
    const { uri, version } = document;
    const reading = await readPlan(document.getText(), await contextOf(this.#parts, uri));
    const state = await this.#runs.state(uri);
    const look: PlanLook = {
      reading,
      state: state.kind === 'ok' ? state.value : undefined,
      isRunning: this.#runs.running(uri) !== undefined,
    };
    // what was typed or closed meanwhile makes it void
    if (!document.isClosed && document.version === version) {
      this.#looks.set(uri.toString(), look);
      this.#changes.emit(uri);
    }
    return look;
  }

  #update(uri: vscode.Uri): void {
    const look = this.known(uri);
    if (look !== undefined) {
      const running = this.#runs.running(uri);
      this.#looks.set(uri.toString(), {
        ...look,
        state: running ?? look.state,
        isRunning: running !== undefined,
      });
      this.#changes.emit(uri);
    }
  }

  #forget(uri: vscode.Uri): void {
    clearTimeout(this.#timers.get(uri.toString()));
    if (this.#looks.delete(uri.toString())) {
      this.#changes.emit(uri);
    }
  }
}
