import { appendFileSync } from 'node:fs';
import { Float, type PythonValue, pythonJson } from './python-text.ts';

export type Status = 'SUCCESS' | 'FAILURE' | 'STARTED' | 'RUNNING' | 'SKIPPED';
export type Kpi = Record<string, number | string>;

/** What an epoch's line adds. */
export interface EpochFields {
  epoch: number;
  step: number;
  max_epoch: number;
  max_step: number;
  time_per_epoch: string;
  time_per_step: string;
  eta: string;
}

/** `status.json`: JSON lines, appended across runs; the kpi sticks until it is replaced (contract part 3). */
export class StatusLog {
  private readonly path: string;
  private kpi: Kpi = {};

  constructor(path: string) {
    this.path = path;
  }

  setKpi(kpi: Kpi): void {
    this.kpi = kpi;
  }

  write(status: Status, message: string, epoch?: EpochFields): void {
    const now = new Date();
    const line: { [key: string]: PythonValue } = {
      ...epoch,
      date: `${now.getUTCMonth() + 1}/${now.getUTCDate()}/${now.getUTCFullYear()}`,
      time: `${now.getUTCHours()}:${now.getUTCMinutes()}:${now.getUTCSeconds()}`,
      status,
      verbosity: 'INFO',
      message,
    };
    const figures = Object.entries(this.kpi);
    if (figures.length > 0) {
      line.kpi = Object.fromEntries(
        figures.map(([key, value]) => [key, typeof value === 'number' ? new Float(value) : value]),
      );
    }
    appendFileSync(this.path, `${pythonJson(line)}\n`);
  }
}
