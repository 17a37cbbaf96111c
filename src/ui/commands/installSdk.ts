import * as vscode from 'vscode';
import { installSdk as install, sdkInstallation, sdkPin } from '../../platforms/brevSdk/sdkInstall.ts';
import { unreachable } from '../../values/unreachable.ts';
import { cancellable } from '../cancellable.ts';
import type { Parts } from '../parts.ts';
import { showFailure } from '../showFailure.ts';
import type { Command } from './command.ts';

/** Installs the TAO SDK after showing the exact commands. Gives true when it is there. */
export const installSdk: Command = {
  id: 'brev.installSdk',
  run: async (parts) => {
    const pin = await sdkPin(process.env.TAO_SKILL_BANK_PATH);
    if (pin.kind !== 'ok') {
      if (pin.kind === 'failed') {
        await showFailure(pin.failure, parts.log);
      }
      return false;
    }
    const installation = sdkInstallation(pin.value, parts.sdkPlace());
    const go = vscode.l10n.t('Install');
    const { from } = pin.value;
    const why =
      from === undefined
        ? vscode.l10n.t('The version is the one that this extension was made for.')
        : vscode.l10n.t('The version is the one that {0} pins.', from);
    const agreed = await vscode.window.showInformationMessage(
      vscode.l10n.t('Install the TAO SDK?'),
      { modal: true, detail: `${installation.shown}\n\n${why}` },
      go,
    );
    return agreed === go ? run(parts, installation) : false;
  },
};

async function run(parts: Parts, installation: ReturnType<typeof sdkInstallation>): Promise<boolean> {
  const outcome = await cancellable(vscode.l10n.t('Installing the TAO SDK…'), (signal) => {
    return install(parts.run, installation, parts.environment(), signal);
  });
  switch (outcome.kind) {
    case 'ok':
      parts.setupView.recheck();
      return true;
    case 'failed':
      await showFailure(outcome.failure, parts.log);
      return false;
    case 'cancelled':
      return false;
    default:
      return unreachable(outcome);
  }
}
