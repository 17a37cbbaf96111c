import { randomUUID } from 'node:crypto';
import { open, readFile, rm } from 'node:fs/promises';
import * as z from 'zod/mini';
import { errorCode } from '../process/errorCode.ts';
import { replaceFile } from '../process/replaceFile.ts';
import { type PlanState, planState } from './planState.ts';

export type StateReading =
  | { readonly kind: 'none' }
  | { readonly kind: 'read'; readonly state: PlanState }
  /** There is something, but not what was written here: it is neither used nor overwritten. */
  | { readonly kind: 'unreadable'; readonly reason: string };

/** Where a plan's state is: beside it, so that another computer with the same folder can go on. */
export function stateFileOf(planFile: string): string {
  return `${planFile}.state.json`;
}

/** Keeps the state of a plan's run. */
export interface StateStore {
  read(): Promise<StateReading>;
  /** Whole or not at all. */
  write(state: PlanState): Promise<void>;
}

/** The state in a file. */
export class StateFile implements StateStore {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  async read(): Promise<StateReading> {
    let text: string;
    try {
      text = await readFile(this.#file, 'utf8');
    } catch (error) {
      return errorCode(error) === 'ENOENT' ? { kind: 'none' } : { kind: 'unreadable', reason: String(error) };
    }
    try {
      const parsed = z.safeParse(planState, JSON.parse(text));
      return parsed.success
        ? { kind: 'read', state: parsed.data }
        : { kind: 'unreadable', reason: 'it is not the state of a plan' };
    } catch (error) {
      return { kind: 'unreadable', reason: String(error) };
    }
  }

  async write(state: PlanState): Promise<void> {
    const draft = `${this.#file}.${randomUUID()}.new`;
    try {
      const file = await open(draft, 'wx', 0o644);
      try {
        await file.writeFile(`${JSON.stringify(state, null, 2)}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
      await replaceFile(draft, this.#file);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }
}
