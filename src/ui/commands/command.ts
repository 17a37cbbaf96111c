import type { Parts } from '../parts.ts';

/** A command: its id and its handler. Palette, menus, buttons and tools share the handler. */
export interface Command {
  readonly id: string;
  readonly run: (parts: Parts, ...args: readonly unknown[]) => Promise<unknown>;
}
