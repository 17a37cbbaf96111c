import * as vscode from 'vscode';
import type { RunSummary } from '../../tao/run/runSummary.ts';
import { duration } from '../instances/timelineWords.ts';

/** How far a run is, in a few words: `epoch 3 of 30, 12 min left`. */
export function progressWords(summary: RunSummary): string {
  const { epoch, epochs, etaSeconds, phase, pull } = summary;
  if (phase === 'pull' && pull !== undefined && pull.layers > 0) {
    return vscode.l10n.t('pulling the image: {0} of {1} layers', pull.done, pull.layers);
  }
  if (epoch === undefined) {
    return phase === undefined ? '' : phaseWords(phase);
  }
  const where =
    epochs === undefined
      ? vscode.l10n.t('epoch {0}', epoch + 1)
      : vscode.l10n.t('epoch {0} of {1}', epoch + 1, epochs);
  const left = etaSeconds === undefined ? '' : `, ${vscode.l10n.t('{0} left', duration(etaSeconds * 1_000))}`;
  return `${where}${left}`;
}

function phaseWords(phase: NonNullable<RunSummary['phase']>): string {
  switch (phase) {
    case 'pull':
      return vscode.l10n.t('pulling the image');
    case 'load':
      return vscode.l10n.t('loading');
    case 'sanity':
      return vscode.l10n.t('checking the data');
    case 'train':
      return vscode.l10n.t('training');
    case 'validate':
      return vscode.l10n.t('validating');
    case 'test':
      return vscode.l10n.t('evaluating');
    case 'predict':
      return vscode.l10n.t('inferring');
    case 'export':
      return vscode.l10n.t('exporting');
    case 'done':
      return vscode.l10n.t('done');
  }
}
