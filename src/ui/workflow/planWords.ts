import * as vscode from 'vscode';
import type { PlanState, StepPhase } from '../../workflow/planState.ts';

/** What became of a step, in a word, with its icon. */
export function phaseWords(phase: StepPhase): { readonly word: string; readonly icon: string } {
  switch (phase) {
    case 'waiting':
      return { word: vscode.l10n.t('waiting'), icon: 'circle-outline' };
    case 'running':
      return { word: vscode.l10n.t('running'), icon: 'sync~spin' };
    case 'saving':
      return { word: vscode.l10n.t('saving its outputs'), icon: 'cloud-upload' };
    case 'done':
      return { word: vscode.l10n.t('done'), icon: 'pass' };
    case 'skipped':
      return { word: vscode.l10n.t('skipped'), icon: 'debug-step-over' };
    case 'failed':
      return { word: vscode.l10n.t('failed'), icon: 'error' };
    case 'cancelled':
      return { word: vscode.l10n.t('cancelled'), icon: 'circle-slash' };
    case 'blocked':
      return { word: vscode.l10n.t('not begun'), icon: 'circle-outline' };
    case 'unknown':
      return { word: vscode.l10n.t('unknown'), icon: 'question' };
  }
}

/** How many of the steps that are to be run are done: `2/5`. */
export function doneOf(state: PlanState): string {
  const wanted = Object.values(state.steps).filter((step) => step.wanted);
  const done = wanted.filter(({ phase }) => phase === 'done' || phase === 'skipped');
  return `${done.length}/${wanted.length}`;
}

/** The machines that a plan made and that nobody has deleted. */
export function standingMachines(state: PlanState): readonly string[] {
  return [
    ...Object.values(state.machines).flatMap(({ name, phase }) => (phase === 'kept' ? [name] : [])),
    ...state.keptMachines,
  ];
}
