import type * as vscode from 'vscode';

const KEY = 'plans.active';

/** The plans that were running when a window was closed, for the next one to go on with; by their URIs. */
export function activePlans(memory: vscode.Memento): readonly string[] {
  return memory.get<readonly string[]>(KEY, []);
}

export function hasActivePlans(memory: vscode.Memento): boolean {
  return activePlans(memory).length > 0;
}

export async function rememberPlan(
  memory: vscode.Memento,
  uri: vscode.Uri,
  isActive: boolean,
): Promise<void> {
  const others = activePlans(memory).filter((each) => each !== uri.toString());
  await memory.update(KEY, isActive ? [...others, uri.toString()] : others);
}
