import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import type { Job } from './job.ts';
import { LossCurve } from './loss-curve.ts';
import { progressBar } from './progress-bar.ts';
import { fileNotFound } from './python-failure.ts';
import type { StatusLog } from './status-log.ts';
import { befall, strangeOutput } from './trouble.ts';

/** Plays evaluate, inference, export and the smaller actions. */
export async function playAction(job: Job, status: StatusLog): Promise<void> {
  const { action } = job.command;
  const checkpoint = job.spec.text(`${action}.checkpoint`);
  if (checkpoint !== '') {
    status.write('RUNNING', `Loading checkpoint: ${checkpoint}`);
    if (!job.exists(checkpoint)) throw fileNotFound(checkpoint);
  }
  await strangeOutput(job);
  await befall(job, 0);
  if (action === 'evaluate') await evaluate(job, status);
  else if (action === 'inference') await infer(job);
  else if (action === 'export') await exportModel(job);
  else await job.pause(job.knob('epoch_seconds', 0.5));
}

async function playBar(job: Job, label: string): Promise<void> {
  const total = Math.max(1, job.knob('steps', 20));
  const seconds = job.knob('epoch_seconds', 0.5);
  for (let done = 0; done <= total; done++) {
    const state = { label, done, total, seconds: (seconds * done) / total, postfix: {} };
    job.console.child(`\r${progressBar(state, job.utf8Bars)}`);
    await job.pause(seconds / total);
  }
  job.console.child('\n');
}

async function evaluate(job: Job, status: StatusLog): Promise<void> {
  await playBar(job, 'Testing DataLoader 0');
  const curve = new LossCurve(job.seed, 100);
  const metric = (job.network.metric === '' ? 'val_loss' : job.network.metric).replace('val_', 'test_');
  const value = curve.metric(95);
  const wide = (text: string): string => text.padStart(Math.floor((27 + text.length) / 2)).padEnd(27);
  for (const text of [
    '┏━━━━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━━━━━━━━━┓',
    `┃${wide('Test metric')}┃${wide('DataLoader 0')}┃`,
    '┡━━━━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━━━━━━━━┩',
    `│${wide(metric)}│${wide(String(value))}│`,
    '└───────────────────────────┴───────────────────────────┘',
  ]) {
    job.console.childLine(text);
  }
  status.setKpi({ [metric]: metric === 'test_mAP' ? value.toFixed(4) : value });
  status.write('RUNNING', 'Test metrics generated.');
}

async function infer(job: Job): Promise<void> {
  await playBar(job, 'Predicting DataLoader 0');
  const folder = job.host(job.resultsDir);
  const curve = new LossCurve(job.seed, 20);
  const rows = Array.from(
    { length: 20 },
    (_, index) => `image_${index}.jpg,${curve.metric(index).toFixed(4)}`,
  );
  writeFileSync(join(folder, 'inference.csv'), `image,score\n${rows.join('\n')}\n`);
}

async function exportModel(job: Job): Promise<void> {
  const asked = job.spec.text('export.onnx_file');
  const file = asked === '' ? posix.join(job.resultsDir, `${job.checkpointStem}.onnx`) : asked;
  await job.pause(job.knob('epoch_seconds', 0.5));
  mkdirSync(dirname(job.host(file)), { recursive: true });
  writeFileSync(job.host(file), Buffer.alloc(16 * 1024, 'onnx'));
  job.console.childLog('INFO', `ONNX file stored at ${file}`, 'export.py:142');
}
