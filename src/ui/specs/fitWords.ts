import * as vscode from 'vscode';
import type { Fit, FitSource } from '../../tao/fit.ts';

/** What a run needs, such as `4 GPUs with 24 GB each`; empty where nothing is known. */
export function fitWords({ gpus, minVramGb }: Fit): string {
  const count =
    gpus === undefined ? '' : gpus === 1 ? vscode.l10n.t('1 GPU') : vscode.l10n.t('{0} GPUs', gpus);
  if (minVramGb === undefined) {
    return count;
  }
  return count === ''
    ? vscode.l10n.t('{0} GB a GPU', minVramGb)
    : vscode.l10n.t('{0}, {1} GB each', count, minVramGb);
}

/** The same with where each part comes from, and what isn't known. */
export function fitSourceWords(fit: Fit): string {
  const parts = [
    fit.gpus === undefined
      ? vscode.l10n.t('number of GPUs unknown')
      : `${fit.gpus === 1 ? vscode.l10n.t('1 GPU') : vscode.l10n.t('{0} GPUs', fit.gpus)} (${sourceWords(fit.gpusFrom)})`,
    fit.minVramGb === undefined
      ? vscode.l10n.t('GPU memory unknown')
      : `${vscode.l10n.t('{0} GB a GPU', fit.minVramGb)} (${sourceWords(fit.vramFrom)})`,
  ];
  return parts.join(', ');
}

function sourceWords(source: FitSource): string {
  switch (source) {
    case 'spec':
      return vscode.l10n.t('by the spec');
    case 'catalogue':
      return vscode.l10n.t("by TAO's notes on the model");
    case 'chosen':
      return vscode.l10n.t('chosen by you');
    case 'measured':
      return vscode.l10n.t('by a run that failed');
    case 'unknown':
      return vscode.l10n.t('unknown');
  }
}
