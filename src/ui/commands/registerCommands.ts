import * as vscode from 'vscode';
import type { Parts } from '../parts.ts';
import { showFailure } from '../showFailure.ts';
import { allCommands } from './allCommands.ts';

/** Registers all commands; the only caller of registerCommand. A fault in one is shown, never lost. */
export function registerCommands(parts: Parts): vscode.Disposable {
  return vscode.Disposable.from(
    ...allCommands.map((command) =>
      vscode.commands.registerCommand(command.id, async (...args: unknown[]) => {
        try {
          return await command.run(parts, ...args);
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
