import type * as vscode from 'vscode';
import * as z from 'zod/mini';
import { Emitter, type Listen } from '../../values/emitter.ts';

const leptonChoice = z.object({
  resourceShape: z.optional(z.string()),
  nodeGroup: z.optional(z.string()),
  nodes: z.optional(z.int().check(z.positive())),
  /** The folder in S3 that gets a folder for each job's results. */
  output: z.optional(z.string()),
  /** Where in S3 a path of the container comes from. */
  inputs: z.optional(z.record(z.string(), z.string())),
  pullSecret: z.optional(z.string()),
});

/** How a spec is to run on Lepton. */
export type LeptonChoice = z.infer<typeof leptonChoice>;

const choice = z.object({
  network: z.optional(z.string()),
  action: z.optional(z.string()),
  image: z.optional(z.string()),
  gpus: z.optional(z.union([z.literal('all'), z.int().check(z.positive())])),
  /** The instance, or the Lepton workspace, that it ran on last. */
  instanceId: z.optional(z.string()),
  /** How it goes to an instance, where the TAO SDK is set up. */
  route: z.optional(z.enum(['brev', 'brev-sdk'])),
  lepton: z.optional(leptonChoice),
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
