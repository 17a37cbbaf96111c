import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { LogEvent } from '../../../src/tao/log/events.ts';
import { LogParser } from '../../../src/tao/log/logParser.ts';
import { RunReading } from '../../../src/tao/run/runReading.ts';

const FOLDER = path.join(import.meta.dirname, '../../fixtures/logs');

export function recordedLog(name: string): Buffer {
  return readFileSync(path.join(FOLDER, `${name}.log`));
}

/** status.json of the same run; undefined when it never wrote one. */
export function recordedStatus(name: string): Buffer | undefined {
  const file = path.join(FOLDER, `${name}.status`);
  return existsSync(file) ? readFileSync(file) : undefined;
}

export function eventsOf(...chunks: readonly (Uint8Array | string)[]): readonly LogEvent[] {
  const events: LogEvent[] = [];
  const parser = new LogParser((event) => events.push(event));
  for (const chunk of chunks) parser.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  parser.end();
  return events;
}

/** A recorded run, read to its end. */
export function readingOf(name: string): RunReading {
  const reading = new RunReading();
  reading.pushLog(recordedLog(name));
  reading.pushStatus(recordedStatus(name) ?? new Uint8Array());
  reading.end();
  return reading;
}

/** An event in one line; bars as `train 1:3/6`, those that follow each other in one phase and epoch as their last. */
export function inShort(events: readonly LogEvent[]): readonly string[] {
  const lines: string[] = [];
  let open = '';
  for (const event of events) {
    const line = shortEvent(event);
    const group = event.kind === 'bar' ? `${event.phase} ${event.epoch}` : '';
    if (group !== '' && group === open) lines[lines.length - 1] = line;
    else lines.push(line);
    open = group;
  }
  return lines;
}

function shortEvent(event: LogEvent): string {
  switch (event.kind) {
    case 'bar':
      return `${event.phase}${event.epoch === undefined ? '' : ` ${event.epoch}`}: ${event.done}/${event.total ?? '?'}`;
    case 'phase':
      return `[${event.phase}]`;
    case 'pull':
      return `pull ${event.done}/${event.layers}`;
    case 'resultsDir':
      return `${event.task} in ${event.path}`;
    case 'ranks':
      return `${event.count} ranks`;
    case 'checkpoint':
      return `${event.use} ${event.path}`;
    case 'maxEpochs':
      return `all ${event.epochs} epochs`;
    case 'kpi':
      return `${event.metric.name}=${event.metric.value}`;
    case 'exception':
      return `${event.rank === undefined ? '' : `rank ${event.rank} `}${event.type}: ${event.text.slice(0, 40)}`;
    case 'trouble':
      return `! ${event.trouble.kind}`;
    case 'executionStatus':
      return event.status;
  }
}
