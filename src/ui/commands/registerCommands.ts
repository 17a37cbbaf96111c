import * as vscode from 'vscode';
import type { Parts } from '../parts.ts';
import { showFailure } from '../showFailure.ts';
import { commandIds } from './commandIds.ts';

/**
 * Registers all commands; the only caller of registerCommand. Their code is read at the first use of one. A fault in
 * one is shown, never lost.
 */
export function registerCommands(parts: Parts): vscode.Disposable {
  return vscode.Disposable.from(
    ...commandIds.map((id) =>
      vscode.commands.registerCommand(id, async (...args: unknown[]) => {
        try {
          const { allCommands } = await import('./allCommands.ts');
          // what is offered, and what is warned of, depends on them: a window may just have been opened
          await parts.jobs.resume();
          return await allCommands[id].run(parts, ...args);
        } catch (error) {
          await showFailure(
            {
              kind: 'unexpected',
              message: { template: 'This went wrong inside the extension: {0}', args: [String(error)] },
              action: 'showLog',
              retrySafe: false,
              detail: error instanceof Error ? (error.stack ?? '') : '',
            },
            parts.log,
          );
          return undefined;
        }
      }),
    ),
  );
}
