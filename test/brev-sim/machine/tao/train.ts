import { mkdirSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { findResume, type Resume, resumeFrom, saveCheckpoint } from './checkpoint.ts';
import type { Job } from './job.ts';
import { LossCurve } from './loss-curve.ts';
import { progressBar } from './progress-bar.ts';
import { PythonFailure } from './python-failure.ts';
import { timedelta } from './python-text.ts';
import type { Kpi, StatusLog } from './status-log.ts';
import { befall, strangeOutput } from './trouble.ts';

const VALIDATION_STEPS = 4;

/** Plays `Trainer.fit`: bars, validation, checkpoints, status lines. */
export async function train(job: Job, status: StatusLog): Promise<void> {
  await new Training(job, status).run();
}

class Training {
  private readonly job: Job;
  private readonly status: StatusLog;
  private readonly epochs: number;
  private readonly steps: number;
  private readonly epochSeconds: number;
  private readonly curve: LossCurve;
  private readonly learningRate: number;
  private step = 0;
  private shown: Record<string, number | string> = { v_num: '1' };
  private kpi: Kpi = {};
  private lastBar = '';

  constructor(job: Job, status: StatusLog) {
    this.job = job;
    this.status = status;
    this.epochs = job.spec.number('train.num_epochs', 10);
    this.steps = Math.max(1, job.knob('steps', 20));
    this.epochSeconds = job.knob('epoch_seconds', 0.5);
    this.curve = new LossCurve(job.seed, this.epochs * this.steps);
    this.learningRate = job.spec.number('train.optim.lr', 2e-4);
  }

  async run(): Promise<void> {
    const { job, status } = this;
    const first = this.resume();
    this.prepareFolder();
    status.write('STARTED', 'Starting Training Loop.');
    await this.sanityCheck();
    await strangeOutput(job);
    const middle = Math.min(first + Math.floor((this.epochs - first) / 2), this.epochs - 1);
    const troubled = job.knob('at_epoch', middle);
    try {
      for (let epoch = first; epoch < this.epochs; epoch++) await this.epoch(epoch, epoch === troubled);
    } catch (error) {
      if (error instanceof PythonFailure && job.scenario !== 'no-space') this.saveOnException();
      throw error;
    }
    // tqdm ends its bar with a newline, which the entrypoint drops: the next words are glued to the bar.
    job.console.child(`\n\`Trainer.fit\` stopped: \`max_epochs=${this.epochs}\` reached.\n`);
    if (this.lastBar !== '') job.console.child(`\r${this.lastBar}\n`);
    status.write('RUNNING', 'Training loop complete.');
  }

  /** Starts where a checkpoint of an earlier run ended. */
  private resume(): number {
    const { job, status } = this;
    const asked = job.spec.text('train.resume_training_checkpoint_path');
    const found: Resume | undefined = asked === '' ? findResume(job.host(job.resultsDir)) : resumeFrom(asked);
    if (found === undefined) return 0;
    const path = asked === '' ? posix.join(job.resultsDir, found.name) : asked;
    job.console.childLog('INFO', `Setting resume checkpoint to ${path}`, 'initialize_experiments.py:63');
    status.write('RUNNING', `Resuming training from checkpoint: ${path}`);
    job.console.childLine(`Restoring states from the checkpoint path at ${path}`);
    this.step = found.step;
    return found.epoch + 1;
  }

  private prepareFolder(): void {
    const folder = join(this.job.host(this.job.resultsDir), 'lightning_logs', 'version_1');
    mkdirSync(folder, { recursive: true });
    const seconds = Math.floor(Date.now() / 1000);
    writeFileSync(
      join(folder, `events.out.tfevents.${seconds}.${this.job.env.HOSTNAME ?? 'sim'}.42.0`),
      'brain.Event:2',
    );
    writeFileSync(join(folder, 'hparams.yaml'), this.job.spec.yaml());
  }

  private async sanityCheck(): Promise<void> {
    const total = 2;
    for (let done = 0; done <= total; done++) {
      this.bar('Sanity Checking DataLoader 0', done, total, done * 0.05, {});
      await this.job.pause(this.epochSeconds / 20);
    }
    this.job.console.child(`\r${' '.repeat(70)}\r`);
  }

  private bar(
    label: string,
    done: number,
    total: number,
    seconds: number,
    postfix: Record<string, number | string>,
  ): void {
    const text = progressBar({ label, done, total, seconds, postfix }, this.job.utf8Bars);
    this.job.console.child(`\r${text}`);
    this.lastBar = text;
  }

  private async epoch(epoch: number, troubled: boolean): Promise<void> {
    const { job, steps } = this;
    const label = `Epoch ${epoch}`;
    const begun = performance.now();
    const elapsed = (): number => (performance.now() - begun) / 1000;
    const stepMilliseconds = (this.epochSeconds * 1000 * 0.8) / job.speed / steps;
    this.bar(label, 0, steps, 0, this.shown);
    let loss = 0;
    for (let done = 1; done <= steps; done++) {
      // Behind the clock there is nothing to wait for: a fast simulation draws its bars in a burst.
      const ahead = begun + done * stepMilliseconds - performance.now();
      if (ahead > 0) await job.console.pause(ahead);
      this.step += 1;
      loss = this.lossAt(epoch, this.step);
      this.shown = {
        ...this.shown,
        train_loss_step: loss,
        lr: this.curve.learningRate(this.step, this.learningRate),
      };
      this.bar(label, done, steps, elapsed(), this.shown);
      if (troubled && done === Math.ceil(steps / 2)) await befall(job, epoch);
    }
    const stepSeconds = elapsed() / steps;
    if ((epoch + 1) % job.spec.number('train.validation_interval', 1) === 0) await this.validate(epoch);
    this.shown = { ...this.shown, train_loss_epoch: loss };
    this.bar(label, steps, steps, elapsed(), this.shown);
    this.report(epoch, loss, elapsed(), stepSeconds);
    if ((epoch + 1) % job.spec.number('train.checkpoint_interval', 1) === 0) this.save(epoch);
  }

  private lossAt(epoch: number, step: number): number {
    if (this.job.scenario === 'nan-loss' && epoch >= Math.floor(this.epochs / 2)) return Number.NaN;
    return this.curve.trainLoss(step);
  }

  /** The validation bar stands one line below: tqdm moves down, draws, moves up again. */
  private async validate(epoch: number): Promise<void> {
    const { job } = this;
    let width = 0;
    for (let done = 0; done <= VALIDATION_STEPS; done++) {
      const state = {
        label: 'Validation DataLoader 0',
        done,
        total: VALIDATION_STEPS,
        seconds: done * 0.02,
        postfix: {},
      };
      const text = progressBar(state, job.utf8Bars);
      width = Math.max(width, text.length);
      job.console.child(`\n\r${text}\x1b[A`);
      await job.pause((this.epochSeconds * 0.2) / (VALIDATION_STEPS + 1));
    }
    job.console.child(`\n\r${' '.repeat(width)}\r\x1b[A`);
    const isNan = Number.isNaN(this.lossAt(epoch, this.step));
    const loss = isNan ? Number.NaN : this.curve.validationLoss(this.step);
    this.kpi = { val_loss: loss };
    this.shown = { ...this.shown, val_loss: loss };
    const { metric } = job.network;
    if (metric !== '') {
      const value = isNan ? 0 : this.curve.metric(this.step);
      // DINO and its kin write their mAP as text.
      this.kpi[metric] = metric === 'val_mAP' ? value.toFixed(4) : value;
      if (metric === 'val_mAP') this.kpi.val_mAP50 = Math.min(0.999, value * 1.3).toFixed(4);
      this.shown[metric === 'val_acc' ? 'val_acc_1' : metric] = value;
    }
    this.status.setKpi(this.kpi);
    this.status.write('RUNNING', 'Eval metrics generated.');
  }

  private report(epoch: number, loss: number, seconds: number, stepSeconds: number): void {
    this.kpi = { ...this.kpi, train_loss: loss };
    this.status.setKpi(this.kpi);
    this.status.write('RUNNING', 'Train metrics generated.');
    this.status.write('RUNNING', 'Training loop in progress', {
      epoch,
      step: this.step,
      max_epoch: this.epochs - 1,
      max_step: this.epochs * this.steps,
      time_per_epoch: timedelta(seconds),
      time_per_step: timedelta(stepSeconds),
      eta: timedelta((this.epochs - 1 - epoch) * seconds),
    });
  }

  private save(epoch: number): void {
    const { job } = this;
    if (job.scenario === 'no-space' && epoch >= Math.floor(this.epochs / 2)) {
      const path = posix.join(job.resultsDir, 'checkpoint.tmp');
      throw new PythonFailure(
        'OSError',
        `[Errno 28] No space left on device: '${path}'`,
        'File system error',
      );
    }
    saveCheckpoint(job.host(job.resultsDir), job.checkpointStem, epoch, this.step);
  }

  /** Lightning saves what it has when an exception ends the fit. */
  private saveOnException(): void {
    saveCheckpoint(
      this.job.host(this.job.resultsDir),
      this.job.checkpointStem,
      Math.floor(this.step / this.steps),
      this.step,
    );
  }
}
