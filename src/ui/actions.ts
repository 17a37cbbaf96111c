import * as vscode from 'vscode';
import type { JobDetails } from '../jobs/jobFolder.ts';
import type { ActionId } from '../values/failure.ts';
import type { Need } from './commands/need.ts';

/** The button of an action, and the command behind it. */
export interface Action {
  readonly title: string;
  readonly command: string;
  readonly args: readonly unknown[];
}

/** What an action is about, as far as it is known. */
export interface ActionTarget {
  readonly instanceId?: string;
  readonly job?: Pick<JobDetails, 'id' | 'specUri'>;
  /** What a machine must have. */
  readonly need?: Need;
}

/** The one table from actions to buttons; undefined when only reading helps. */
export function actionFor(id: ActionId, about: ActionTarget = {}): Action | undefined {
  const { instanceId, job, need } = about;
  const target = instanceId === undefined ? [] : [{ kind: 'instance', id: instanceId }];
  const jobNode = job === undefined ? undefined : { kind: 'job', id: job.id };
  const spec = job === undefined || job.specUri === '' ? undefined : vscode.Uri.parse(job.specUri);
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
      return command(vscode.l10n.t('Pick a Type…'), 'brev.createInstance', need === undefined ? [] : [need]);
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
    case 'installSdk':
      return command(vscode.l10n.t('Install the TAO SDK…'), 'brev.installSdk');
    case 'enterLeptonToken':
      return command(vscode.l10n.t('Enter Lepton Token…'), 'brev.enterCredential', [
        'LEPTON_WORKSPACE_TOKEN',
      ]);
    case 'pickPlacement':
      return command(vscode.l10n.t('Choose Placement…'), 'brev.choosePlacement');
    case 'showJobLog':
      return jobNode && command(vscode.l10n.t('Show Job Log'), 'brev.showJobLog', [jobNode]);
    case 'retryJob':
      return jobNode && command(vscode.l10n.t('Run Again…'), 'brev.retryJob', [jobNode]);
    case 'openSpec':
      return spec && command(vscode.l10n.t('Open Spec'), 'vscode.open', [spec]);
    case 'changeRun':
      return spec && command(vscode.l10n.t('Change…'), 'brev.changeRun', [spec]);
    case 'openShell':
      return command(vscode.l10n.t('Open Shell'), 'brev.openShell', target);
    case 'enterHfToken':
      return command(vscode.l10n.t('Enter HF Token…'), 'brev.enterCredential', ['HF_TOKEN']);
    case 'enterNgcKey':
      return command(vscode.l10n.t('Enter NGC Key…'), 'brev.enterCredential', ['NGC_KEY']);
  }
}
