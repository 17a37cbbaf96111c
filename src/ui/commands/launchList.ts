import * as vscode from 'vscode';
import type { LaunchContext } from '../../preflight/launch/context.ts';
import { type LaunchCheck, type LaunchState, mayLaunch } from '../../preflight/launch/launchCheck.ts';
import { runLaunchChecks } from '../../preflight/launch/runLaunchChecks.ts';
import { inEnglish } from '../../values/message.ts';
import { localize } from '../localize.ts';
import type { Parts } from '../parts.ts';
import { fixLaunch } from './fixLaunch.ts';

type Row = vscode.QuickPickItem & { readonly choice?: 'run' | 'again' | LaunchCheck };

/**
 * Shows the launch checks as one list while they run. When all are passed the run goes on by itself; a warning is the
 * user's to judge; a refusal says what to do. True when the job is to be launched.
 */
export async function passLaunchChecks(
  parts: Parts,
  uri: vscode.Uri,
  context: () => Promise<LaunchContext>,
): Promise<boolean> {
  for (;;) {
    const answer = await showOnce(parts, await context());
    if (answer === 'go' || answer === 'stop') {
      return answer === 'go';
    }
    if (
      answer !== 'again' &&
      answer.fix !== undefined &&
      !(await fixLaunch(parts, uri, await context(), answer.fix))
    ) {
      return false;
    }
  }
}

async function showOnce(
  parts: Parts,
  context: LaunchContext,
): Promise<'go' | 'stop' | 'again' | LaunchCheck> {
  const pick = vscode.window.createQuickPick<Row>();
  pick.title = vscode.l10n.t(
    'Checks before {0} {1} on {2}',
    context.run.network,
    context.run.action,
    context.instance.name,
  );
  pick.placeholder = vscode.l10n.t('Looking… Esc cancels; nothing has been started');
  pick.ignoreFocusOut = true;
  pick.busy = true;
  pick.matchOnDetail = true;
  const abort = new AbortController();
  const { promise, resolve } = Promise.withResolvers<'go' | 'stop' | 'again' | LaunchCheck>();
  pick.onDidHide(() => {
    abort.abort();
    resolve('stop');
  });
  pick.onDidAccept(() => {
    const choice = pick.selectedItems[0]?.choice;
    if (choice === 'run') {
      resolve('go');
    } else if (choice === 'again') {
      resolve('again');
    } else if (choice?.fix !== undefined) {
      resolve(choice);
    }
  });
  pick.show();
  const known: LaunchCheck[] = [];
  const checked = runLaunchChecks(context, abort.signal, (lines) => {
    known.push(...lines);
    pick.items = known.map(row);
  });
  void checked.then((outcome) => {
    if (outcome.kind !== 'ok') {
      resolve('stop');
      return;
    }
    parts.log.info(
      outcome.value
        .map((line) => `${line.state} ${inEnglish(line.title)}: ${inEnglish(line.sentence)}`)
        .join('\n'),
    );
    if (outcome.value.every(({ state }) => state === 'passed' || state === 'skipped')) {
      resolve('go');
      return;
    }
    pick.busy = false;
    pick.placeholder = mayLaunch(outcome.value)
      ? vscode.l10n.t('Press Enter to run it all the same; pick a line to fix it')
      : vscode.l10n.t('Refused: pick a line to fix it, or check again');
    pick.items = [...decisions(outcome.value), ...[...outcome.value].sort(bySeverity).map(row)];
  });
  const answer = await promise;
  pick.dispose();
  return answer;
}

function decisions(checks: readonly LaunchCheck[]): readonly Row[] {
  return [
    ...(mayLaunch(checks)
      ? [
          {
            label: vscode.l10n.t('Run anyway'),
            iconPath: new vscode.ThemeIcon('rocket'),
            choice: 'run' as const,
          },
        ]
      : []),
    { label: vscode.l10n.t('Check again'), iconPath: new vscode.ThemeIcon('refresh'), choice: 'again' },
    { label: '', kind: vscode.QuickPickItemKind.Separator },
  ];
}

function row(check: LaunchCheck): Row {
  return {
    label: localize(check.title),
    detail: localize(check.sentence),
    iconPath: icon(check.state),
    ...(check.fix === undefined ? {} : { description: vscode.l10n.t('pick to fix') }),
    choice: check,
  };
}

const ORDER: readonly LaunchState[] = ['failed', 'warning', 'skipped', 'passed'];

function bySeverity(a: LaunchCheck, b: LaunchCheck): number {
  return ORDER.indexOf(a.state) - ORDER.indexOf(b.state);
}

function icon(state: LaunchState): vscode.ThemeIcon {
  switch (state) {
    case 'passed':
      return new vscode.ThemeIcon('pass', new vscode.ThemeColor('testing.iconPassed'));
    case 'failed':
      return new vscode.ThemeIcon('error', new vscode.ThemeColor('testing.iconFailed'));
    case 'warning':
      return new vscode.ThemeIcon('warning', new vscode.ThemeColor('problemsWarningIcon.foreground'));
    case 'skipped':
      return new vscode.ThemeIcon('debug-step-over', new vscode.ThemeColor('disabledForeground'));
  }
}
