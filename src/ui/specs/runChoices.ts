import type * as vscode from 'vscode';
import * as z from 'zod/mini';
import { Emitter, type Listen } from '../../values/emitter.ts';

const choice = z.object({
  network: z.optional(z.string()),
  action: z.optional(z.string()),
  image: z.optional(z.string()),
  gpus: z.optional(z.union([z.literal('all'), z.int().check(z.positive())])),
  /** The instance that it ran on last. */
  instanceId: z.optional(z.string()),
});

/** What the user has chosen for the runs of a spec, instead of the guesses. */
export type RunChoice = z.infer<typeof choice>;

/** The choices for each spec file, remembered between sessions. */
export class RunChoices {
  readonly #memory: vscode.Memento;
  readonly #changes = new Emitter<vscode.Uri>();

  readonly onChange: Listen<vscode.Uri> = this.#changes.listen;

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
  }

  of(uri: vscode.Uri): RunChoice {
    const parsed = z.safeParse(choice, this.#memory.get(keyOf(uri), {}));
    return parsed.success ? parsed.data : {};
  }

  /** Adds to what was chosen before. */
  async change(uri: vscode.Uri, chosen: RunChoice): Promise<void> {
    await this.#memory.update(keyOf(uri), { ...this.of(uri), ...chosen });
    this.#changes.emit(uri);
  }
}

function keyOf(uri: vscode.Uri): string {
  return `run:${uri.toString()}`;
}
