import * as vscode from 'vscode';
import type { Job } from '../../jobs/job.ts';
import type { JobReadings } from '../../jobs/jobReadings.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { lastOutputAt, Silence } from '../../jobs/silence.ts';
import type { RunSummary } from '../../tao/run/runSummary.ts';
import { Emitter, type Listen } from '../../values/emitter.ts';
import { duration } from '../instances/timelineWords.ts';
import { settings } from '../settings.ts';
import { progressWords } from './progressWords.ts';

const LOOK_MS = 2_000;

/** How far the running jobs are, for the views and the status bar; nothing is read while none runs. */
export class JobProgress implements vscode.Disposable {
  readonly #jobs: Jobs;
  readonly #readings: () => Promise<JobReadings>;
  readonly #changes = new Emitter<string>();
  readonly #summaries = new Map<string, RunSummary>();
  readonly #silence = new Silence();
  /** The jobs that have written nothing for long, and for how many milliseconds. */
  readonly #silent = new Map<string, number>();
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
    this.#unsubscribe = jobs.onChange(() => {
      // one that has ended leaves at once, not at the next look
      this.#showItem();
      this.#schedule(0);
    });
  }

  /** `epoch 3 of 30, 12 min left`, and whether it has become silent; empty where neither is known. */
  words(jobId: string): string {
    const summary = this.#summaries.get(jobId);
    const words = summary === undefined ? '' : progressWords(summary);
    return [words, this.silence(jobId)].filter((part) => part !== '').join(' · ');
  }

  /** `no output for 12 min, still running, still billing`; empty for a job that speaks. */
  silence(jobId: string): string {
    const ms = this.#silent.get(jobId);
    return ms === undefined || this.#jobs.find(jobId)?.state !== 'RUNNING'
      ? ''
      : vscode.l10n.t('no output for {0}, still running, still billing', duration(ms));
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
        await this.#listen(job);
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

  async #listen(job: Job): Promise<void> {
    const { id } = job.details;
    const last = await lastOutputAt([this.#jobs.logFile(id), this.#jobs.statusFile(id)]);
    const ms = this.#silence.of(job, last, Date.now());
    const longMs = settings.silentJobMs();
    if (longMs > 0 && ms >= longMs) {
      this.#silent.set(id, ms);
    } else {
      this.#silent.delete(id);
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
    this.#item.text = `$(${this.#silent.has(id) ? 'warning' : 'graph-line'}) ${id}: ${words}${others.length === 0 ? '' : ` +${others.length}`}`;
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
