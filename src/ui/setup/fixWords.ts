import * as vscode from 'vscode';
import type { Fix } from '../../preflight/checks/fix.ts';
import { localize } from '../localize.ts';

/** What a fix does, in words: the exact command where there is one. */
export function fixWords(fix: Fix): string {
  const title = localize(fix.title);
  switch (fix.kind) {
    case 'terminal':
      return vscode.l10n.t('{0}: runs in a terminal: {1}', title, [fix.program, ...fix.args].join(' '));
    case 'chmod':
      return vscode.l10n.t('{0}: chmod {1} {2}', title, fix.mode.toString(8).padStart(4, '0'), fix.path);
    case 'installExtension':
      return vscode.l10n.t('{0}: installs the extension {1}', title, fix.extensionId);
    case 'openUrl':
      return vscode.l10n.t('{0}: opens {1}', title, fix.url);
    case 'command':
      return title;
  }
}
