import type * as vscode from 'vscode';
import type { CreateType } from '../brev/create.ts';
import type { Lifetime } from './commands/createQuestions.ts';

/** What was wished for when an instance was created here. */
export interface Wish {
  readonly lifetime: Lifetime;
  /** Types that may be tried instead, in order. */
  readonly otherTypes: readonly CreateType[];
}

/** Remembers, between sessions and for all windows, what instances were created for. */
export class Wishes {
  readonly #memory: vscode.Memento;

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
  }

  get(instanceId: string): Wish | undefined {
    return this.#memory.get<Wish>(key(instanceId));
  }

  async remember(instanceId: string, wish: Wish): Promise<void> {
    await this.#memory.update(key(instanceId), wish);
  }

  async forget(instanceId: string): Promise<void> {
    await this.#memory.update(key(instanceId), undefined);
  }
}

function key(instanceId: string): string {
  return `wish:${instanceId}`;
}
