import * as vscode from 'vscode';
import type { Instance } from '../instances/instance.ts';
import type { Readiness, ReadinessProgress } from '../instances/readiness.ts';
import type { ReadinessState, ReadinessWatch } from '../instances/readinessWatch.ts';
import type { InstanceStore } from '../instances/store.ts';
import { doubts } from '../instances/timeline.ts';
import { doubtWords, duration, timelineLines } from './instances/timelineWords.ts';
import { localize } from './localize.ts';
import type { Log } from './log.ts';
import { showFailure } from './showFailure.ts';

/** How long a success stays in the status bar. */
const READY_FOR_MS = 60_000;

/** The status-bar item: how far what is starting has come, then ready, or why not. */
export class ReadinessStatus implements vscode.Disposable {
  readonly #item: vscode.StatusBarItem;
  readonly #store: InstanceStore;
  readonly #log: Log;
  readonly #waiting = new Map<string, ReadinessState>();
  readonly #unsubscribe: () => void;
  #hide: NodeJS.Timeout | undefined;
  /** The instance whose end is shown. */
  #shown: string | undefined;

  constructor(readiness: ReadinessWatch, store: InstanceStore, log: Log) {
    this.#store = store;
    this.#log = log;
    this.#item = vscode.window.createStatusBarItem('brev.readiness', vscode.StatusBarAlignment.Left, 10);
    this.#item.name = vscode.l10n.t('Brev Instances');
    this.#item.command = 'brev.instances.focus';
    const unsubscribe = [
      readiness.onChange((state) => this.#update(state)),
      store.onChange(() => this.#forgetWhatIsGone()),
    ];
    this.#unsubscribe = () => {
      for (const each of unsubscribe) each();
    };
  }

  dispose(): void {
    clearTimeout(this.#hide);
    this.#unsubscribe();
    this.#item.dispose();
  }

  #update(state: ReadinessState): void {
    if (state.kind === 'waiting') {
      this.#waiting.set(state.id, state);
    } else {
      this.#waiting.delete(state.id);
    }
    clearTimeout(this.#hide);
    this.#shown = undefined;
    const first = [...this.#waiting.values()][0];
    if (first?.kind === 'waiting') {
      this.#showWaiting(first);
    } else if (state.kind === 'ended') {
      this.#shown = state.id;
      this.#showEnd(state.id, state.readiness);
    }
    if (state.kind === 'ended' && state.requested) {
      void this.#notify(state.id, state.readiness);
    }
  }

  /** Nobody wants to know of an instance that was deleted or stopped whether it is ready. */
  #forgetWhatIsGone(): void {
    const instance = this.#shown === undefined ? undefined : this.#store.find(this.#shown);
    if (this.#shown !== undefined && (instance === undefined || !isUp(instance))) {
      this.#shown = undefined;
      clearTimeout(this.#hide);
      this.#item.hide();
    }
  }

  #showWaiting(state: Extract<ReadinessState, { kind: 'waiting' }>): void {
    const name = this.#store.find(state.id)?.name ?? '…';
    const more = this.#waiting.size > 1 ? ` +${this.#waiting.size - 1}` : '';
    const words = progressWords(state.progress);
    this.#show(`$(sync~spin) ${name}: ${words}${more}`, vscode.l10n.t('{0}: {1}', name, words));
    this.#item.tooltip = [
      vscode.l10n.t(
        'Brev instance {0}. It is ready when a command runs on it, which comes minutes after RUNNING.',
        name,
      ),
      ...timelineLines(state.progress?.timeline ?? {}),
    ].join('\n');
  }

  #showEnd(id: string, readiness: Readiness): void {
    switch (readiness.kind) {
      case 'cancelled':
        this.#item.hide();
        return;
      case 'ready': {
        const { name } = readiness.instance;
        this.#show(`$(pass) ${vscode.l10n.t('{0} is ready', name)}`, vscode.l10n.t('{0} is ready', name));
        this.#item.tooltip = vscode.l10n.t(
          'A command ran on {0} after {1}.',
          name,
          duration(readiness.tookMs),
        );
        this.#hide = setTimeout(() => this.#item.hide(), READY_FOR_MS);
        return;
      }
      case 'notReady': {
        const name = readiness.instance?.name ?? this.#store.find(id)?.name ?? '?';
        this.#show(
          `$(warning) ${vscode.l10n.t('{0} is not ready', name)}`,
          vscode.l10n.t('{0} is not ready', name),
        );
        this.#item.tooltip = [localize(readiness.because.message), ...timelineLines(readiness.timeline)].join(
          '\n',
        );
        return;
      }
    }
  }

  async #notify(id: string, readiness: Readiness): Promise<void> {
    if (readiness.kind === 'notReady') {
      if (isHopeless(readiness)) {
        await vscode.commands.executeCommand('brev.offerWayOut', { kind: 'instance', id });
      } else {
        await showFailure(readiness.because, this.#log, id);
      }
      return;
    }
    if (readiness.kind !== 'ready') {
      return;
    }
    const { name } = readiness.instance;
    const run = vscode.l10n.t('Run Spec…');
    const shell = vscode.l10n.t('Open Shell');
    const doubt = doubts(readiness.instance)[0];
    const chosen = await vscode.window.showInformationMessage(
      doubt === undefined
        ? readyWords(name, readiness.tookMs)
        : vscode.l10n.t(
            '{0} runs commands (after {1}), but {2}.',
            name,
            duration(readiness.tookMs),
            doubtWords(doubt),
          ),
      run,
      shell,
    );
    if (chosen !== undefined) {
      await vscode.commands.executeCommand(chosen === run ? 'brev.runSpecOnInstance' : 'brev.openShell', {
        kind: 'instance',
        id,
      });
    }
  }

  #show(text: string, label: string): void {
    this.#item.text = text;
    this.#item.accessibilityInformation = { label };
    this.#item.show();
  }
}

/** On, or on its way there. */
function isUp({ status }: Instance): boolean {
  return !['stopping', 'stopped', 'deleting'].includes(status);
}

/** Whether waiting longer is of no use: a set-up that never started doesn't start later (users.md A, #378). */
function isHopeless({ because, instance }: Extract<Readiness, { kind: 'notReady' }>): boolean {
  switch (because.kind) {
    case 'stuckProvisioning':
    case 'createFailed':
      return true;
    case 'unreachable':
      return (
        instance !== undefined &&
        doubts(instance).some((doubt) => doubt === 'buildMissing' || doubt === 'buildFailed')
      );
    default:
      return false;
  }
}

/** One that was adopted or started long ago answers at once. */
function readyWords(name: string, tookMs: number): string {
  return tookMs < 1_000
    ? vscode.l10n.t('{0} is ready.', name)
    : vscode.l10n.t('{0} is ready (after {1}).', name, duration(tookMs));
}

function progressWords(progress: ReadinessProgress | undefined): string {
  switch (progress?.kind) {
    case undefined:
      return vscode.l10n.t('looking…');
    case 'provisioning':
      return progress.instance.reported.status.toLowerCase() || vscode.l10n.t('provisioning');
    case 'probing':
      return vscode.l10n.t('running, probe {0}', progress.attempts);
  }
}
