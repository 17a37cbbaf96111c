import * as vscode from 'vscode';
import type { Screen } from './screen.ts';

/** What a person answers in the create wizard. */
export interface CreateAnswers {
  readonly type: string;
  readonly fallbacks?: readonly string[];
  readonly name: string;
}

/** Goes through the create wizard to its last Enter, with an instance to keep. */
export async function create(screen: Screen, { type, fallbacks = [], name }: CreateAnswers): Promise<void> {
  void vscode.commands.executeCommand('brev.createInstance');
  await screen.quickInput(/GPU Type/);
  await screen.type(type);
  await screen.pick(type);
  await screen.quickInput(/Fallbacks/);
  for (const fallback of fallbacks) {
    await screen.type(fallback);
    await screen.pick(fallback);
  }
  await screen.accept();
  await screen.quickInput(/Name/);
  await screen.type(name);
  await screen.accept();
  await screen.quickInput(/Lifetime/);
  await screen.pick('Keep until I delete it');
}
