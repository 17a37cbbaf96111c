import * as vscode from 'vscode';
import type { PanelWords } from './protocol.ts';

/** The page's texts in the user's language. */
export function panelWords(): PanelWords {
  return {
    openLog: vscode.l10n.t('Show Log'),
    openSpec: vscode.l10n.t('Open Spec'),
    results: vscode.l10n.t('Results'),
    compare: vscode.l10n.t('Compare…'),
    exportCsv: vscode.l10n.t('Export CSV'),
    exportPng: vscode.l10n.t('Export PNG'),
    noCurves: vscode.l10n.t('No losses or KPIs yet. They appear with the first step of the training.'),
    latest: vscode.l10n.t('Newest values'),
    name: vscode.l10n.t('Curve'),
    value: vscode.l10n.t('Value'),
  };
}
