import * as vscode from 'vscode';
import { type Doubt, type Stage, stages, type Timeline } from '../../instances/timeline.ts';

/** The timeline as lines: each signal with its time and how long after the first it came, or that it hasn't come. */
export function timelineLines(timeline: Timeline): readonly string[] {
  const first = Math.min(...stages.flatMap((stage) => timeline[stage] ?? []));
  return stages.map((stage) => {
    const at = timeline[stage];
    return at === undefined
      ? vscode.l10n.t('{0}: not yet', stageWords(stage))
      : vscode.l10n.t(
          '{0}: {1} (+{2})',
          stageWords(stage),
          new Date(at).toLocaleTimeString(),
          duration(at - first),
        );
  });
}

function stageWords(stage: Stage): string {
  switch (stage) {
    case 'created':
      return vscode.l10n.t('Listed');
    case 'provisioning':
      return vscode.l10n.t('Provisioning');
    case 'running':
      return vscode.l10n.t('Running, billing');
    case 'built':
      return vscode.l10n.t('Set up');
    case 'shell':
      return vscode.l10n.t('Shell reported ready');
    case 'ready':
      return vscode.l10n.t('A command ran');
  }
}

/** What contradicts a ready instance, in words. */
export function doubtWords(doubt: Doubt): string {
  switch (doubt) {
    case 'buildMissing':
      return vscode.l10n.t('running and billing, but its setup never started');
    case 'buildUnfinished':
      return vscode.l10n.t('its setup is still running');
    case 'buildFailed':
      return vscode.l10n.t('its setup failed');
    case 'shellNotReady':
      return vscode.l10n.t('Brev says that its shell is not ready');
    case 'unhealthy':
      return vscode.l10n.t('Brev says that it is unhealthy');
  }
}

/** `40 s`, `3 min`, `5 h` or `3 days`. */
export function duration(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) {
    return vscode.l10n.t('{0} s', seconds);
  }
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) {
    return vscode.l10n.t('{0} min', minutes);
  }
  const hours = Math.round(minutes / 60);
  return hours < 48 ? vscode.l10n.t('{0} h', hours) : vscode.l10n.t('{0} days', Math.round(hours / 24));
}
