import * as vscode from 'vscode';
import { FILE_BEGIN, type Place } from '../../tao/spec/place.ts';
import { localize } from '../localize.ts';
import type { OpenPlans, PlanLook } from './openPlans.ts';
import { doneOf, phaseWords } from './planWords.ts';

/** Above a plan: run, resume, cancel, its graph. Above each step: how it is, and run from here. */
export class PlanLenses implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #plans: OpenPlans;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #unsubscribe: () => void;

  readonly onDidChangeCodeLenses = this.#changed.event;

  constructor(plans: OpenPlans) {
    this.#plans = plans;
    this.#unsubscribe = plans.onChange(() => this.#changed.fire());
  }

  provideCodeLenses({ uri }: vscode.TextDocument): vscode.CodeLens[] {
    const look = this.#plans.known(uri);
    return look === undefined ? [] : [...wholePlan(uri, look), ...eachStep(uri, look)];
  }

  dispose(): void {
    this.#unsubscribe();
    this.#changed.dispose();
  }
}

function wholePlan(uri: vscode.Uri, { isRunning, reading, state }: PlanLook): vscode.CodeLens[] {
  const graph = lens(
    FILE_BEGIN,
    `$(type-hierarchy) ${vscode.l10n.t('Graph')}`,
    vscode.l10n.t('Shows the steps, what they wait for, and their states'),
    'brev.showPlan',
    uri,
  );
  if (isRunning && state !== undefined) {
    return [
      lens(
        FILE_BEGIN,
        `$(sync~spin) ${vscode.l10n.t('{0} done', doneOf(state))}`,
        vscode.l10n.t('Shows the steps, what they wait for, and their states'),
        'brev.showPlan',
        uri,
      ),
      lens(
        FILE_BEGIN,
        `$(stop-circle) ${vscode.l10n.t('Cancel')}`,
        vscode.l10n.t(
          'Stops the jobs of all steps. What they left is saved before their machines are deleted.',
        ),
        'brev.cancelPlan',
        uri,
      ),
      graph,
    ];
  }
  if (reading.plan === undefined) {
    return [];
  }
  return [
    ...(state !== undefined && state.ended !== 'complete'
      ? [
          lens(
            FILE_BEGIN,
            `$(debug-continue) ${vscode.l10n.t('Resume ({0} done)', doneOf(state))}`,
            vscode.l10n.t('Goes on where it stopped. What is done is not repeated.'),
            'brev.resumePlan',
            uri,
          ),
        ]
      : []),
    lens(
      FILE_BEGIN,
      `$(run-all) ${vscode.l10n.t('Run')}`,
      vscode.l10n.t('Checks every step, shows what it may cost, and asks before anything is bought'),
      'brev.runPlan',
      uri,
    ),
    graph,
  ];
}

function eachStep(uri: vscode.Uri, { isRunning, reading, state }: PlanLook): vscode.CodeLens[] {
  return reading.places.flatMap(({ name, place }) => {
    const step = state?.steps[name];
    const { icon, word } = phaseWords(step?.phase ?? 'waiting');
    const jobId = step?.attempts.at(-1)?.jobId;
    const how =
      step === undefined
        ? []
        : [
            lens(
              place,
              `$(${icon}) ${word}`,
              [name, ...(step.reason === undefined ? [] : [localize(step.reason)])].join(': '),
              jobId === undefined ? 'brev.showPlan' : 'brev.showJobLog',
              jobId === undefined ? uri : { kind: 'job', id: jobId },
            ),
          ];
    const isLive = step !== undefined && ['waiting', 'running', 'saving'].includes(step.phase);
    const action = isRunning
      ? isLive && step.wanted
        ? [
            lens(
              place,
              `$(stop-circle) ${vscode.l10n.t('Cancel')}`,
              vscode.l10n.t('Cancels {0}; what needs it is not begun', name),
              'brev.cancelPlan',
              uri,
              name,
            ),
          ]
        : []
      : reading.plan === undefined
        ? []
        : [
            lens(
              place,
              `$(debug-start) ${vscode.l10n.t('Run from here')}`,
              vscode.l10n.t(
                'Runs {0} again, the steps that need it, and those that it needs and that are not done',
                name,
              ),
              'brev.runPlanFrom',
              uri,
              name,
            ),
          ];
    return [...how, ...action];
  });
}

function lens(
  { line }: Place,
  title: string,
  tooltip: string,
  command: string,
  ...args: readonly unknown[]
): vscode.CodeLens {
  return new vscode.CodeLens(new vscode.Range(line - 1, 0, line - 1, 0), {
    title,
    tooltip,
    command,
    arguments: [...args],
  });
}
