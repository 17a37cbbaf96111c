import * as vscode from 'vscode';
import { isPlatformId } from '../../platforms/platform.ts';

export interface PlatformWords {
  readonly name: string;
  /** What a job's place on the platform is called. */
  readonly place: string;
  readonly icon: vscode.ThemeIcon;
}

/** A platform as it is shown; others' records may be of any. */
export function platformWords(platform: string): PlatformWords {
  if (!isPlatformId(platform)) {
    return { name: platform, place: vscode.l10n.t('Place'), icon: new vscode.ThemeIcon('server') };
  }
  switch (platform) {
    case 'brev':
      return { name: 'Brev', place: vscode.l10n.t('Instance'), icon: new vscode.ThemeIcon('vm') };
    case 'brev-sdk':
      return {
        name: vscode.l10n.t('Brev, through the TAO SDK'),
        place: vscode.l10n.t('Instance'),
        icon: new vscode.ThemeIcon('vm'),
      };
    case 'lepton':
      return {
        name: 'NVIDIA DGX Cloud Lepton',
        place: vscode.l10n.t('Workspace'),
        icon: new vscode.ThemeIcon('server-environment'),
      };
  }
}
