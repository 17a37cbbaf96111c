import { textNumber } from './byteNumber.ts';
import type { LogEvent } from './events.ts';
import { after } from './excerpt.ts';

/** What TAO's own lines say (tao.md part 3, "Line kinds"). */
export function taoEvents(text: string): readonly LogEvent[] {
  const events: LogEvent[] = [];
  const [, task, path] =
    /(Train|Evaluate|Inference|Export|[A-Z][a-z_]{2,30}) results will be saved at: (\S{1,500})/.exec(
      around(text, ' results will be saved at: ', 40),
    ) ?? [];
  if (task !== undefined && path !== undefined) {
    events.push({ kind: 'resultsDir', task: task.toLowerCase(), path });
  }
  const size = /^GLOBAL_RANK: \d{1,5}, MEMBER: \d{1,5}\/(\d{1,5})/.exec(
    after(text, 'Initializing distributed: ') ?? '',
  )?.[1];
  if (size !== undefined) {
    events.push({ kind: 'ranks', count: Number(size) });
  }
  if (text.includes('GPU available: ')) {
    events.push({ kind: 'phase', phase: 'load' });
  }
  const checkpoint = checkpointIn(text);
  if (checkpoint !== undefined) {
    events.push(checkpoint);
  }
  if (text.includes('ONNX file stored at ')) {
    events.push({ kind: 'phase', phase: 'export' });
  }
  const epochs = /^: `max_epochs=(\d{1,9})` reached/.exec(after(text, '`Trainer.fit` stopped') ?? '')?.[1];
  if (epochs !== undefined) {
    events.push({ kind: 'maxEpochs', epochs: Number(epochs) });
  }
  const status = /^(?:PASS|FAIL)\b/.exec(after(text, 'Execution status: ') ?? '')?.[0];
  if (status === 'PASS' || status === 'FAIL') {
    events.push({ kind: 'executionStatus', status });
  }
  return events;
}

function around(text: string, word: string, before: number): string {
  const at = text.indexOf(word);
  return at < 0 ? '' : text.slice(Math.max(0, at - before), at + 600);
}

/** A checkpoint's path, by its name `model_epoch_003_step_00080.pth` or because the run goes on from it. */
function checkpointIn(text: string): LogEvent | undefined {
  const resumed =
    /^ to (\S{1,500})/.exec(after(text, 'resume checkpoint') ?? '')?.[1] ??
    (text.includes('Restoring states from') ? pathAround(text, 'model_epoch_') : undefined);
  const path = resumed ?? pathAround(text, 'model_epoch_');
  if (path === undefined) {
    return undefined;
  }
  const epoch = /model_epoch_(\d{1,9})/.exec(path)?.[1];
  return {
    kind: 'checkpoint',
    path,
    use: resumed === undefined ? 'saved' : 'resumed',
    epoch: epoch === undefined ? undefined : Number(epoch),
  };
}

/** The path that a name stands in; undefined for what isn't a file of weights. */
function pathAround(text: string, name: string): string | undefined {
  const at = text.indexOf(name);
  const [before = ''] = at < 0 ? [] : (/[^\s'"`=]{0,500}$/.exec(text.slice(Math.max(0, at - 500), at)) ?? []);
  const [rest] = at < 0 ? [] : (/^[\w.=-]{1,200}\.(?:pth|ckpt|tlt)/.exec(text.slice(at, at + 210)) ?? []);
  return rest === undefined ? undefined : before + rest;
}

/** A row of the table that Lightning draws at the end of an evaluation. */
export function tableEvent(text: string): LogEvent | undefined {
  const [, name, value] =
    /^\s{0,40}│\s{0,200}([A-Za-z_][\w./@:-]{0,100})\s{1,200}│\s{0,200}([-+\w.]{1,40})\s{0,200}│/.exec(
      text.slice(0, 700),
    ) ?? [];
  const number = value === undefined ? undefined : textNumber(value);
  return name === undefined || number === undefined
    ? undefined
    : { kind: 'kpi', metric: { name, value: number } };
}
