import * as vscode from 'vscode';
import type { ActionId } from '../values/failure.ts';

/** The button of an action, and the command behind it. */
export interface Action {
  readonly title: string;
  readonly command: string;
  readonly args: readonly unknown[];
}

/** The one table from actions to buttons; undefined when only reading helps. */
export function actionFor(id: ActionId, instanceId?: string): Action | undefined {
  const target = instanceId === undefined ? [] : [{ kind: 'instance', id: instanceId }];
  const command = (title: string, name: string, args: readonly unknown[] = []): Action => ({
    title,
    command: name,
    args,
  });
  switch (id) {
    case 'openInstallPage':
      return command(vscode.l10n.t('Install…'), 'brev.installCli');
    case 'chooseCliPath':
      return command(vscode.l10n.t('Choose Path…'), 'brev.choosePath');
    case 'signIn':
      return command(vscode.l10n.t('Sign In…'), 'brev.signIn');
    case 'enterToken':
      return command(vscode.l10n.t('Enter New Token…'), 'brev.enterCredential', ['BREV_API_TOKEN']);
    case 'refresh':
      return command(vscode.l10n.t('Look Again'), 'brev.refresh');
    case 'showLog':
      return command(vscode.l10n.t('Show Log'), 'brev.showLog');
    case 'pickOffer':
      return command(vscode.l10n.t('Pick a Type…'), 'brev.createInstance');
    case 'waitUntilReady':
      return command(vscode.l10n.t('Wait until Ready'), 'brev.checkReadiness', target);
    case 'startInstance':
      return command(vscode.l10n.t('Start…'), 'brev.startInstance', target);
    case 'deleteInstance':
      return command(vscode.l10n.t('Delete…'), 'brev.deleteInstance', target);
    case 'openConsole':
      return command(vscode.l10n.t('Open Console'), 'brev.openConsole');
    case 'openLeptonPage':
      return command(vscode.l10n.t('About Lepton'), 'vscode.open', [
        vscode.Uri.parse('https://docs.nvidia.com/dgx-cloud/lepton/'),
      ]);
    case 'enterLeptonToken':
      return command(vscode.l10n.t('Enter Lepton Token…'), 'brev.enterCredential', [
        'LEPTON_WORKSPACE_TOKEN',
      ]);
    case 'pickPlacement':
      return command(vscode.l10n.t('Choose Placement…'), 'brev.choosePlacement');
    case 'enterNgcKey':
      return command(vscode.l10n.t('Enter NGC Key…'), 'brev.enterCredential', ['NGC_KEY']);
  }
}
