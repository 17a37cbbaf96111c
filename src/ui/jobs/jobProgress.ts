import * as vscode from 'vscode';
import type { JobReadings } from '../../jobs/jobReadings.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { RunSummary } from '../../tao/run/runSummary.ts';
import { Emitter, type Listen } from '../../values/emitter.ts';
import { progressWords } from './progressWords.ts';

const LOOK_MS = 2_000;

/** How far the running jobs are, for the views and the status bar; nothing is read while none runs. */
export class JobProgress implements vscode.Disposable {
  readonly #jobs: Jobs;
  readonly #readings: () => Promise<JobReadings>;
  readonly #changes = new Emitter<string>();
  readonly #summaries = new Map<string, RunSummary>();
  readonly #item: vscode.StatusBarItem;
  readonly #unsubscribe: () => void;
  #timer: NodeJS.Timeout | undefined;
  #disposed = false;

  /** Tells the id of a job whose progress has changed. */
  readonly onChange: Listen<string> = this.#changes.listen;

  constructor(jobs: Jobs, readings: () => Promise<JobReadings>) {
    this.#jobs = jobs;
    this.#readings = readings;
    this.#item = vscode.window.createStatusBarItem('brev.jobs', vscode.StatusBarAlignment.Left, 9);
    this.#item.name = vscode.l10n.t('Brev Jobs');
    this.#unsubscribe = jobs.onChange(() => this.#schedule(0));
  }

  /** `epoch 3 of 30, 12 min left`; empty where it isn't known. */
  words(jobId: string): string {
    const summary = this.#summaries.get(jobId);
    return summary === undefined ? '' : progressWords(summary);
  }

  dispose(): void {
    this.#disposed = true;
    clearTimeout(this.#timer);
    this.#unsubscribe();
    this.#item.dispose();
  }

  #schedule(ms: number): void {
    if (!this.#disposed && this.#timer === undefined) {
      this.#timer = setTimeout(() => void this.#look(), ms);
    }
  }

  async #look(): Promise<void> {
    const running = this.#jobs.all.filter((job) => job.state === 'RUNNING' && !job.foreign);
    if (running.length > 0) {
      const readings = await this.#readings();
      for (const job of running) {
        const { id } = job.details;
        const before = this.words(id);
        this.#summaries.set(id, (await readings.read(job)).summary);
        if (this.words(id) !== before) {
          this.#changes.emit(id);
        }
      }
    }
    this.#timer = undefined;
    this.#showItem();
    if (running.length > 0) {
      this.#schedule(LOOK_MS);
    }
  }

  #showItem(): void {
    const [first, ...others] = this.#jobs.all.filter((job) => job.state === 'RUNNING' && !job.foreign);
    if (first === undefined || this.#disposed) {
      this.#item.hide();
      return;
    }
    const { id, instanceName } = first.details;
    const words = this.words(id) || vscode.l10n.t('running');
    this.#item.text = `$(graph-line) ${id}: ${words}${others.length === 0 ? '' : ` +${others.length}`}`;
    this.#item.tooltip = vscode.l10n.t(
      'Job {0} on {1}: {2}. Click to see its curves.',
      id,
      instanceName,
      words,
    );
    this.#item.accessibilityInformation = { label: `${id}: ${words}` };
    this.#item.command = {
      command: 'brev.showJobPanel',
      title: vscode.l10n.t('Show Job'),
      arguments: [{ kind: 'job', id }],
    };
    this.#item.show();
  }
}
